/** API keys as a credential: whose key a bearer is, and that it was used. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { config } from '../../platform/config.ts'
import type { Program } from '../../domain/actor.ts'
import {
  API_KEY_TOUCH_SECONDS,
  type ApiKeyRole,
  type ApiKeyScope,
  lowerRole,
  parseApiKey,
  scopesAbove,
} from '../../domain/organizations/api-key.ts'
import type { ApiKeyId, OrganizationId } from '../../domain/ids.ts'
import type { Membership } from '../../domain/organizations/member.ts'
import type { Role } from '../../domain/permissions.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { first, inOrganization, sql } from '../sql.ts'

/** The environment of this service's keys, as they name it. */
export const ENVIRONMENT = config.live ? 'live' : 'test'

/** Which program calls, with the role that it has now. `stale` says that this use is to be written. */
export type AuthenticatedKey = {
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
}

/** Stands in for a secret that there is not, so that it costs as much as one that is wrong. */
const DECOY = randomBytes(32)

/**
 * The key that a bearer is, also a revoked one; undefined if it is malformed, unknown, of the other environment, or
 * its secret is neither the latest nor the one before within its time. Unknown and wrong cost the same: one statement
 * and two comparisons in constant time. Read anew at each call, so that what was revoked ends in every process at once.
 */
export async function authenticateApiKey(bearer: string): Promise<AuthenticatedKey | undefined> {
  const parts = parseApiKey(bearer)
  if (parts?.environment !== ENVIRONMENT) return undefined
  const row = await first(sql<KeyRow[]>`
    select lookup, id, organization_id, organization_status, creator_role, role, scopes, status, secret_hash,
      previous_secret_hash,
      last_used_at is null or last_used_at <= business_now() - make_interval(secs => ${API_KEY_TOUCH_SECONDS}) as stale
    from find_api_key(${parts.lookup}, ${ENVIRONMENT})`)
  const given = tokenHash(bearer)
  const latest = timingSafeEqual(given, row?.secret_hash ?? DECOY)
  const previous = timingSafeEqual(given, row?.previous_secret_hash ?? DECOY)
  if (row?.lookup !== parts.lookup || !(latest || previous)) return undefined
  const role = lowerRole(row.role, row.creator_role)
  const above = scopesAbove(role, row.scopes)
  return {
    program: { kind: 'api_key', apiKeyId: row.id, scopes: row.scopes.filter((scope) => !above.includes(scope)) },
    membership: { organizationId: row.organization_id, role, status: row.organization_status },
    revoked: row.status !== 'active',
    stale: row.stale,
  }
}

/**
 * Notes that the key was used, in a transaction of its own that does not wait for the disk: a use lost in a crash costs
 * nothing. Nothing is written when the last noted use is less than a minute old.
 */
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
