/** Consents, connections and tokens at the stand-in of Xero, by business time. */
import { createHash, randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import { type Transaction, first, sql, transaction } from '../../db/postgres/sql.ts'

const CODE_MINUTES = 5
export const ACCESS_MINUTES = 30
const REFRESH_DAYS = 60
/** Grace of a used refresh token, for a caller that lost the answer. */
const GRACE_MINUTES = 30

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
const random = (): string => randomBytes(32).toString('base64url')

export type ConsentRequest = {
  readonly personId: string
  readonly tenantId: string
  readonly scope: string
  readonly redirectUri: string
  readonly challenge: string | null
}

/** Connects a person with a tenant, which is created if unknown; answers the code. */
export async function consent({ personId, tenantId, scope, redirectUri, challenge }: ConsentRequest): Promise<string> {
  const [code, id] = [random(), v7()]
  await transaction(async (tx) => {
    await tx`
      insert into sandbox_accounting_tenants (id, name, base_currency)
      values (${tenantId}, ${`Sandbox Company ${tenantId.slice(-6)}`}, 'EUR') on conflict do nothing`
    await tx`insert into sandbox_accounting_consents (id, person_id, scope) values (${id}, ${personId}, ${scope})`
    await tx`
      insert into sandbox_accounting_connections (id, person_id, tenant_id, consent_id)
      values (${v7()}, ${personId}, ${tenantId}, ${id})
      on conflict (person_id, tenant_id) do update set consent_id = excluded.consent_id, updated_at = business_now()`
    await tx`
      insert into sandbox_accounting_tokens (hash, kind, consent_id, redirect_uri, challenge, expires_at)
      values (${hashOf(code)}, 'code', ${id}, ${redirectUri}, ${challenge},
        business_now() + make_interval(mins => ${CODE_MINUTES}))`
  })
  return code
}

type Consent = { readonly id: string; readonly person_id: string; readonly scope: string }
export type IssuedConsent = Consent & { readonly access: string; readonly refresh: string | null }

/** Redeems a code for tokens, once; undefined for an unknown code, another address or verifier. */
export const redeemCode = (
  code: string,
  redirectUri: string,
  challenge: string | null,
): Promise<IssuedConsent | undefined> =>
  transaction(async (tx) => {
    const used = await first(tx<{ consent_id: string }[]>`
      update sandbox_accounting_tokens set used_at = business_now()
      where hash = ${hashOf(code)} and kind = 'code' and used_at is null and expires_at > business_now()
        and redirect_uri = ${redirectUri} and challenge is not distinct from ${challenge}
      returning consent_id`)
    return used && issue(tx, used.consent_id)
  })

/** Rotates tokens; undefined for an unknown or expired refresh token, or one used before the grace. */
export const redeemRefresh = (token: string): Promise<IssuedConsent | undefined> =>
  transaction(async (tx) => {
    const used = await first(tx<{ consent_id: string }[]>`
      update sandbox_accounting_tokens set used_at = coalesce(used_at, business_now())
      where hash = ${hashOf(token)} and kind = 'refresh' and expires_at > business_now()
        and coalesce(used_at, business_now()) > business_now() - make_interval(mins => ${GRACE_MINUTES})
      returning consent_id`)
    return used && issue(tx, used.consent_id)
  })

async function issue(tx: Transaction, consentId: string): Promise<IssuedConsent> {
  const consent = await first(tx<Consent[]>`
    select id, person_id, scope from sandbox_accounting_consents where id = ${consentId}`)
  if (!consent) throw new Error('a token without a consent')
  const refresh = consent.scope.split(' ').includes('offline_access') ? random() : null
  const access = random()
  await tx`
    insert into sandbox_accounting_tokens (hash, kind, consent_id, expires_at)
    values (${hashOf(access)}, 'access', ${consentId}, business_now() + make_interval(mins => ${ACCESS_MINUTES}))`
  if (refresh !== null) {
    await tx`
      insert into sandbox_accounting_tokens (hash, kind, consent_id, expires_at)
      values (${hashOf(refresh)}, 'refresh', ${consentId}, business_now() + make_interval(days => ${REFRESH_DAYS}))`
  }
  return { ...consent, access, refresh }
}

export const findAccess = (token: string): Promise<(Consent & { readonly expiredAt: string | null }) | undefined> =>
  first(sql<(Consent & { expiredAt: string | null })[]>`
    select c.id, c.person_id, c.scope,
      case when t.expires_at <= business_now() then t.expires_at end as "expiredAt"
    from sandbox_accounting_tokens t join sandbox_accounting_consents c on c.id = t.consent_id
    where t.hash = ${hashOf(token)} and t.kind = 'access'`)

export async function expire(token: string): Promise<string> {
  const over = await first(sql<{ expires_at: string }[]>`
    update sandbox_accounting_tokens set expires_at = business_now() where hash = ${hashOf(token)} returning expires_at`)
  if (!over) throw new Error('there is no such token')
  return over.expires_at
}

/** Revokes all consents of a refresh token's person, with tokens and connections. Ignores unknown tokens. */
export async function revoke(token: string): Promise<void> {
  await transaction(async (tx) => {
    const person = await first(tx<{ person_id: string }[]>`
      select c.person_id from sandbox_accounting_tokens t join sandbox_accounting_consents c on c.id = t.consent_id
      where t.hash = ${hashOf(token)} and t.kind = 'refresh'`)
    if (!person) return
    await tx`delete from sandbox_accounting_connections where person_id = ${person.person_id}`
    await tx`
      delete from sandbox_accounting_tokens t using sandbox_accounting_consents c
      where c.id = t.consent_id and c.person_id = ${person.person_id}`
  })
}

export type Connection = {
  readonly id: string
  readonly consent_id: string
  readonly tenant_id: string
  readonly tenant_name: string
  readonly made_at: string
  readonly updated_at: string
}

export const listConnections = async (personId: string): Promise<Connection[]> => [
  ...(await sql<Connection[]>`
    select c.id, c.consent_id, c.tenant_id, t.name as tenant_name, c.made_at, c.updated_at
    from sandbox_accounting_connections c join sandbox_accounting_tenants t on t.id = c.tenant_id
    where c.person_id = ${personId} order by c.made_at, c.id`),
]

export const disconnect = async (personId: string, id: string): Promise<boolean> =>
  (await sql`delete from sandbox_accounting_connections where id = ${id} and person_id = ${personId} returning id`)
    .length === 1

export const isConnected = async (personId: string, tenantId: string): Promise<boolean> =>
  (await sql`select from sandbox_accounting_connections where person_id = ${personId} and tenant_id = ${tenantId}`)
    .length === 1
