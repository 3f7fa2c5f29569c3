/**
 * Events in the form of OCSF 1.3: account change (3001) for members, authentication (3002) for their sign-ins, entity
 * management (3004) for all else. A SIEM knows an event by `metadata.uid`, the same at every try.
 */
import type { LoggedEvent } from '../event.ts'

/**
 * Prefix of the address of a stream by HTTPS, as it is stored: workers of a release that knows no streams cannot post to
 * it, and leave its events to those that do.
 */
export const OCSF_SCHEME = 'ocsf+'
export const OCSF_VERSION = '1.3.0'
const PRODUCT = 'business-finance-service'
const IDENTITY_CATEGORY = 3
const [INFORMATIONAL, OTHER] = [1, 99] as const
const [PROTOCOL_OPENID, PROTOCOL_OTHER] = [4, 99] as const

type Activity = readonly [id: number, name: string]
type Class = { readonly uid: number; readonly name: string; readonly activities: Readonly<Record<string, Activity>> }

/** Changes of a member, by the past tense of the event. */
const ACCOUNT_CHANGE: Class = {
  uid: 3001,
  name: 'Account Change',
  activities: {
    joined: [1, 'Create'],
    removed: [6, 'Delete'],
    left: [6, 'Delete'],
    password_changed: [3, 'Password Change'],
    factor_added: [10, 'MFA Factor Enable'],
    factor_removed: [11, 'MFA Factor Disable'],
  },
}

/** Ways in and out of a member. */
const AUTHENTICATION: Class = {
  uid: 3002,
  name: 'Authentication',
  activities: { signed_in: [1, 'Logon'], sign_in_failed: [1, 'Logon'], signed_out: [2, 'Logoff'] },
}

/** Changes of all else. */
const ENTITY_MANAGEMENT: Class = {
  uid: 3004,
  name: 'Entity Management',
  activities: {
    created: [1, 'Create'],
    requested: [1, 'Create'],
    opened: [1, 'Create'],
    received: [1, 'Create'],
    begun: [1, 'Create'],
    updated: [3, 'Update'],
    changed: [3, 'Update'],
    settings_changed: [3, 'Update'],
    rotated: [3, 'Update'],
    secret_rotated: [3, 'Update'],
    deleted: [4, 'Delete'],
    revoked: [4, 'Delete'],
    archived: [4, 'Delete'],
    enabled: [8, 'Enable'],
    disabled: [9, 'Disable'],
    paused: [12, 'Suspend'],
    resumed: [13, 'Resume'],
  },
}

function classOf(stream: string, verb: string): Class {
  if (stream !== 'members') return ENTITY_MANAGEMENT
  return verb in AUTHENTICATION.activities ? AUTHENTICATION : ACCOUNT_CHANGE
}

/** Browser or program behind a sign-in, which no event has: its log is for ever. */
export type AccessOrigin = { readonly ip_address: string | null; readonly user_agent: string | null }

/** Writes an event as an object of OCSF. */
export function toOcsf(event: LoggedEvent, origin: AccessOrigin | null = null) {
  const [noun = '', verb = ''] = event.event_type.split('.')
  const { uid: class_uid, name: class_name, activities } = classOf(event.stream, verb)
  const [activity_id, activity_name] = activities[verb] ?? [OTHER, verb]
  const hasFailed = verb === 'sign_in_failed'
  return {
    activity_id,
    activity_name,
    category_uid: IDENTITY_CATEGORY,
    category_name: 'Identity & Access Management',
    class_uid,
    class_name,
    type_uid: class_uid * 100 + activity_id,
    severity_id: INFORMATIONAL,
    severity: 'Informational',
    status_id: hasFailed ? 2 : 1,
    status: hasFailed ? 'Failure' : 'Success',
    time: Date.parse(event.occurred_at),
    message: event.event_type,
    actor: actorOf(event),
    ...(event.stream === 'members'
      ? { user: { uid: event.subject_id, type_id: 1, org: { uid: event.organization_id } } }
      : { entity: { uid: event.subject_id, type: noun } }),
    ...(class_uid === AUTHENTICATION.uid && accessOf(event, origin)),
    metadata: {
      version: OCSF_VERSION,
      uid: event.id,
      product: { name: PRODUCT, vendor_name: PRODUCT },
      log_name: event.stream,
      event_code: event.event_type,
      tenant_uid: event.organization_id,
      original_time: event.occurred_at,
      ...(event.correlation_id !== null && { correlation_uid: event.correlation_id }),
      ...(event.seq !== null && { sequence: event.seq }),
    },
    unmapped: { payload: event.payload, cause: event.cause, provider: event.provider, hash: event.hash },
  }
}

/** Describes a way in or out: the method, the session, the place. */
function accessOf({ payload }: LoggedEvent, origin: AccessOrigin | null) {
  const { method, session_id: session, reason } = payload ?? {}
  const { ip_address: ip = null, user_agent = null } = origin ?? {}
  const isByProvider = method === 'identity_provider'
  return {
    service: { name: PRODUCT },
    is_remote: true,
    ...(typeof method === 'string' && {
      auth_protocol_id: isByProvider ? PROTOCOL_OPENID : PROTOCOL_OTHER,
      auth_protocol: isByProvider ? 'OpenID' : method,
    }),
    ...(typeof session === 'string' && { session: { uid: session } }),
    ...(typeof reason === 'string' && { status_detail: reason }),
    ...(ip !== null && { src_endpoint: { ip } }),
    ...(user_agent !== null && { http_request: { user_agent } }),
  }
}

/** Names who acted: a person, with the program that acted for them, or the service and its partners. */
function actorOf({ actor_user_id: user, actor_kind: kind, provider }: LoggedEvent) {
  const app_name = provider ?? (user === null ? PRODUCT : undefined)
  return {
    ...(user !== null && { user: { uid: user, type_id: kind === 'admin' ? 2 : 1 } }),
    ...(app_name !== undefined && { app_name }),
  }
}
