/** The verdict on a chaos run, from the clients' knowledge, our rows and the partners' books. */
import { createHash } from 'node:crypto'
import { client } from '../../../temporal/client.ts'
import { processFaults } from '../../../db/processes/processes.ts'
import { extendEventChain } from '../../../services/webhooks/chain.ts'
import { batchesAreRight, rowsPaid } from './batches.ts'
import { billFaults } from './bills.ts'
import type { House } from './city.ts'
import type { Known, Story } from './clients.ts'
import { insistOn } from './havoc.ts'
import { owner } from '../database.ts'
import { AGREE, type Status, type Word, endOf } from '../payments/arrows.ts'
import { call } from '../processes.ts'
import { replayAll } from '../histories/replayed.ts'
import { until } from '../until.ts'

/** Faults in words; empty if all is well. */
type Faults = string[]

/** Possible ends of a payment, by intention. */
const ENDS: Readonly<Record<Story, readonly Status[]>> = {
  pay: ['succeeded'],
  short: ['awaiting_approval'],
  reject: ['cancelled'],
  withdraw: ['cancelled'],
  cancel: ['cancelled', 'succeeded'],
  fail: ['failed', 'succeeded'],
  hold: ['on_hold', 'succeeded'],
  reverse: ['reversed', 'succeeded'],
}

export async function verdict(url: string, houses: readonly House[], known: Known): Promise<Faults> {
  const checks = [
    () => endsAsAsked(known),
    () => batchesAreRight(known.batches),
    billFaults,
    agreesWithPartners,
    () => balancesAreRight(houses, known),
    systemIsRight,
    approvalsWereGiven,
    () => booksAreClean(url, houses),
    chainIsWhole,
    everythingRuns,
    everythingReplays,
    everythingIsSeen,
  ]
  const found = await Promise.all(checks.map((check) => insistOn(check)))
  return [...known.complaints, ...found.flat()]
}

/** Checks that known payments ended as intended, and that all others belong to batches. */
async function endsAsAsked({ payments }: Known): Promise<Faults> {
  const rows = await owner<{ id: string; status: Status }[]>`
    select id, status from payments where payment_batch_id is null`
  const status = new Map(rows.map((row) => [row.id, row.status]))
  const strangers = rows.length - payments.length
  return [
    ...(strangers === 0 ? [] : [`${strangers} payments more than clients know`]),
    ...payments.flatMap(({ id, rail, story }) => {
      const end = status.get(id)
      return end && ENDS[story].includes(end) ? [] : [`payment ${id} by ${rail}, ${story}: ended as ${end}`]
    }),
  ]
}

/** Checks that each payment has its one payout, of its partner and amount, and vice versa. */
async function agreesWithPartners(): Promise<Faults> {
  const rows = await owner<{ id: string; rail: string; status: Status; book: Word | null; same: boolean }[]>`
    select coalesce(p.id, b.id) as id, p.rail, p.status, b.status as book,
      b.id is null or coalesce(b.partner = connection_of(p.rail, p.connection)
        and b.amount::numeric = p.landing_amount and b.currency = p.landing_currency, false) as same
    from payments p full join sandbox_payouts b on b.id = p.id where p.rail is distinct from 'svc_id'
      and not (p.payment_batch_id is not null and p.status_detail = 'insufficient_funds' and b.id is null)`
  return rows.flatMap(({ id, rail, status, book, same }) => {
    if (!same) return [`payout ${id}: not what the payment by ${rail} is`]
    const ends = AGREE[book ?? 'unknown']
    return ends.includes(status) ? [] : [`payment ${id} is ${status}, its partner says ${book ?? 'nothing'}`]
  })
}

/** Millionths, which add up exactly. */
const micros = (amount: string): bigint => {
  const [whole = '0', parts = ''] = amount.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(parts.padEnd(6, '0').slice(0, 6))
}

/** Checks each organization's balances against its clients' answers. */
async function balancesAreRight(houses: readonly House[], known: Known): Promise<Faults> {
  const [ends, rows] = await Promise.all([
    owner`select id, status from payments union all select id, status from deposits`,
    owner`select organization_id, currency, kind, balance::text from ledger_accounts where kind in ('available', 'held')`,
  ])
  const statusOf = new Map(ends.map((row) => [row['id'], row['status'] as string]))
  const sums = new Map<string, bigint>()
  const add = (id: string, currency: string, kind: string, amount: bigint) => {
    const key = `${id} ${currency} ${kind}`
    sums.set(key, (sums.get(key) ?? 0n) + amount)
  }
  for (const { id, opening } of houses) {
    for (const [currency, amount] of Object.entries(opening)) add(id, currency, 'available', micros(amount))
  }
  for (const { id, house, rail, deducting, landing, currency } of known.payments) {
    const [status, gross, net] = [statusOf.get(id) ?? '', micros(deducting), micros(landing)]
    const gone = status === 'succeeded' || status === 'on_hold' ? gross : status === 'reversed' ? gross - net : 0n
    add(house.id, currency, 'available', -gone)
    if (status === 'on_hold') add(house.id, currency, 'held', gross)
    if (status === 'succeeded' && rail === 'svc_id') add(house.pays, 'USD', 'available', net)
  }
  for (const { batch, rail, amount, fee, status } of await rowsPaid(known.batches)) {
    if (status !== 'succeeded') continue
    add(batch.house.id, rail === 'fiat' ? 'EUR' : 'USD', 'available', -micros(amount) - micros(fee))
    if (rail === 'svc_id') add(batch.house.pays, 'USD', 'available', micros(amount))
  }
  for (const { id, house, amount, currency } of known.deposits) {
    if (statusOf.get(id) === 'credited') add(house.id, currency, 'available', micros(amount))
  }
  for (const { house, source, target } of known.swaps) {
    add(house.id, 'USD', 'available', -micros(source))
    add(house.id, 'EUR', 'available', micros(target))
  }
  return rows.flatMap((row) => {
    const key = `${row['organization_id']} ${row['currency']} ${row['kind']}`
    const [has, should] = [micros(row['balance']), sums.get(key) ?? 0n]
    return has === should ? [] : [`${key}: has ${has}, should have ${should} millionths`]
  })
}

/** Checks that all accounts sum to zero, and that ours at the partners equal theirs. */
async function systemIsRight(): Promise<Faults> {
  const rows = await owner<{ fault: string }[]>`
    with booked as (
      select a.kind, a.currency, sum(e.amount) as amount from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.kind ~ '^(bank|custody)(:|$)' group by 1, 2
    ), outside as (
      select case partner when 'bank' then 'bank' when 'custodian' then 'custody' else 'bank:' || partner end as kind, currency, sum(amount) as amount from (
        select partner, currency, amount::numeric from sandbox_payouts where status = 'settled'
        union all
        select partner, currency, -amount::numeric from sandbox_deposits where status = 'received'
      ) moved group by 1, 2
    )
    select 'the ledger in ' || a.currency || ' sums to ' || sum(e.amount) as fault
    from ledger_entries e join ledger_accounts a on a.id = e.account_id group by a.currency having sum(e.amount) <> 0
    union all
    select concat_ws(' ', coalesce(b.kind, o.kind), coalesce(b.currency, o.currency), 'has', b.amount, 'in the books and',
      o.amount, 'outside')
    from booked b full join outside o using (kind, currency)
    where coalesce(b.amount, 0) <> coalesce(o.amount, 0)
    union all
    select 'deposit ' || d.id || ' at the ' || d.partner || ' is booked ' || count(own.id) || ' times'
    from sandbox_deposits d left join deposits own
      on own.partner_deposit_id = d.id and connection_of(own.rail, own.connection) = d.partner
    group by d.partner, d.id having count(own.id) <> 1
    union all
    select coalesce(c.transfer_key || ' is ' || c.status, 'nothing is covered') || ', its trade ' || coalesce(t.id::text, 'is none')
    from covers c full join sandbox_trades t on t.id = c.trade_id
      and ((t.sell ->> 'amount')::numeric, t.sell ->> 'currency') = (c.sell_amount, c.sell_currency)
      and ((t.buy ->> 'amount')::numeric, t.buy ->> 'currency') = (c.buy_amount, c.buy_currency)
    where c.status is distinct from 'covered' or t.id is null
    union all
    select 'swap ' || s.id || ' has no cover' from swaps s where not exists (select from covers c where c.trade_id = s.id)
    union all
    select 'our own position in ' || a.currency || ' is ' || sum(e.amount)
    from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.kind = 'fx'
    group by a.currency having sum(e.amount) <> 0`
  return rows.map(({ fault }) => fault)
}

/** Checks that no money moved without every approval of the copied policy. */
async function approvalsWereGiven(): Promise<Faults> {
  const rows = await owner<{ fault: string }[]>`
    with taken as (
      select p.id, coalesce(p.approval_request_id, b.approval_request_id) as approval_request_id
      from payments p left join payment_batches b on b.id = p.payment_batch_id
      where exists (select from ledger_transfers t where t.key = 'payment:' || p.id || ':reserve')
        or exists (select from sandbox_payouts b where b.id = p.id)
        or p.status not in ('awaiting_approval', 'cancelled')
    ), given as (
      select d.approval_id, d.step, d.user_id from approval_decisions d join step_ups u on u.id = d.step_up_id
      where d.decision = 'approve' and u.status = 'consumed' and u.target like 'approval:' || d.approval_id || ':%'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)
    )
    select 'payment ' || t.id || ': step ' || s.position || ' of its policy was not met' as fault
    from taken t join approvals a on a.id = t.approval_request_id,
      jsonb_array_elements(a.policy::jsonb -> 'steps') with ordinality s (step, position)
    where (select count(distinct g.user_id) from given g where g.approval_id = a.id and g.step = s.position - 1)
      < (s.step ->> 'required')::int
    union all
    select 'payment ' || t.id || ': its approval is ' || coalesce(a.status, 'missing')
    from taken t left join approvals a on a.id = t.approval_request_id where a.status is distinct from 'approved'
    union all
    select 'payment ' || t.id || ': approved twice by one person' from taken t
    join given g on g.approval_id = t.approval_request_id group by t.id having count(*) > count(distinct g.user_id)
    union all
    select 'payment ' || t.id || ': approved by who asked' from taken t join approvals a on a.id = t.approval_request_id
    join given g on g.approval_id = a.id and g.user_id = a.requester_id
    where not (a.policy::jsonb ->> 'self_approval')::boolean`
  return rows.map(({ fault }) => fault)
}

async function booksAreClean(url: string, houses: readonly House[]): Promise<Faults> {
  const found = await Promise.all(
    houses.map(async ({ id, people }) => {
      const { body } = await call({ url }, 'GET', `/organizations/${id}/ledger/integrity`, { token: people[0].token })
      return body.ok === true ? [] : [`the books of ${id}: ${JSON.stringify(body.violations ?? body)}`]
    }),
  )
  return found.flat()
}

/** Checks the hash chain, and that each payment's events lead to its status. No event is there twice for one cause. */
async function chainIsWhole(): Promise<Faults> {
  await until('every event is chained', async () => {
    while ((await extendEventChain()) > 0);
    return (await unchained()).length === 0
  }).catch(() => {}) // the rest is reported below
  const rows = await owner<
    {
      organization: string
      seq: string
      hash: string
      canonical: string
      subject: string
      type: string
      stream: string
    }[]
  >`
    select c.organization_id as organization, c.seq, encode(c.hash, 'hex') as hash, e.subject_id as subject, e.type,
      e.stream, canonical_event(e, c.seq) as canonical
    from event_chain c join events e on e.id = c.event_id order by c.organization_id, c.seq`
  const faults: Faults = []
  const last = new Map<string, { seq: number; hash: string }>()
  const logs = new Map<string, string[]>()
  for (const { organization, seq, hash, canonical, subject, type, stream } of rows) {
    const before = last.get(organization) ?? { seq: 0, hash: '' }
    const right = createHash('sha256').update(Buffer.from(before.hash, 'hex')).update(canonical).digest('hex')
    if (Number(seq) !== before.seq + 1 || hash !== right) faults.push(`event ${seq} of ${organization} is not chained`)
    last.set(organization, { seq: Number(seq), hash })
    if (stream === 'payments') logs.set(subject, [...(logs.get(subject) ?? []), type])
  }
  const payments = await owner<{ id: string; status: Status; first: Status }[]>`
    select id, status, case when payment_batch_id is null then 'awaiting_approval' else 'submitted' end as first
    from payments`
  for (const { id, status, first } of payments) {
    const log = logs.get(id) ?? []
    if (endOf(log, first) !== status) faults.push(`payment ${id} is ${status}, its log says ${log.join(', ')}`)
  }
  const twice = await owner<{ fault: string }[]>`
    select 'event ' || e.type || ' twice of ' || e.subject_id as fault from events e
    group by e.subject_id, e.type, e.cause having count(*) > 1`
  return [...faults, ...[...twice, ...(await unchained())].map(({ fault }) => fault)]
}

/** Events without a place in a chain. */
const unchained = () => owner<{ fault: string }[]>`
  select 'event ' || e.id || ' is in no chain' as fault from events e
  where not exists (select from event_chain c where c.event_id = e.id)`

/** Checks that each unfinished row has its process, and that every change was looked at. */
async function everythingIsSeen(): Promise<Faults> {
  const unseen = () => owner<{ fault: string }[]>`
    select workflow || '-' || id || ' was not looked at: ' || why as fault
    from processes where unseen_since is not null`
  // the rest is reported below
  await until('all is looked at', async () => (await unseen()).length === 0).catch(() => {})
  const faults = await processFaults()
  return [...(await unseen()).map(({ fault }) => fault), ...faults.map(({ check, subject }) => `${check}: ${subject}`)]
}

/** Checks that every history on the server replays with the code that wrote it. */
const everythingReplays = async (): Promise<Faults> => (await replayAll()).faults

async function everythingRuns(): Promise<Faults> {
  const rows = await owner<{ workflow: string }[]>`
    select 'payment-' || id as workflow from payments
    where status not in ('succeeded', 'failed', 'reversed', 'cancelled')
    union all select 'payment-batch-' || id from payment_batches where status = 'awaiting_approval'
    union all select 'bill-' || id from bills where status = 'extracting'
    union all select 'deposit-' || id from deposits where status = 'held'`
  const found = await Promise.all(
    rows.map(async ({ workflow }) => {
      const run = await client.workflow
        .getHandle(workflow)
        .describe()
        .catch(() => undefined)
      return run?.status.name === 'RUNNING' ? [] : [`${workflow} is ${run?.status.name ?? 'unknown'}`]
    }),
  )
  return found.flat()
}
