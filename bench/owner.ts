/** Owner's connection to the bench's own database, for fixtures. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { newToken, tokenHash } from '../platform/encryption.ts'
import type { DeviceId, OrganizationId, SessionId, UserId } from '../domain/ids.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('bench/index.ts sets MIGRATION_DATABASE_URL')

export const owner = postgres(url, { max: 2, onnotice: () => {} })

export type SignedIn = {
  readonly userId: UserId
  readonly email: string
  readonly deviceId: DeviceId
  readonly sessionId: SessionId
  readonly token: string
}

export async function insertPerson(passwordHash = ''): Promise<SignedIn> {
  const token = `ses_${newToken()}`
  const deviceId = randomUUID() as DeviceId
  const sessionId = randomUUID() as SessionId
  const userId = randomUUID() as UserId
  const email = `${userId}@example.com`
  await owner.begin(async (tx) => {
    await tx`insert into people (id, email, password_hash) values (${userId}, ${email}, ${passwordHash})`
    await tx`insert into devices (id, user_id) values (${deviceId}, ${userId})`
    await tx`
      insert into sessions (id, token_hash, user_id, device_id)
      values (${sessionId}, ${tokenHash(token)}, ${userId}, ${deviceId})`
  })
  return { userId, email, deviceId, sessionId, token }
}

export type OwnerAccount = SignedIn & { readonly organizationId: OrganizationId }

export async function insertOwned(name: string, svcId: string | null = null): Promise<OwnerAccount> {
  const person = await insertPerson()
  const { userId } = person
  const organizationId = randomUUID() as OrganizationId
  await owner.begin(async (tx) => {
    await tx`
      insert into organizations (id, name, svc_id, created_by) values (${organizationId}, ${name}, ${svcId}, ${userId})`
    await tx`insert into members (organization_id, user_id, role) values (${organizationId}, ${userId}, 'owner')`
  })
  return { ...person, organizationId }
}

export type Call = (method: string, path: string, body?: object) => Promise<any>

export const callerOf =
  (apiUrl: string, token: string): Call =>
  async (method, path, body) => {
    const response = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`)
    return answer
  }

export async function sendFile(call: Call, path: string, bytes: Buffer, type: string): Promise<string> {
  const slot = await call('POST', path, { filename: 'file', byte_size: bytes.length, content_type: type })
  const body = new Uint8Array(bytes)
  const put = await fetch(slot.upload_url, { method: 'PUT', body, headers: { 'content-type': type } })
  if (!put.ok) throw new Error(`PUT answered ${put.status}`)
  return slot.id
}

/** Inserts posted transactions into a feed; every third is a payment to the contact. */
export async function insertFeed(
  { organizationId, userId }: OwnerAccount,
  rows: number,
  contactId: string | null = null,
): Promise<void> {
  await owner`
    insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
      counterparty, description, category, payment_contact_id, created_by, posted_at, seq)
    select gen_random_uuid(), ${organizationId}, case when i % 3 = 0 then 'payment' else 'deposit' end,
      case when i % 3 = 0 then 'out' else 'in' end, 'posted', 1 + i % 1000, case when i % 5 = 0 then 'EUR' else 'USD' end,
      i, 'Counterparty ' || i % 997, 'Invoice ' || i, case when i % 7 = 0 then 'Sales' end,
      case when i % 3 = 0 then ${contactId}::uuid end, ${userId},
      '2025-01-01'::timestamptz + make_interval(secs => i), i
    from generate_series(1, ${rows}) i`
  await owner`vacuum analyze transactions`
  await owner`checkpoint` // else it would run during a measurement
}

/** Proves the balances of all accounts, and that each currency sums to zero. */
export async function proveBooks(): Promise<void> {
  const wrong = await owner`
    select a.id from ledger_accounts a join ledger_entries e on e.account_id = a.id
    where a.kind in ('available', 'held') group by a.id having a.balance <> sum(e.amount) or a.seq <> count(*)`
  const [sum] = await owner`
    select 1 from ledger_entries e join ledger_accounts a on a.id = e.account_id group by a.currency having sum(e.amount) <> 0`
  if (wrong.length > 0 || sum) throw new Error('the ledger does not balance')
}

export async function untilIdle(): Promise<void> {
  while ((await owner`select from processes limit 1`).length > 0) await delay(10)
}

/** Writes the cost of each statement since the last reset, the dearest first. */
export async function statementCosts(): Promise<string> {
  const rows = await owner<
    (Record<'calls' | 'plans' | 'planned' | 'ms' | 'rows' | 'wal', number> & { query: string })[]
  >`
    select s.calls::float8, s.plans::float8, round(s.total_plan_time)::float8 as planned,
      round(s.total_exec_time)::float8 as ms, s.rows::float8, s.wal_bytes::float8 as wal,
      regexp_replace(s.query, '\\s+', ' ', 'g') as query
    from pg_stat_statements s join pg_roles r on r.oid = s.userid
    where r.rolname = 'business_finance_app' order by s.total_exec_time + s.total_plan_time desc limit 60`
  const told = rows.map((row) =>
    [row.calls, row.plans, row.planned, row.ms, row.rows, row.wal, row.query.slice(0, 400)].join('\t'),
  )
  return ['calls\tplans\tms planned\tms\trows\tWAL\tstatement', ...told, ''].join('\n')
}
