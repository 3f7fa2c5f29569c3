/** G2 and G3: postings and whole settlements, against one-row commits and each other. */
import { randomUUID } from 'node:crypto'
import { v5 } from 'uuid'
import { available, credit, debit, post, system } from '../services/ledger/ledger.ts'
import type { OrganizationId, PaymentId } from '../domain/ids.ts'
import { type PaymentToSettle, settle } from '../services/payouts/settlement.ts'
import { type Tx, asSystem, sql } from '../db/postgres/sql.ts'
import { against, compare, itemAt, line, run } from './measure.ts'
import { owner } from './owner.ts'
import type { Round } from './turns.ts'

const ORGANIZATIONS = 5000 // two accounts each: 10,000 accounts
const LANES = 8
const POSTINGS = 1500
const SETTLEMENTS = 600
const PAGE = 500
const usd = { amount: '1.00', currency: 'USD' }

/** Measures postings through post() against one-row inserts by the same pool. */
export async function benchPostings(ids: readonly OrganizationId[], rounds: number): Promise<void> {
  await owner`create table if not exists bench_rows (id uuid primary key, value text)`
  await owner`grant insert on bench_rows to business_finance_app`
  const inserts = () => run(POSTINGS, LANES, () => sql`insert into bench_rows values (${randomUUID()}, 'x')`)
  const name = 'G2 postings ÷ one-row inserts'
  const result = await compare(name, rounds, () => postBetween(ids), inserts)
  line(name, result.rate, rates(result))
}

/** Posts between any two of the organizations, through post(). */
export function postBetween(ids: readonly OrganizationId[], count = POSTINGS): Promise<Round> {
  const any = () => itemAt(ids, Math.floor(Math.random() * ids.length))
  return run(count, LANES, async () => {
    const [from, to] = [any(), any()]
    if (from === to) return
    await asSystem(from, (tx) =>
      post(tx, [
        { key: randomUUID(), organizationId: from, legs: [debit(available(from), usd), credit(available(to), usd)] },
      ]),
    )
  })
}

export async function benchSettlements(ids: readonly OrganizationId[], rounds: number): Promise<void> {
  const hot = itemAt(ids, 0)
  const settleFrom = (source: (index: number) => OrganizationId) => settleSingly(SETTLEMENTS, ids, source)
  const [singly, paged] = ['G3 hot source ÷ spread, singly', 'G3 pages of 500 ÷ hot, singly']
  const result = await compare(
    singly,
    rounds,
    () => settleFrom(() => hot),
    () => settleFrom((index) => itemAt(ids.slice(1), index)),
  )
  line(singly, result.rate, rates(result), { atLeast: 0.5 })
  const pages = await compare(
    paged,
    rounds,
    async () => {
      const payments = await insertWaiting(PAGE * 2, ids, () => hot)
      const begun = performance.now()
      for (let start = 0; start < payments.length; start += PAGE) {
        const page = payments.slice(start, start + PAGE).map((payment) => payment.id)
        await asSystem(hot, (tx) => settleAll(tx, page))
      }
      const seconds = (performance.now() - begun) / 1000
      return { rate: payments.length / seconds, p50Ms: seconds * 1000, count: payments.length }
    },
    () => settleFrom(() => hot),
  )
  line(paged, pages.rate, rates(pages), { atLeast: 3 })
}

/** Settles payments one by one. A worker that runs beside it takes none of them up if no run is woken. */
export async function settleSingly(
  count: number,
  ids: readonly OrganizationId[],
  source: (index: number) => OrganizationId,
  { wakes = true } = {},
): Promise<Round> {
  const payments = await insertWaiting(count, ids, source)
  return run(count, LANES, (index) => {
    const payment = itemAt(payments, index)
    return asSystem(payment.organizationId, (tx) => settleAll(tx, [payment.id], wakes))
  })
}

/** Settles payments as their approval does. */
async function settleAll(tx: Tx, ids: readonly PaymentId[], wakes = true): Promise<void> {
  const payments = await tx<PaymentToSettle[]>`
    select id, payee_organization_id as payee, true as payee_can_receive, deducting_amount as amount,
      deducting_currency as currency
    from payments where id = any (${[...ids]}) order by id for update`
  await settle(tx, payments, { submits: true, wakes })
}

type Rates = { readonly a: { readonly rate: number }; readonly b: { readonly rate: number } }

const rates = ({ a, b }: Rates) => against(a.rate, b.rate, '/s', 0)

export async function fundOrganizations(count = ORGANIZATIONS): Promise<OrganizationId[]> {
  const userId = randomUUID()
  await owner`insert into people (id, email, password_hash) values (${userId}, ${`${userId}@example.com`}, '')`
  const rows = await owner<{ id: OrganizationId }[]>`
    insert into organizations (id, name, created_by)
    select gen_random_uuid(), 'Bench ' || n, ${userId} from generate_series(1, ${count}) n returning id`
  await owner`insert into members (organization_id, user_id, role) select id, ${userId}, 'owner' from organizations
    where created_by = ${userId}`
  await owner`insert into payment_contacts (id, organization_id, name, type, created_by)
    select gen_random_uuid(), id, 'Payee', 'business', ${userId} from organizations where created_by = ${userId}`
  const ids = rows.map((row) => row.id)
  for (let start = 0; start < ids.length; start += PAGE) {
    const page = ids.slice(start, start + PAGE)
    await asSystem(itemAt(page, 0), (tx) =>
      post(
        tx,
        page.map((id) => ({
          key: `bench:${id}`,
          organizationId: id,
          legs: [
            debit(system('bank'), { amount: '1000000.00', currency: 'USD' }),
            credit(available(id), { amount: '1000000.00', currency: 'USD' }),
          ],
        })),
      ),
    )
  }
  return ids
}

type WaitingPayment = { id: PaymentId; organizationId: OrganizationId }

/** Inserts payments that wait for approval, ready to settle. */
async function insertWaiting(
  count: number,
  ids: readonly OrganizationId[],
  source: (index: number) => OrganizationId,
): Promise<WaitingPayment[]> {
  const payments = Array.from({ length: count }, (_, index) => ({
    id: v5(`${index}`, randomUUID()) as PaymentId, // a uuid that this bench inserts as a payment
    organizationId: source(index),
    payee: itemAt(ids, ids.length - 1 - (index % 1000)),
  }))
  await owner`
    with made as (
      select * from unnest(${payments.map((p) => p.id)}::uuid[], ${payments.map((p) => p.organizationId)}::uuid[],
        ${payments.map((p) => p.payee)}::uuid[]) p (id, organization_id, payee)
    ), destinations as (
      insert into payment_destinations (id, organization_id, payment_contact_id, type, svc_id, payee_organization_id,
        currency, fingerprint, created_by)
      select made.id, made.organization_id, c.id, 'svc_id', 'bench', made.payee, 'USD', '', c.created_by
      from made join payment_contacts c on c.organization_id = made.organization_id and not c.one_time
    )
    insert into payments (id, organization_id, payment_contact_id, destination_id, destination_name,
      payee_organization_id, event_id, rail, status, status_detail, deducting_amount, deducting_currency, landing_amount,
      landing_currency, payout_reason, statement_description, created_by)
    select made.id, made.organization_id, c.id, made.id, 'Payee', made.payee, made.id, 'svc_id', 'awaiting_approval', 'awaiting approval',
      1.00, 'USD', 1.00, 'USD', 'services', 'Bench', c.created_by
    from made join payment_contacts c on c.organization_id = made.organization_id and not c.one_time`
  return payments
}
