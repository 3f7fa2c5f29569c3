/** Log of an organization: its filters, its published heads, and the faults of a verification. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { PageQuery, TimeFilters } from '../pagination.ts'
import { CATALOGUE, EVENT_TYPES } from '../registries/event-types.ts'
import { model, integer, nullableText, timestamp, uuid, describe } from '../text.ts'

const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES)
const STREAMS = [...new Set(CATALOGUE.map(({ stream }) => stream))]

const EventFilters = {
  type: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())], 'must be text'),
      v.transform((given) => [...new Set([given].flat())]),
      v.check((types) => types.every((type) => KNOWN.has(type)), 'unknown_event_type'),
      v.metadata({
        jsonSchema: { type: 'array', items: { type: 'string', enum: [...EVENT_TYPES] } },
        description:
          'Of any of these types, those of `GET /meta/event-types`: the filter may stand there several times.',
      }),
    ),
  ),
  stream: v.optional(v.picklist(STREAMS)),
}

export type EventFilters = { readonly type?: readonly string[] | undefined; readonly stream?: string | undefined }

export const StreamFilters = v.object(EventFilters)

export const LogFilters = v.object({
  ...PageQuery,
  ...EventFilters,
  subject_id: v.optional(id<'subject'>()),
  ...TimeFilters,
  order: v.optional(v.picklist(['asc', 'desc']), 'desc'),
})
export type LogFilters = v.InferOutput<typeof LogFilters>

/** Lists the types that both filters let through; undefined if there is no filter by type. */
export function typesOf({ type, stream }: EventFilters): readonly string[] | undefined {
  if (!type || !stream) return type
  return type.filter((one) => CATALOGUE.some((known) => known.type === one && known.stream === stream))
}

/**
 * Published head. `statement` is the signed canonical JSON: `{hash, key_id, organization_id, previous, published_at,
 * seq}`; `previous` is the SHA-256 of the statement before. `signature`: Ed25519, in base64.
 */
export const EventHead = model('EventHead', {
  id: uuid,
  organization_id: uuid,
  seq: integer,
  hash: v.string(),
  key_id: describe(v.string(), 'Id of the key that signed.'),
  statement: describe(v.string(), 'Text that was signed.'),
  signature: v.string(),
  published_at: describe(timestamp, 'Instant of the publication.'),
})
export type EventHead = v.InferOutput<typeof EventHead>

/** Present or former signing key of heads: its public half, in PEM. */
export const EventLogKey = model('EventLogKey', {
  id: v.string(),
  algorithm: v.literal('Ed25519'),
  public_key: describe(v.string(), 'Ed25519 public key in base64.'),
})
export type EventLogKey = v.InferOutput<typeof EventLogKey>

/** Public key as a JSON Web Key (RFC 7517, RFC 8037). */
const JsonWebKey = model('JsonWebKey', {
  kty: describe(v.literal('OKP'), 'Kind of the key.'),
  crv: describe(v.literal('Ed25519'), 'Curve of the key.'),
  x: describe(v.string(), 'Public key in base64url.'),
  kid: describe(v.string(), 'Id of the key, which signed tokens name.'),
  use: describe(v.literal('sig'), 'Use of the key: it signs.'),
  alg: describe(v.literal('EdDSA'), 'Algorithm of its signatures.'),
})
export type JsonWebKey = v.InferOutput<typeof JsonWebKey>

/** Public keys that verify tokens of the service: those in use, and earlier ones. */
export const JsonWebKeySet = model('JsonWebKeySet', {
  keys: describe(v.array(JsonWebKey), 'Present and former keys; the first one signs.'),
})

export const VerificationQuery = v.object({ cursor: PageQuery.cursor })

/**
 * Faults of a log. `changed`: an event, its place or its hash differs from the chain. `missing`: a place has no event.
 * `not_chained`: an event lost its place. `not_as_published`: a published head of this log does not fit it.
 */
const FAULTS = ['changed', 'missing', 'not_chained', 'not_as_published'] as const

export const Verification = model('EventLogVerification', {
  ok: v.boolean(),
  events: describe(integer, 'Number of events that were verified.'),
  head: describe(model('EventLogHead', { seq: integer, hash: nullableText }), 'Last event that was verified.'),
  verified_at: timestamp,
  first_bad: describe(
    v.nullable(
      model('EventLogFault', { fault: v.picklist(FAULTS), seq: v.nullable(integer), event_id: v.nullable(uuid) }),
    ),
    'First fault of the chain; null if there is none.',
  ),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
})
export type Verification = v.InferOutput<typeof Verification>
