{{/* What every pod has: an account without rights, a user without rights, a root that cannot be written. */}}
{{- define "pod" -}}
automountServiceAccountToken: false
securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
{{- end -}}

{{- define "container" -}}
image: {{ .Values.image }}:{{ .Values.build }}
securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
{{- end -}}

{{- define "environment" -}}
envFrom: [{ configMapRef: { name: business-finance } }, { secretRef: { name: {{ .Values.secrets.service }} } }]
{{- end -}}
