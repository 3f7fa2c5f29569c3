/** Log streams: an organization's events as OCSF, sent to its SIEM by HTTPS or by syslog over TLS. */
import * as v from 'valibot'
import { GivenWebhookUrl } from '../webhooks/address.ts'
import { describe, integer, line, model, nullableText, opaque, uuid } from '../text.ts'
import { DELIVERY_ENTRIES } from './webhook-endpoint.ts'

/** Most log streams of an organization. */
export const LOG_STREAMS_MAX = 5
const [HEADER_MAX, CERTIFICATES_MAX, PORT_MAX] = [4096, 16_384, 65_535]

export const STREAM_KINDS = ['https', 'syslog_tls'] as const
export type StreamKind = (typeof STREAM_KINDS)[number]

const description = v.optional(v.nullable(line(1, 255)))
const certificates = v.pipe(
  opaque(1, CERTIFICATES_MAX),
  v.regex(
    /^(?:-----BEGIN CERTIFICATE-----\r?\n[A-Za-z0-9+/=\r\n]+-----END CERTIFICATE-----\s*)+$/,
    'must be certificates in PEM',
  ),
)
const header = v.pipe(opaque(1, HEADER_MAX), v.regex(/^[\x20-\x7e]+$/, 'must be what a header can carry'))

const host = v.pipe(line(1, 253), v.regex(/^(?:[\w.-]+|[\da-fA-F:.]+)$/, 'must be a name or an address'))

const HttpsStream = model('NewHttpsLogStream', {
  kind: v.literal('https'),
  url: describe(GivenWebhookUrl, 'Address that events are posted to: https, and public.'),
  authorization: describe(
    v.optional(header),
    'Header `authorization` of each request, as the receiver wants it. Kept encrypted, and never answered.',
  ),
  description,
})

const SyslogStream = model('NewSyslogLogStream', {
  kind: v.literal('syslog_tls'),
  host: describe(host, 'Name or address of the receiver, which is public.'),
  port: describe(v.pipe(v.number(), v.integer(), v.minValue(1024), v.maxValue(PORT_MAX)), 'Port, by RFC 5425 6514.'),
  ca: describe(v.optional(certificates), 'Authorities of its certificate, in PEM; absent: those of browsers.'),
  description,
})

export const NewLogStream = v.variant('kind', [HttpsStream, SyslogStream])
export type NewLogStream = v.InferOutput<typeof NewLogStream>

export const LogStreamChanges = model('LogStreamChanges', {
  paused: describe(v.optional(v.boolean()), 'True: events wait. False: they are sent, from where it stopped.'),
  description,
})
export type LogStreamChanges = v.InferOutput<typeof LogStreamChanges>

export const LogStream = model('LogStream', {
  id: uuid,
  kind: describe(v.picklist(STREAM_KINDS), 'Way to the receiver.'),
  address: describe(v.string(), 'Address that events are sent to.'),
  description: nullableText,
  paused: describe(v.boolean(), 'True while events wait.'),
  waiting: describe(integer, 'Number of events that are queued and not taken yet.'),
  ...DELIVERY_ENTRIES,
})
export type LogStream = v.InferOutput<typeof LogStream>

export const LogStreamWithSecret = model(
  'LogStreamWithSecret',
  {
    ...LogStream.entries,
    secret: describe(nullableText, 'Secret that signs each request; null: syslog has no signature.'),
  },
  { paused: 'True while events wait.', waiting: 'Number of events that are queued and not taken yet.' },
)
export type LogStreamWithSecret = v.InferOutput<typeof LogStreamWithSecret>
