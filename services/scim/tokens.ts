/** Tokens of identity providers: made, listed, revoked, authenticated. */
import type { Person } from '../../domain/people/actor.ts'
import { refuse } from '../../domain/errors.ts'
import type { NewId, OrganizationId, ScimTokenId } from '../../domain/ids.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { Page, PageRequest } from '../../domain/pagination.ts'
import { scimTokenEvents } from '../../domain/scim/events.ts'
import { SCIM_ROOT } from '../../domain/scim/resources.ts'
import {
  type NewScimToken,
  SCIM_TOKENS_MAX,
  SCIM_TOKEN_PREFIX,
  SCIM_TOUCH_SECONDS,
  type ScimToken,
  type ScimTokenWithSecret,
} from '../../domain/scim/token.ts'
import { config } from '../../platform/config.ts'
import { newToken, tokenHash } from '../../platform/encryption.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, type Tx, first, inOrganization, sql, values } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { useStepUp } from '../step-up-use.ts'

const columns = (): Fragment => sql`id, organization_id, name, created_by, inserted_at, last_used_at, revoked_at`

/** Lists the tokens of the organization, newest first, also the revoked ones. */
export const listScimTokens = (reader: Reader, page: PageRequest): Promise<Page<ScimToken>> =>
  pageOf<ScimToken>(reader, 'scim_tokens', page, sql`select ${columns()} from scim_tokens where true`)

type Creation = {
  readonly tx: Tx
  readonly person: Person
  readonly stepUpId: string | null
  readonly claim: { readonly id: NewId }
  readonly body: NewScimToken
}

/** Makes a token and uses up the step-up; only this answer has the secret. Refuses `invalid_state` if there are many. */
export async function createScimToken({ tx, person, stepUpId, claim, body }: Creation): Promise<ScimTokenWithSecret> {
  await tx`select from organizations where id = ${tx.organizationId} for no key update` // they come one by one
  const live = await tx`
    select from scim_tokens where organization_id = ${tx.organizationId} and revoked_at is null`
  if (live.length >= SCIM_TOKENS_MAX)
    refuse('invalid_state', { current: 'active', allowed: ['revoke'], reason: 'too_many_scim_tokens' })
  await useStepUp(tx, person, stepUpId)
  const secret = SCIM_TOKEN_PREFIX + newToken()
  const [made] = await tx<ScimToken[]>`
    insert into scim_tokens ${values({
      id: claim.id,
      organization_id: tx.organizationId,
      name: body.name,
      secret_hash: tokenHash(secret),
      created_by: person.userId,
    })}
    returning ${columns()}`
  if (!made) throw new Error('the token was not written')
  await record(tx, scimTokenEvents.created, { subjectId: made.id, cause: newCause(), payload: { name: body.name } })
  return { ...made, scim_url: `${config.publicUrl}${SCIM_ROOT}`, secret }
}

/** Stops a token at once and for good; one that is revoked stays as it is. Refuses `not_found`. */
export async function revokeScimToken(tx: Tx, id: ScimTokenId): Promise<ScimToken> {
  const [revoked] = await tx<ScimToken[]>`
    update scim_tokens set revoked_at = business_now()
    where id = ${id} and organization_id = ${tx.organizationId} and revoked_at is null returning ${columns()}`
  if (revoked) {
    await record(tx, scimTokenEvents.revoked, { subjectId: id, cause: `revoke:${id}` })
    return revoked
  }
  const [known] = await tx<ScimToken[]>`
    select ${columns()} from scim_tokens where id = ${id} and organization_id = ${tx.organizationId}`
  return known ?? refuse('not_found')
}

/** Token that a provider sent. `stale`: this use is to be written. */
export type AuthenticatedToken = {
  readonly id: ScimTokenId
  readonly organizationId: OrganizationId
  /** The organization is banned or deleted. */
  readonly isGone: boolean
  readonly stale: boolean
}

/** Finds the token of a bearer; undefined if it is unknown or revoked. Not cached, so that a revoked one ends at once. */
export async function authenticateScimToken(bearer: string): Promise<AuthenticatedToken | undefined> {
  if (!bearer.startsWith(SCIM_TOKEN_PREFIX)) return undefined
  const row = await first(sql<
    { id: ScimTokenId; organization_id: OrganizationId; organization_status: string; stale: boolean }[]
  >`
    select id, organization_id, organization_status,
      coalesce(last_used_at <= business_now() - make_interval(secs => ${SCIM_TOUCH_SECONDS}), true) as stale
    from find_scim_token(${tokenHash(bearer)})`)
  return (
    row && {
      id: row.id,
      organizationId: row.organization_id,
      isGone: isGone(row.organization_status),
      stale: row.stale,
    }
  )
}

/** Notes a use of the token, at most once a minute, without waiting for the disk. */
export async function touchScimToken({ id, organizationId, stale }: AuthenticatedToken): Promise<void> {
  if (!stale) return
  await inOrganization(
    { kind: 'system' },
    organizationId,
    (tx) => tx`
      update scim_tokens set last_used_at = business_now()
      from (select set_config('synchronous_commit', 'off', true) offset 0) unhurried
      where id = ${id}`,
  )
}
