/** API keys of an organization: made, listed, changed, rotated, revoked, authenticated. */
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Person, Program } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { ApiKeyId, OrganizationId, UserId } from '../../domain/ids.ts'
import {
  API_KEYS_MAX,
  API_KEY_LOOKUP_CHARACTERS,
  API_KEY_SECRET_CHARACTERS,
  API_KEY_TOUCH_SECONDS,
  type ApiKey,
  type ApiKeyChanges,
  type ApiKeyRole,
  type ApiKeyScope,
  type ApiKeyWithSecret,
  type NewApiKey,
  PREVIOUS_SECRET_HOURS,
  formatApiKey,
  lowerRole,
  parseApiKey,
  scopesAbove,
} from '../../domain/organizations/api-key.ts'
import type { AllowList } from '../../domain/organizations/allow-list.ts'
import { apiKeyEvents, apiKeyMoves } from '../../domain/organizations/events.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { type Role, type Standing, can } from '../../domain/permissions.ts'
import { quoteInMail } from '../../domain/text.ts'
import { config } from '../../platform/config.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { newCause, record } from '../events.ts'
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, inOrganization, sql, within } from '../../db/postgres/sql.ts'
import { useStepUp } from '../step-up-use.ts'
import { transition } from '../../db/processes/transition.ts'

/** Context of a command that uses up a step-up. */
type ProvenCommand = { readonly tx: Tx; readonly person: Person; readonly stepUpId: string | null }

const columns = (): Fragment => sql`
  id, organization_id, name, role, scopes, environment, lookup, status, created_by, inserted_at, last_used_at,
  rotated_at, case when status = 'active' and previous_secret_expires_at > business_now() then previous_secret_expires_at
    end as previous_secret_expires_at, revoked_at`

export const listApiKeys = (reader: Reader, page: PageRequest): Promise<Page<ApiKey>> =>
  pageOf<ApiKey>(reader, 'api_keys', page, sql`select ${columns()} from api_keys where true`)

export async function findApiKey(reader: Reader, id: ApiKeyId, lock = sql``): Promise<ApiKey> {
  const row = await first(
    reader<ApiKey>(sql`
      select ${columns()} from api_keys where id = ${id} and organization_id = ${reader.organizationId} ${lock}`),
  )
  return row ?? refuse('not_found')
}

/** Reads a key that is active; refuses `not_found` and `api_key_revoked`. */
export async function requireActiveApiKey(reader: Reader, id: ApiKeyId, lock = sql``): Promise<ApiKey> {
  const key = await findApiKey(reader, id, lock)
  return key.status === 'revoked' ? refuse('api_key_revoked') : key
}

/** Refuses `scope_requires_role` if a scope asks for a higher role than the key's. */
export function requireRoleForScopes({ role, scopes }: { role: ApiKeyRole; scopes: readonly ApiKeyScope[] }): void {
  const above = scopesAbove(role, scopes)
  if (above.length > 0) refuse('scope_requires_role', { scopes: above, role: 'admin' satisfies ApiKeyRole })
}

/** Refuses `api_key_limit_reached` if the organization has as many active keys as it may. */
export async function requireRoomForApiKey(reader: Reader): Promise<void> {
  const active = await first(
    reader<{ count: string }>(sql`
      select count(*) as count from api_keys where organization_id = ${reader.organizationId} and status = 'active'`),
  )
  if (Number(active?.count) >= API_KEYS_MAX) refuse('api_key_limit_reached', { limit: API_KEYS_MAX })
}

/** Makes a key and uses up the step-up; only this answer holds the secret. */
export async function createApiKey(command: ProvenCommand & { readonly body: NewApiKey }): Promise<ApiKeyWithSecret> {
  const { tx, person, stepUpId, body: wanted } = command
  requireRoleForScopes(wanted)
  await lockOrganization(tx)
  const creator = await lockStanding(tx, person.userId)
  if (creator === null) refuse('not_found')
  requireCreatorAbove(wanted.role, creator.role)
  if (!can(creator, 'api_keys.manage')) refuse('forbidden', { permission: 'api_keys.manage' })
  // a statement of its own: one that waited for the lock would still count as of its start
  await requireRoomForApiKey(within(tx))
  await useStepUp(tx, person, stepUpId)
  const lookup = randomText(LOOKUP_ALPHABET, API_KEY_LOOKUP_CHARACTERS) // of 2.8 · 10¹², and the index is unique
  const secret = newSecret(lookup)
  const made = { ...wanted, organization_id: tx.organizationId, created_by: person.userId }
  const [key] = await tx<ApiKey[]>`
    insert into api_keys ${tx({ ...made, environment: ENVIRONMENT, lookup, secret_hash: tokenHash(secret) })}
    returning ${columns()}`
  if (!key) throw new Error('the API key was not written')
  const payload = { lookup, ...wanted }
  await record(tx, apiKeyEvents.created, { subjectId: key.id, cause: newCause(), payload })
  return { ...key, secret }
}

const LOOKUP_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const SECRET_ALPHABET = `${LOOKUP_ALPHABET}ABCDEFGHIJKLMNOPQRSTUVWXYZ`

const randomText = (alphabet: string, characters: number): string =>
  Array.from({ length: characters }, () => alphabet[randomInt(alphabet.length)]).join('')

const newSecret = (lookup: string): string =>
  formatApiKey({ environment: ENVIRONMENT, lookup, secret: randomText(SECRET_ALPHABET, API_KEY_SECRET_CHARACTERS) })

/** Locks the organization, so that creations come one by one; refuses `not_found` after a ban or deletion. */
async function lockOrganization(tx: Tx): Promise<void> {
  const [organization] = await tx<{ status: string }[]>`
    select status from organizations where id = ${tx.organizationId} for no key update`
  if (!organization || isGone(organization.status)) refuse('not_found')
}

/** Locks what the member may do until the transaction ends; null if there is no such member. */
async function lockStanding(tx: Tx, userId: UserId): Promise<Standing | null> {
  const [member] = await tx<Standing[]>`
    select role, permissions_removed as removed from members where organization_id = ${tx.organizationId} and user_id = ${userId} for share`
  return member ?? null
}

function requireCreatorAbove(role: ApiKeyRole, creator: Role | null): void {
  if (lowerRole(role, creator) !== role) refuse('role_exceeds_creator', { creator_role: creator })
}

/** Applies a change to a key; `rights` asks for a step-up, a name alone does not. */
export function applyChanges(
  key: ApiKey,
  changes: ApiKeyChanges,
): { wanted: NewApiKey; rights: boolean; name: boolean } {
  const { name = key.name, role = key.role, scopes = key.scopes } = changes
  const rights = role !== key.role || scopes.join() !== key.scopes.join()
  return { wanted: { name, role, scopes }, rights, name: name !== key.name }
}

type Change = ProvenCommand & { readonly params: { readonly api_key_id: ApiKeyId }; readonly body: ApiKeyChanges }

/** Changes what is given and answers all of it; another role or other scopes use up the step-up. */
export async function changeApiKey({ tx, person, stepUpId, params, body }: Change): Promise<ApiKey> {
  const id = params.api_key_id
  // the creator of a key never changes; members are locked before keys
  const { created_by } = await findApiKey(within(tx), id)
  const creator = await lockStanding(tx, created_by as UserId) // it refers to a person
  const key = await requireActiveApiKey(within(tx), id, sql`for update`)
  const { wanted, rights, name } = applyChanges(key, body)
  if (!rights && !name) return key
  if (rights) {
    requireCreatorAbove(wanted.role, creator?.role ?? null)
    requireRoleForScopes(wanted)
    await useStepUp(tx, person, stepUpId)
  }
  await tx`
    update api_keys set name = ${wanted.name}, role = ${wanted.role}, scopes = ${wanted.scopes},
      updated_at = business_now()
    where id = ${id}`
  await record(tx, apiKeyEvents.updated, { subjectId: id, cause: newCause(), payload: wanted })
  return { ...key, ...wanted }
}

type Rotation = ProvenCommand & { readonly params: { readonly api_key_id: ApiKeyId } }

/** Rotates the secret of a key; the one until now works for 24 hours more, older ones end at once. */
export async function rotateApiKey({ tx, person, stepUpId, params }: Rotation): Promise<ApiKeyWithSecret> {
  const id = params.api_key_id
  const { lookup } = await requireActiveApiKey(within(tx), id, sql`for update`)
  await useStepUp(tx, person, stepUpId)
  const secret = newSecret(lookup)
  const [key] = await tx<ApiKey[]>`
    update api_keys set secret_hash = ${tokenHash(secret)}, previous_secret_hash = secret_hash,
      previous_secret_expires_at = business_now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
      rotated_at = business_now(), updated_at = business_now()
    where id = ${id} returning ${columns()}`
  if (!key) throw new Error('a locked API key is gone')
  const payload = { previous_secret_expires_at: key.previous_secret_expires_at }
  await record(tx, apiKeyEvents.rotated, { subjectId: id, cause: newCause(), payload })
  return { ...key, secret }
}

/** Stops a key at once and for good; one that is revoked stays as it is. Refuses `not_found`. */
export async function revokeApiKey(tx: Tx, id: ApiKeyId): Promise<ApiKey> {
  const key = await findApiKey(within(tx), id, sql`for update`)
  if (key.status === 'revoked') return key
  await revoke(tx, [id], `revoke:${id}`) // it happens once
  return findApiKey(within(tx), id)
}

/** Stops every active key of the organization, and answers how many. The caller has locked the organization. */
export async function revokeAllApiKeys(tx: Tx, cause: string): Promise<number> {
  const active = await tx<{ id: ApiKeyId }[]>`
    select id from api_keys where organization_id = ${tx.organizationId} and status = 'active' order by id for update`
  const ids = active.map(({ id }) => id)
  await revoke(tx, ids, cause)
  return ids.length
}

const revoke = (tx: Tx, ids: readonly ApiKeyId[], cause: string): Promise<void> =>
  transition(tx, apiKeyMoves, ids, { events: ['revoke'], cause, set: sql`revoked_at = business_now()` })

/** The environment of this service's keys, as they name it. */
const ENVIRONMENT = config.live ? 'live' : 'test'

/** The program that calls, with its present role. `stale`: this use is to be written. */
type AuthenticatedKey = {
  readonly program: Program
  readonly membership: Membership
  readonly revoked: boolean
  readonly stale: boolean
}

type KeyRow = {
  lookup: string
  id: ApiKeyId
  organization_id: OrganizationId
  organization_status: string
  creator_role: Role | null
  role: ApiKeyRole
  scopes: ApiKeyScope[]
  status: string
  secret_hash: Uint8Array
  previous_secret_hash: Uint8Array | null
  stale: boolean
  allow_list: AllowList | null
}

/** Hash in place of a missing secret: an unknown key costs as much as a wrong secret. */
const DECOY = randomBytes(32)

/**
 * Finds the key of a bearer, also a revoked one; undefined if it is malformed, unknown, of the other environment, or its
 * secret is neither the latest nor the one before within its time. Unknown and wrong cost the same: one statement and
 * two comparisons in constant time. Not cached, so that a revoked key ends in every process at once.
 */
export async function authenticateApiKey(bearer: string): Promise<AuthenticatedKey | undefined> {
  const parts = parseApiKey(bearer)
  if (parts?.environment !== ENVIRONMENT) return undefined
  const row = await first(sql<KeyRow[]>`
    select lookup, id, organization_id, organization_status, creator_role, role, scopes, status, secret_hash,
      previous_secret_hash, allow_list,
      last_used_at is null or last_used_at <= business_now() - make_interval(secs => ${API_KEY_TOUCH_SECONDS}) as stale
    from find_api_key(${parts.lookup}, ${ENVIRONMENT})`)
  const given = tokenHash(bearer)
  const latest = timingSafeEqual(given, row?.secret_hash ?? DECOY)
  const previous = timingSafeEqual(given, row?.previous_secret_hash ?? DECOY)
  if (row?.lookup !== parts.lookup || !(latest || previous)) return undefined
  const role = lowerRole(row.role, row.creator_role)
  const above = scopesAbove(role, row.scopes)
  const allows = row.allow_list && { allowList: row.allow_list }
  return {
    program: { kind: 'api_key', apiKeyId: row.id, scopes: row.scopes.filter((scope) => !above.includes(scope)) },
    membership: { organizationId: row.organization_id, role, status: row.organization_status, ...allows },
    revoked: row.status !== 'active',
    stale: row.stale,
  }
}

/** Notes a use of the key, at most once a minute, without waiting for the disk: one lost in a crash costs nothing. */
export async function touchApiKey({ program, membership, stale }: AuthenticatedKey): Promise<void> {
  if (!stale) return
  await inOrganization(
    program,
    membership.organizationId,
    (tx) => tx`
      update api_keys set last_used_at = business_now()
      from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried
      where id = ${program.apiKeyId} and (last_used_at is null
        or last_used_at <= business_now() - make_interval(secs => ${API_KEY_TOUCH_SECONDS}))`,
  )
}

type MakerChange = { readonly userId: UserId; readonly before: Standing; readonly after: Standing | null }

/**
 * Reports the active keys of a maker who may not manage keys any more: by events, and to those who may. They work on:
 * they are the organization's, which decides about each.
 */
export async function reportKeysOf(tx: Tx, { userId, before, after }: MakerChange): Promise<void> {
  if (!can(before, 'api_keys.manage') || (after && can(after, 'api_keys.manage'))) return
  const keys = await tx<{ id: ApiKeyId; name: string }[]>`
    select id, name from api_keys
    where organization_id = ${tx.organizationId} and created_by = ${userId} and status = 'active' order by id`
  if (keys.length === 0) return
  const payload = { created_by: userId, left: after === null }
  for (const { id } of keys) await record(tx, apiKeyEvents.maker_reduced, { subjectId: id, cause: newCause(), payload })
  for (const { email, organization } of await managersWith(tx, 'api_keys.manage')) {
    const mail = {
      subject: `API keys of ${quoteInMail(organization)} were made by a member who ${after ? 'may do less now' : 'has left'}`,
      paragraphs: ['They work on. The member may know their secrets: rotate or revoke them.'],
      facts: keys.map(({ name }) => ['API key', quoteInMail(name)] as const),
      footer: aboutOrganization(organization),
    }
    await sendMessage(tx, { recipient: email, channel: 'email', mail })
  }
}
