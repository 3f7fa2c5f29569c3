/** API keys of programs of an organization, and their scopes. */
import * as v from 'valibot'
import { API_KEY_STATUSES } from './api-key-flow.ts'
import type { Role } from '../permissions.ts'
import { model, line, timestamp, uuid, describe } from '../text.ts'

export const API_KEYS_MAX = 50 // active ones of an organization
export const PREVIOUS_SECRET_HOURS = 24 // in which the secret before the latest one works
export const API_KEY_TOUCH_SECONDS = 60 // between two uses that are written
export const API_KEY_LOOKUP_CHARACTERS = 8
export const API_KEY_SECRET_CHARACTERS = 43

const NAME_CHARACTERS_MAX = 255

const ApiKeyRole = v.picklist(['admin', 'member'])
export type ApiKeyRole = v.InferOutput<typeof ApiKeyRole>

/** Every scope of the contract with the lowest role that may hold it. */
const LOWEST_ROLE = {
  'balances:read': 'member',
  'events:read': 'member',
  'events:subscribe': 'member',
  'payment_requests:read': 'member',
  'payment_requests:write': 'member',
  'payments:read': 'member',
  'refunds:write': 'admin',
  'transactions:read': 'member',
  'webhooks:manage': 'admin',
} as const satisfies Record<string, ApiKeyRole>
export type ApiKeyScope = keyof typeof LOWEST_ROLE
// Object.keys of a constant gives exactly its keys
const SCOPES = Object.keys(LOWEST_ROLE) as ApiKeyScope[]

/** Lists the scopes among these that ask for a higher role. */
export const scopesAbove = (role: ApiKeyRole, scopes: readonly ApiKeyScope[]): ApiKeyScope[] =>
  scopes.filter((scope) => role === 'member' && LOWEST_ROLE[scope] === 'admin')

/** Picks the lower role of a key's and its creator's, who may have left; member is the lowest. */
export const lowerRole = (role: ApiKeyRole, creator: Role | null): ApiKeyRole =>
  creator === 'owner' || creator === 'admin' ? role : 'member'

type ApiKeyText = { readonly environment: string; readonly lookup: string; readonly secret: string }

/** Parses `svc_<env>_<lookup>_<secret>`; the secret is 256 random bits in base62. Null if the text has another form. */
export function parseApiKey(key: string): ApiKeyText | null {
  const [, environment, lookup, secret] = /^svc_(live|test)_([a-z0-9]{8})_([A-Za-z0-9]{43})$/.exec(key) ?? []
  return environment && lookup && secret ? { environment, lookup, secret } : null
}

export const formatApiKey = ({ environment, lookup, secret }: ApiKeyText): string =>
  `svc_${environment}_${lookup}_${secret}`

/** Each scope once, in the contract's order. */
const Scopes = v.pipe(
  v.array(v.picklist(SCOPES)),
  v.metadata({ jsonSchema: { type: 'array', items: { type: 'string', enum: SCOPES } } }),
  v.transform((given) => SCOPES.filter((scope) => given.includes(scope))),
)

export const NewApiKey = model('NewApiKey', {
  name: line(1, NAME_CHARACTERS_MAX),
  role: describe(ApiKeyRole, 'Role whose permissions the key has at most.'),
  scopes: Scopes,
})
export type NewApiKey = v.InferOutput<typeof NewApiKey>

export const ApiKeyChanges = v.pipe(v.partial(v.object(NewApiKey.entries)), v.title('ApiKeyChanges'))
export type ApiKeyChanges = v.InferOutput<typeof ApiKeyChanges>

/** A key as owners and admins see it, without its secret. */
export const ApiKey = model('ApiKey', {
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  role: ApiKeyRole,
  scopes: v.array(v.picklist(SCOPES)),
  environment: v.picklist(['live', 'test']),
  lookup: v.string(),
  status: v.picklist(API_KEY_STATUSES),
  created_by: uuid,
  inserted_at: timestamp,
  last_used_at: v.nullable(timestamp),
  rotated_at: v.nullable(timestamp),
  previous_secret_expires_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
})
export type ApiKey = v.InferOutput<typeof ApiKey>

/** `secret` is the whole bearer that a program sends. */
export const ApiKeyWithSecret = model('ApiKeyWithSecret', { ...ApiKey.entries, secret: v.string() })
export type ApiKeyWithSecret = v.InferOutput<typeof ApiKeyWithSecret>
