/**
 * Hot calls beside 10⁵ payments and beside more: `SCALE=1000000 npm run bench scale`. Sizes of tables, time of vacuum and
 * of the audit. By hand: it takes minutes for each million.
 */
import { line, quantile, timeOf } from '../measure.ts'
import { owner, proveBooks } from '../owner.ts'
import { type Payer, makePayers, onePayment, provePayers } from '../payments.ts'
import { insertClones, readTemplate } from './clones.ts'

const SMALL = 100_000
const LARGE = Number(process.env['SCALE'] ?? 1_000_000)
const PAYERS = 20
const CALLS = 300
/** Payments that wait for approval before the first measurement: more than a page, as the measurements make more. */
const WAITING = 100
const TIMES_MAX = 2

type Calls = Readonly<Record<string, () => Promise<unknown>>>

export async function benchScale(apiUrl: string): Promise<void> {
  const payers = await makePayers(apiUrl, PAYERS)
  const templates: Awaited<ReturnType<typeof readTemplate>>[] = []
  for (const payer of payers) {
    await onePayment(payer)
    const { data } = await payer.call('GET', `/organizations/${payer.organizationId}/payments?limit=1`)
    templates.push(await readTemplate(data[0].id))
  }
  const grow = async (count: number) => {
    for (const template of templates) await insertClones(template, Math.round(count / PAYERS))
    await owner`vacuum analyze`
    await owner`checkpoint` // else it would run during a measurement
  }
  const [first] = payers
  if (!first) throw new Error('the bench has no payers')
  for (let count = 0; count < WAITING; count += 1) await makePayment(first) // as many wait in both measurements
  console.log(`     ${SMALL} payments in ${seconds(await timeOf(() => grow(SMALL)))}`)
  const small = await measure(await callsOf(first))
  console.log(`     ${LARGE} payments in ${seconds(await timeOf(() => grow(LARGE - SMALL)))}`)
  const large = await measure(await callsOf(first))
  for (const [name, { p50, p99 }] of Object.entries(large)) {
    const before = small[name] ?? { p50: 0, p99: 0 }
    const note = `p99 ${p99.toFixed(1)} against ${before.p99.toFixed(1)} ms, p50 ${p50.toFixed(1)} against ${before.p50.toFixed(1)}`
    line(name, p99 / before.p99, note, { atMost: TIMES_MAX })
  }
  await reportSizes()
  const at = `/organizations/${first.organizationId}`
  const each = LARGE / PAYERS
  const books = await timeOf(() => provePayers([first]))
  console.log(`     books of ${each} payments proved in ${seconds(books)}`)
  const log = await timeOf(() => requireProof(first.call('GET', `${at}/events/verify`)))
  console.log(`     first page of their log verified in ${seconds(log)}`)
  console.log(`     books of all proved in ${seconds(await timeOf(proveBooks))}`)
  console.log(`     vacuum of all in ${seconds(await timeOf(async () => void (await owner`vacuum`)))}`)
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

async function requireProof(asked: Promise<{ readonly ok: boolean }>): Promise<void> {
  if (!(await asked).ok) throw new Error('books or log are wrong')
}

/** Builds the hot calls of a payer in the middle of its history. */
async function callsOf(payer: Payer): Promise<Calls> {
  const { call, organizationId } = payer
  const at = `/organizations/${organizationId}`
  const [middle] = await owner<{ id: string; approval_request_id: string }[]>`
    select id, approval_request_id from payments where organization_id = ${organizationId}
    order by inserted_at offset (select count(*) / 2 from payments where organization_id = ${organizationId}) limit 1`
  const [event] = await owner<{ id: string }[]>`
    select event_id as id from event_chain where organization_id = ${organizationId} and seq = (
      select max(seq) / 2 from event_chain where organization_id = ${organizationId})`
  if (!middle || !event) throw new Error('the payer has no history')
  return {
    'a payment': () => call('GET', `/payments/${middle.id}`),
    'its events': () => call('GET', `/payments/${middle.id}/events`),
    'payments, first page': () => call('GET', `${at}/payments?limit=50`),
    'payments, a page in the middle': () => call('GET', `${at}/payments?limit=50&cursor=${middle.id}`),
    'transactions, first page': () => call('GET', `${at}/transactions?limit=50`),
    'approvals that wait': () => call('GET', `${at}/approvals?limit=50`),
    'approvals that are decided': () => call('GET', `${at}/approvals?limit=50&status=approved`),
    'events, a page in the middle': () => call('GET', `${at}/events?limit=100&cursor=${event.id}`),
    'what needs attention': () => call('GET', `${at}/attention`),
    balances: () => call('GET', `${at}/balances`),
    'a payment that is made': () => makePayment(payer),
    'a payment that is made, approved and read': () => onePayment(payer),
  }
}

/** Makes a payment that waits for approval. */
const makePayment = ({ call, contactId }: Payer): Promise<unknown> =>
  call('POST', '/payments', {
    amount: { amount: '1.00', currency: 'USD' },
    payment_contact_id: contactId,
    payout_reason: 'services',
    statement_description: 'Bench',
  })

async function measure(calls: Calls): Promise<Record<string, { p50: number; p99: number }>> {
  const found: Record<string, { p50: number; p99: number }> = {}
  for (const [name, work] of Object.entries(calls)) {
    for (let warm = 0; warm < 20; warm += 1) await work()
    const times: number[] = []
    for (let count = 0; count < CALLS; count += 1) {
      const begun = performance.now()
      const aside = await work()
      times.push(performance.now() - begun - (typeof aside === 'number' ? aside : 0))
    }
    found[name] = { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
  }
  return found
}

/** Prints the largest tables with their indexes. */
async function reportSizes(): Promise<void> {
  const tables = await owner<{ name: string; rows: string; heap: string; indexes: string }[]>`
    select relname as name, reltuples::bigint as rows, pg_size_pretty(pg_table_size(oid)) as heap,
      pg_size_pretty(pg_indexes_size(oid)) as indexes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by pg_total_relation_size(oid) desc limit 8`
  for (const { name, rows, heap, indexes } of tables)
    console.log(`     ${name.padEnd(24)}${rows.padStart(11)} rows ${heap.padStart(9)}, indexes ${indexes}`)
}
