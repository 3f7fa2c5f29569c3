/** API keys of an organization: made, listed, changed, rotated, revoked. The secret is told once and kept as a hash. */
import { randomInt } from 'node:crypto'
import { ENVIRONMENT } from './api-key-authentication.ts'
import { newCause, record } from '../events.ts'
import type { Person } from '../../domain/actor.ts'
import {
  API_KEYS_MAX,
  API_KEY_LOOKUP_CHARACTERS,
  API_KEY_SECRET_CHARACTERS,
  type ApiKey,
  type ApiKeyChanges,
  type ApiKeyRole,
  type ApiKeyScope,
  type ApiKeyWithSecret,
  type NewApiKey,
  PREVIOUS_SECRET_HOURS,
  formatApiKey,
  lowerRole,
  scopesAbove,
} from '../../domain/organizations/api-key.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApiKeyId, UserId } from '../../domain/ids.ts'
import { apiKeyEvents, apiKeyMoves } from '../../domain/organizations/events.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { type Role, can } from '../../domain/permissions.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import { pageOf } from '../pagination.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { type Fragment, type Reader, type Tx, first, sql, within } from '../sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { transition } from '../transition.ts'

/** Who asks for a deed, and the verified step-up that releases it. */
export type Proven = { readonly person: Person; readonly stepUpId: string | null }

const columns = (): Fragment => sql`
  id, organization_id, name, role, scopes, environment, lookup, status, created_by, inserted_at, last_used_at,
  rotated_at, case when status = 'active' and previous_secret_expires_at > business_now() then previous_secret_expires_at
    end as previous_secret_expires_at, revoked_at`

/** The organization's keys, newest first, also the revoked ones. */
export const listApiKeys = (reader: Reader, page: PageRequest): Promise<Page<ApiKey>> =>
  pageOf<ApiKey>(reader, 'api_keys', page, sql`select ${columns()} from api_keys where true`)

/** One key of the organization; refuses `not_found`. */
export const findApiKey = (reader: Reader, id: ApiKeyId): Promise<ApiKey> => findBy(reader, id, sql``)

/** The same while it is active; refuses `api_key_revoked`. */
export async function findActiveApiKey(reader: Reader, id: ApiKeyId): Promise<ApiKey> {
  return refuseRevoked(await findApiKey(reader, id))
}

async function findBy(reader: Reader, id: ApiKeyId, lock: Fragment): Promise<ApiKey> {
  const row = await first(
    reader<ApiKey>(sql`
      select ${columns()} from api_keys where id = ${id} and organization_id = ${reader.organizationId} ${lock}`),
  )
  return row ?? refuse('not_found')
}

function refuseRevoked(key: ApiKey): ApiKey {
  if (key.status === 'revoked') refuse('api_key_revoked')
  return key
}

/** Refuses `scope_requires_role` if a scope asks for a higher role than the key's. */
export function refuseScopesAbove({ role, scopes }: { role: ApiKeyRole; scopes: readonly ApiKeyScope[] }): void {
  const above = scopesAbove(role, scopes)
  if (above.length > 0) refuse('scope_requires_role', { scopes: above, role: 'admin' satisfies ApiKeyRole })
}

/** Refuses `api_key_limit_reached` if the organization has as many active keys as it may. */
export async function refuseBeyondLimit(reader: Reader): Promise<void> {
  const active = await first(
    reader<{ count: string }>(sql`
      select count(*) as count from api_keys where organization_id = ${reader.organizationId} and status = 'active'`),
  )
  if (Number(active?.count) >= API_KEYS_MAX) refuse('api_key_limit_reached', { limit: API_KEYS_MAX })
}

/**
 * Makes a key and uses up the step-up; the answer alone holds the secret. Refuses `scope_requires_role`,
 * `role_exceeds_creator`, `api_key_limit_reached` (also to requests at once), `step_up_required`, `forbidden` to whom
 * may no longer; then nothing has changed.
 */
export async function createApiKey(tx: Tx, { person, stepUpId }: Proven, wanted: NewApiKey): Promise<ApiKeyWithSecret> {
  refuseScopesAbove(wanted)
  await lockOrganization(tx)
  const role = await lockRole(tx, person.userId)
  if (role === null) refuse('not_found')
  refuseAboveCreator(wanted.role, role)
  if (!can(role, 'api_keys.manage')) refuse('forbidden', { permission: 'api_keys.manage' })
  // a statement of its own: one that waited for the lock would still count as of its start
  await refuseBeyondLimit(within(tx))
  await useStepUp(tx, person, stepUpId)
  const lookup = newLookup()
  const secret = formatApiKey({ environment: ENVIRONMENT, lookup, secret: newSecret() })
  const [key] = await tx<ApiKey[]>`
    insert into api_keys (organization_id, name, role, scopes, environment, lookup, secret_hash, created_by)
    values (${tx.organizationId}, ${wanted.name}, ${wanted.role}, ${wanted.scopes}, ${ENVIRONMENT}, ${lookup},
      ${tokenHash(secret)}, ${person.userId})
    returning ${columns()}`
  if (!key) throw new Error('the API key was not written')
  await record(tx, apiKeyEvents.created, {
    subjectId: key.id,
    cause: newCause(),
    payload: { lookup, name: key.name, role: key.role, scopes: key.scopes },
  })
  return { ...key, secret }
}

const LOOKUP_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_ALPHABET = `${LOOKUP_ALPHABET}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

const randomText = (alphabet: string, characters: number): string =>
  Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Of 2.8 · 10¹²; the unique index would refuse one that there is. */
const newLookup = (): string => randomText(LOOKUP_ALPHABET, API_KEY_LOOKUP_CHARACTERS)
const newSecret = (): string => randomText(SECRET_ALPHABET, API_KEY_SECRET_CHARACTERS)

/** Creations come one by one, and none after the organization was banned or deleted. */
async function lockOrganization(tx: Tx): Promise<void> {
  const [organization] = await tx<{ status: string }[]>`
    select status from organizations where id = ${tx.organizationId} for no key update`
  if (!organization || isGone(organization.status)) refuse('not_found')
}

/** The member's present role, which stays until this is over; null if there is no such member. */
async function lockRole(tx: Tx, userId: UserId): Promise<Role | null> {
  const [member] = await tx<{ role: Role }[]>`
    select role from members where organization_id = ${tx.organizationId} and user_id = ${userId} for share`
  return member?.role ?? null
}

function refuseAboveCreator(role: ApiKeyRole, creator: Role | null): void {
  if (lowerRole(role, creator) !== role) refuse('role_exceeds_creator', { creator_role: creator })
}

/** What a change makes of a key, and whether that asks for a step-up: a name alone does not. */
export function changed(key: ApiKey, changes: ApiKeyChanges): { wanted: NewApiKey; rights: boolean; name: boolean } {
  const { name = key.name, role = key.role, scopes = key.scopes } = changes
  const rights = role !== key.role || scopes.join() !== key.scopes.join()
  return { wanted: { name, role, scopes }, rights, name: name !== key.name }
}

/**
 * Changes what is given and answers all of it; if role or scopes become others it uses up the step-up. Refuses
 * `not_found`, `api_key_revoked`, `role_exceeds_creator` by what the key's creator is now, `scope_requires_role`,
 * `step_up_required`. The event is written only if something is another than before.
 */
export async function changeApiKey(
  tx: Tx,
  { person, stepUpId }: Proven,
  id: ApiKeyId,
  changes: ApiKeyChanges,
): Promise<ApiKey> {
  // who made a key never changes; members are locked before keys
  const { created_by } = await findApiKey(within(tx), id)
  const creator = await lockRole(tx, created_by as UserId) // it refers to a person
  const key = refuseRevoked(await findBy(within(tx), id, sql`for update`))
  const { wanted, rights, name } = changed(key, changes)
  if (!rights && !name) return key
  if (rights) {
    refuseAboveCreator(wanted.role, creator)
    refuseScopesAbove(wanted)
    await useStepUp(tx, person, stepUpId)
  }
  await tx`
    update api_keys set name = ${wanted.name}, role = ${wanted.role}, scopes = ${wanted.scopes},
      updated_at = business_now()
    where id = ${id}`
  await record(tx, apiKeyEvents.updated, { subjectId: id, cause: newCause(), payload: wanted })
  return { ...key, ...wanted }
}

/**
 * Gives a key another secret and uses up the step-up; the lookup stays. The secret until now works for 24 hours more,
 * the one before it no longer. The answer alone holds the new one. Refuses `not_found`, `api_key_revoked`,
 * `step_up_required`.
 */
export async function rotateApiKey(tx: Tx, { person, stepUpId }: Proven, id: ApiKeyId): Promise<ApiKeyWithSecret> {
  const { lookup } = refuseRevoked(await findBy(within(tx), id, sql`for update`))
  await useStepUp(tx, person, stepUpId)
  const secret = formatApiKey({ environment: ENVIRONMENT, lookup, secret: newSecret() })
  const [key] = await tx<ApiKey[]>`
    update api_keys set secret_hash = ${tokenHash(secret)}, previous_secret_hash = secret_hash,
      previous_secret_expires_at = business_now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
      rotated_at = business_now(), updated_at = business_now()
    where id = ${id} returning ${columns()}`
  if (!key) throw new Error('a locked API key is gone')
  await record(tx, apiKeyEvents.rotated, {
    subjectId: id,
    cause: newCause(),
    payload: { previous_secret_expires_at: key.previous_secret_expires_at },
  })
  return { ...key, secret }
}

/** Stops a key at once and for good; one that is revoked stays as it is. Refuses `not_found`. */
export async function revokeApiKey(tx: Tx, id: ApiKeyId): Promise<ApiKey> {
  const key = await findBy(within(tx), id, sql`for update`)
  if (key.status === 'revoked') return key
  await revoke(tx, [id], `revoke:${id}`) // it happens once
  return findApiKey(within(tx), id)
}

/**
 * Stops every active key of the organization, for the same cause, and answers how many there were. The organization is
 * to be locked before, so that none is made at the same time.
 */
export async function revokeAllApiKeys(tx: Tx, cause: string): Promise<number> {
  const active = await tx<{ id: ApiKeyId }[]>`
    select id from api_keys where organization_id = ${tx.organizationId} and status = 'active' order by id for update`
  const ids = active.map(({ id }) => id)
  await revoke(tx, ids, cause)
  return ids.length
}

const revoke = (tx: Tx, ids: readonly ApiKeyId[], cause: string): Promise<void> =>
  transition(tx, apiKeyMoves, ids, { events: ['revoke'], cause, set: sql`revoked_at = business_now()` })
