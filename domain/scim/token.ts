/** Tokens by which an identity provider manages the members of an organization. */
import * as v from 'valibot'
import { describe, line, model, timestamp, uuid } from '../text.ts'

export const SCIM_TOKEN_PREFIX = 'bfs_scim_'
/** Tokens of an organization that work at a time: one is replaced by another without a gap. */
export const SCIM_TOKENS_MAX = 5
export const SCIM_TOUCH_SECONDS = 60 // between two uses that are written
const NAME_CHARACTERS_MAX = 100

export const NewScimToken = model('NewScimToken', { name: line(1, NAME_CHARACTERS_MAX) })
export type NewScimToken = v.InferOutput<typeof NewScimToken>

export const ScimToken = model('ScimToken', {
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  created_by: uuid,
  inserted_at: timestamp,
  last_used_at: v.nullable(timestamp),
  revoked_at: v.nullable(timestamp),
})
export type ScimToken = v.InferOutput<typeof ScimToken>

export const ScimTokenWithSecret = model('ScimTokenWithSecret', {
  ...ScimToken.entries,
  scim_url: describe(v.pipe(v.string(), v.url()), 'Address that the provider sends requests to.'),
  secret: v.string(),
})
export type ScimTokenWithSecret = v.InferOutput<typeof ScimTokenWithSecret>
