/**
 * Hot statements read few rows more than they answer, whatever statistics the planner has: of empty tables, none, all.
 * Postgres counts the rows of a transaction.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { listApprovals } from '../../../services/decisions/approvals.ts'
import { countVisible, pendingGroups, isUnexpired } from '../../../services/approvals/pending.ts'
import { listEvents } from '../../../services/events/log.ts'
import { verifyBehind } from '../../../services/events/verification.ts'
import { readPosted } from '../../../services/exports/rows.ts'
import { listTransactions } from '../../../services/ledger/transactions.ts'
import type { Viewer } from '../../../domain/approvals/requirements.ts'
import type {
  ApprovalId,
  ContactId,
  DepositId,
  OrganizationId,
  PaymentId,
  SwapId,
  TransactionId,
  UserId,
} from '../../../domain/ids.ts'
import type { TransactionFilters } from '../../../domain/accounts/transaction.ts'
import { config } from '../../../platform/config.ts'
import { listAttention, summarizeAttention } from '../../../services/registries/attention.ts'
import { type Reader, inSnapshot, sql } from '../../../db/postgres/sql.ts'
import { owner } from '../../support/database.ts'

delete process.env['ROWS_SEEN'] // rows are made up for their number: JSON in them is empty

const ROWS = 30_000
const PAGE = 50
/** Row budget of a page: its rows, one more row for each, and what leads to them. */
const OF_A_PAGE = 1000
/** Row budget of an exact count: each row once. */
const ONCE = 1.05 * ROWS
const BIG = ['events', 'event_chain', 'approvals', 'transactions']
type Ids = { readonly id: OrganizationId; readonly user: UserId }
const ids = (): Ids => ({ id: randomUUID() as OrganizationId, user: randomUUID() as UserId }) // of rows written next

async function fill({ id, user }: Ids, rows: number): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'` // without foreign keys and triggers
    await tx`insert into organizations (id, name, svc_id, created_by) values (${id}, 'Plans', ${`p-${id.slice(0, 13)}`}, ${user})`
    await tx`insert into people (id, email, password_hash) values (${user}, ${`${user}@example.com`}, '')`
    await tx`insert into members (organization_id, user_id, role) values (${id}, ${user}, 'owner')`
    await tx`
      insert into events (id, organization_id, stream, subject_id, type, actor_kind, cause, payload, occurred_at)
      select uuidv7(), ${id}, (array['payments', 'payments', 'approvals', 'deposits'])[1 + n % 4], gen_random_uuid(),
        (array['payment.created', 'payment.settled', 'approval.approved', 'deposit.credited'])[1 + n % 4], 'user',
        'request:' || n, '{}',
        now() - (${rows} - n) * interval '1 hour' from generate_series(1, ${rows}::int) n`
    await tx`
      insert into event_chain (organization_id, seq, event_id, stream, type, subject_id, occurred_at, latest_at, lateness,
        hash)
      select organization_id, row_number() over (order by id), id, stream, type, subject_id, occurred_at, occurred_at, '0',
        sha256(id::text::bytea) from events where organization_id = ${id}`
    await tx`
      insert into approval_waits (id, organization_id, wait, named_roles, named_user_ids)
      select md5(${id} || n)::uuid, ${id}, '{"steps":[{"required":1,"roles":["owner"],"user_ids":[]}],"given":[],"excluded":null}',
        '{owner}', '{}' from generate_series(1, 50) n`
    await tx`
      insert into approvals (id, organization_id, action_type, target_type, target_id, policy, subject_body, subject_hash,
        requester_id, wait_id, expires_at, inserted_at)
      select gen_random_uuid(), ${id}, 'payment_contact', 'payment_contact', gen_random_uuid(), '{}', '{}', '', ${user},
        md5(${id} || 1 + n % 50)::uuid, now() + interval '1 year', now() - n * interval '1 minute'
      from generate_series(1, ${rows}::int) n`
    await tx`
      insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
        counterparty, description, created_by, posted_at, seq)
      select gen_random_uuid(), ${id}, 'deposit', 'in', 'posted', 1, 'USD', n, 'Payer', 'Invoice ' || n, ${user},
        now() - (${rows} - n) * interval '1 hour', n from generate_series(1, ${rows}::int) n`
  })
  await owner`update event_chain_position set xact = pg_snapshot_xmax(pg_current_snapshot())`
}

/** A value of each filter of the feed that no row has; a new filter does not compile without one. */
const FOUND_NOWHERE: Required<Omit<TransactionFilters, 'limit' | 'cursor'>> = {
  type: 'refund',
  direction: 'out',
  currency: 'JPY',
  status: 'pending',
  from: '2099-01-01',
  to: '1999-01-01',
  amount_min: '999999',
  amount_max: '0.001',
  payment_contact_id: randomUUID() as ContactId,
  payment_id: randomUUID() as PaymentId,
  deposit_id: randomUUID() as DepositId,
  swap_id: randomUUID() as SwapId,
  category: 'Rare',
  label: 'department:rare',
  q: 'nowhere',
}
/** Filters that read the index of the feed to its end, and no row; a search also reads rows, 50,000 for a page. */
const READS_ALL: ReadonlySet<string> = new Set(['amount_min', 'amount_max', 'q'])

type Work = (reader: Reader) => Promise<unknown>
type Hot = Readonly<Record<string, readonly [most: number, work: Work]>>
const pageFilters = { limit: PAGE, order: 'asc' } as const
const log = (filters: object) => (reader: Reader) => listEvents(reader, { ...pageFilters, ...filters })
const feedFilters: Hot = Object.fromEntries(
  Object.entries(FOUND_NOWHERE)
    .filter(([name]) => !READS_ALL.has(name))
    .map(([name, value]) => [
      `feed, nothing of ${name}`,
      [OF_A_PAGE, (reader: Reader) => listTransactions(reader, { limit: PAGE, [name]: value })],
    ]),
)
const feed = (filters: object) => (reader: Reader) => listTransactions(reader, { limit: PAGE, ...filters })

/** The statements with their row budgets; `deep` are rows in the middle of the organization's lists. */
function hot({ user }: Ids, deep: { event: string; subject: string; approval: string; transaction: string }): Hot {
  const owning: Viewer = { userId: user, role: 'owner', ownOnly: false }
  const asking: Viewer = { userId: user, role: 'member', ownOnly: true }
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  const pending = { status: 'pending', limit: PAGE, cursor: undefined } as const
  const cursor = deep.approval as ApprovalId
  const actionable = { limit: PAGE, actionable: true }
  const readExported: Work = async (reader) => {
    const pages = readPosted(reader, { from: day(40), to: day(0), currency: null, creator: null })
    for await (const _ of pages);
  }
  return {
    'log, first page': [OF_A_PAGE, log({})],
    'log, newest': [OF_A_PAGE, log({ order: 'desc' })],
    'log, behind a cursor': [OF_A_PAGE, log({ cursor: deep.event })],
    'log, in front of a cursor': [OF_A_PAGE, log({ cursor: deep.event, order: 'desc' })],
    'log, of a frequent type': [OF_A_PAGE, log({ type: ['payment.created'] })],
    'log, of rare types': [OF_A_PAGE, log({ type: ['payment.failed', 'bill.created'] })],
    'log, of a stream': [OF_A_PAGE, log({ stream: 'payments' })],
    'log, of an empty stream': [OF_A_PAGE, log({ stream: 'bills' })],
    'log, of a subject': [OF_A_PAGE, log({ subject_id: deep.subject })],
    'log, of some days': [OF_A_PAGE, log({ from: day(400), to: day(399) })],
    'log, of a stream in some days': [OF_A_PAGE, log({ stream: 'payments', from: day(400), to: day(399) })],
    'log, verified: a page of it': [3 * 10_000, (reader) => verifyBehind(reader)],
    'log, left out': [OF_A_PAGE, (reader) => reader(sql`select event_left_out() as id`)],
    'log, extended by nothing': [OF_A_PAGE, (reader) => reader(sql`select chained from extend_event_chain(100)`)],
    'approvals, first page': [OF_A_PAGE, (reader) => listApprovals(reader, pending, owning)],
    'approvals, behind a cursor': [OF_A_PAGE, (reader) => listApprovals(reader, { ...pending, cursor }, owning)],
    'approvals, of a member': [OF_A_PAGE, (reader) => listApprovals(reader, pending, asking)],
    'approvals, what they wait for': [OF_A_PAGE, pendingGroups],
    'approvals, counted': [ONCE, (reader) => countVisible(reader, owning)],
    'approvals, counted for a member': [ONCE, (reader) => countVisible(reader, asking, { conditions: isUnexpired() })],
    'attention, first page': [OF_A_PAGE, (reader) => listAttention(reader, { limit: PAGE }, owning)],
    // the newest 200 of each requirement, and all of them together
    'attention, what can be done': [51 * 200 + OF_A_PAGE, (reader) => listAttention(reader, actionable, owning)],
    'attention, summary': [ONCE, (reader) => summarizeAttention(reader, owning)],
    'feed, first page': [OF_A_PAGE, feed({})],
    'feed, behind a cursor': [OF_A_PAGE, feed({ cursor: deep.transaction as TransactionId })],
    'feed, of some days': [OF_A_PAGE, feed({ from: day(400), to: day(399) })],
    'feed, of a frequent type': [OF_A_PAGE, feed({ type: 'deposit' })],
    ...feedFilters,
    'feed, rare and behind a cursor': [OF_A_PAGE, feed({ type: 'refund', cursor: deep.transaction as TransactionId })],
    'feed, rare in some days': [OF_A_PAGE, feed({ type: 'refund', from: day(400), to: day(399) })],
    'feed, of one who caused nothing': [
      OF_A_PAGE,
      (reader) => listTransactions(reader, { limit: PAGE }, randomUUID() as UserId),
    ],
    'feed, an export of some days': [OF_A_PAGE, readExported],
  }
}

/** Counts the rows of big tables that a reader's transaction has read, in any way. */
const readSoFar = async (reader: Reader): Promise<number> => {
  const [row] = await reader<{ rows: string }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_xact_user_tables where relname = any (${BIG})`)
  return Number(row?.rows)
}

/** Names the statements over their budget, with the rows that they read. */
async function excessOf(organization: Ids, statements: Hot): Promise<Record<string, number>> {
  const excess: Record<string, number> = {}
  for (const [name, [most, work]] of Object.entries(statements)) {
    const rows = await inSnapshot(organization.id, async (reader) => {
      const before = await readSoFar(reader)
      await work(reader).catch((error) => {
        throw new Error(name, { cause: error })
      })
      return (await readSoFar(reader)) - before
    })
    if (rows > most) excess[name] = rows
  }
  return excess
}

const deepOf = async (id: string) => {
  const [deep] = await owner<{ event: string; subject: string; approval: string; transaction: string }[]>`
    select event_id as event, subject_id as subject,
      (select id from approvals where organization_id = ${id} order by inserted_at offset 15000 limit 1) as approval,
      (select id from transactions where organization_id = ${id} and seq = 15000) as transaction
    from event_chain where organization_id = ${id} and seq = 15000`
  if (!deep) throw new Error('it was filled')
  return deep
}

/** Plans the statements on all connections, and keeps the plans. */
async function planOnAll(organization: Ids, statements: Hot): Promise<void> {
  await Promise.all(Array.from({ length: config.databasePoolSize }, () => excessOf(organization, statements)))
}

const replan = async () => {
  for (const table of BIG) await owner.unsafe(`alter table ${table} set (autovacuum_enabled = false)`)
}

/** The written events have no catalogue entry, and other files check the whole log. */
afterAll(() =>
  owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'`
    for (const table of BIG) await tx.unsafe(`delete from ${table}`)
  }),
)

test('no hot statement reads more than its page, whatever the planner knew when it was planned', async () => {
  const organization = ids()
  const none = { event: randomUUID(), subject: randomUUID(), approval: randomUUID(), transaction: randomUUID() }
  const withoutCursors = Object.entries(hot(organization, none)).filter(([name]) => !name.includes('cursor'))
  await planOnAll(organization, Object.fromEntries(withoutCursors))
  await fill(organization, ROWS)
  const statements = hot(organization, await deepOf(organization.id))
  const excess: Record<string, object> = {}
  excess['planned for empty tables'] = await excessOf(organization, statements)
  await replan()
  excess['without statistics'] = await excessOf(organization, statements)
  await owner.unsafe(`vacuum analyze ${BIG.join(', ')}`)
  excess['by statistics of now'] = await excessOf(organization, statements)
  expect(excess).toEqual(Object.fromEntries(Object.keys(excess).map((known) => [known, {}])))
})
