/** The chaos run: clients, misbehaving partners, dying processes; then quiet, and the proof that nothing was lost. */
import { setTimeout as delay } from 'node:timers/promises'
import { MONEY_CONNECTIONS } from '../../../services/connections/connections.ts'
import { reconcile, reconcileWhole } from '../partners/reconcile.ts'
import { type House, city } from './city.ts'
import { type Known, type Town, carryOut, errandsFor } from './clients.ts'
import { type Havoc, type Service, insistOn, startService, workOff, wreak } from './havoc.ts'
import { numbersFrom } from './random.ts'
import { verdict } from './verdict.ts'
import { owner } from '../database.ts'
import { advance } from '../identity/identity.ts'
import type { Server } from '../processes.ts'

export type ChaosOptions = {
  readonly servers: { postgres: Server; temporal: Server }
  readonly apiPort: number
  readonly seed: number
  readonly payments: number
  readonly atOnce: number
  /** Interval and length of process deaths. */
  readonly killEveryMs: number
  readonly downMs: number
  /** Time limits of the clients, and of the quiet after them. */
  readonly clientsMs: number
  readonly quietMs: number
}

export type ChaosReport = { readonly faults: readonly string[]; readonly lines: readonly string[] }
const FAULT_EVERY_MS = 400

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const began = Date.now()
  const random = numbersFrom(options.seed)
  const houses = await city()
  const errands = errandsFor(houses, options.payments, random)
  const service = await startService(options.servers, options.apiPort)
  const known: Known = { payments: [], deposits: [], swaps: [], batches: [], complaints: [], repeats: 0 }
  const overdue = Date.now() + options.clientsMs
  const town: Town = { url: () => service.url, deadline: () => overdue, known }
  let carriedOut = false
  const pace = { faultEveryMs: FAULT_EVERY_MS, killEveryMs: options.killEveryMs, downMs: options.downMs }
  const [havoc] = await Promise.all([
    wreak(service, numbersFrom(options.seed + 1), pace, () => carriedOut),
    carryOut(town, errands, options.atOnce).finally(() => (carriedOut = true)),
  ])
  const stormMs = Date.now() - began
  const unquiet = await becomeQuiet(options.quietMs)
  const faults = [...unquiet, ...(await verdict(service.url, houses, known)), ...bugsOf(service)]
  const times = { storm: stormMs, whole: Date.now() - began }
  return { faults, lines: await tell({ options, houses, known, havoc, times, faults }) }
}

const bugsOf = (service: Service) => service.bugs().map((bug) => `a bug was logged: ${bug}`)

/**
 * Waits, with everything up and partners that behave, until nothing moves. Returns with a lost callback are found only
 * by the reconciliation with the partner, after a while.
 */
async function becomeQuiet(patienceMs: number): Promise<string[]> {
  const deadline = Date.now() + patienceMs
  let passed = false
  const round = async (): Promise<string[]> => {
    await workOff()
    await reconcile()
    await untilSeen()
    const moving = await stillMoving()
    if (moving.length === 0 && passed) return reconcilePartners()
    if (passed || moving.some((what) => !what.includes(BY_RECONCILIATION))) return moving
    await reconcilePartners()
    await advance(RECONCILED_AFTER_SECONDS)
    await reconcilePartners()
    passed = true
    return [NOT_YET]
  }
  for (;;) {
    const moving = await round().catch((error: unknown) => [String(error)]) // goes on, as the reconciler does
    if (moving.length === 0 || Date.now() > deadline) return moving
  }
}

const SEEN_MS = 30_000
const SEEN_PAUSE_MS = 100

/** Waits for the looks of all signalled rows: signals before that would keep many of them unseen. */
async function untilSeen(): Promise<void> {
  const deadline = Date.now() + SEEN_MS
  const unseen = () => owner`select from processes where told > 0 limit 1`
  while ((await unseen()).length > 0 && Date.now() < deadline) await delay(SEEN_PAUSE_MS)
}

const BY_RECONCILIATION = 'which is to be found by the reconciliation'
const NOT_YET = 'everything is looked at once more'

/** Age of a difference to a partner until it counts. */
const RECONCILED_AFTER_SECONDS = 660

/** Compares our books with the partners' lists, as the schedule does; returns the differences. */
async function reconcilePartners(): Promise<string[]> {
  const found = await Promise.all(MONEY_CONNECTIONS.map(({ name }) => reconcileWhole(name)))
  return found.flatMap(({ differences }, index) =>
    differences > 0 ? [`the ${MONEY_CONNECTIONS[index]?.name} differs from us in ${differences} records`] : [],
  )
}

/** Rows without a final status; `on_hold` counts as final only while the partner holds the payment. */
async function stillMoving(): Promise<string[]> {
  const rows = await owner<{ what: string }[]>`
    select concat_ws(' ', 'payment', p.id, 'by', p.rail, 'is still', p.status, 'and the partner says', b.status) as what
    from payments p left join sandbox_payouts b on b.id = p.id
    where p.status in ('submitted', 'processing', 'cancelling')
      or p.status = 'on_hold' and b.status is distinct from 'on_hold'
    union all select 'payment ' || p.id || ' was sent back, which is to be found by the reconciliation'
    from payments p join sandbox_payouts b on b.id = p.id where p.status = 'succeeded' and b.status = 'returned'
    union all select 'batch ' || b.id || ' is still ' || b.status from payment_batches b
    where b.status in ('importing', 'processing', 'cancelling')
    union all select 'bill ' || b.id || ' is still ' || b.status from bills b where b.status = 'extracting'
    union all select c.transfer_key || ' is not covered' from covers c where c.status = 'open'
    union all select 'a callback of the ' || c.partner || ' is not handled' from partner_callbacks c
    where c.handled_at is null
    union all select 'the ' || c.partner || ' has not called back about ' || c.subject_id from sandbox_callbacks c
    union all select 'the ' || d.partner || ' has a deposit that nobody booked: ' || d.id from sandbox_deposits d
    where not exists (select from deposits o where o.partner_deposit_id = d.id)`
  return rows.map(({ what }) => what)
}

type Telling = {
  options: ChaosOptions
  houses: readonly House[]
  known: Known
  havoc: Havoc
  times: { storm: number; whole: number }
  faults: readonly string[]
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

async function tell({ options, known, havoc, times, faults }: Telling): Promise<string[]> {
  const ends = await insistOn(
    () => owner<{ what: string; count: number }[]>`
      select concat_ws(' ', rail, connection, status, case when bill_id is not null then 'of a bill' end) as what,
        count(*)::int as count from payments group by 1 order by 1`,
  )
  return [
    `seed: ${options.seed} (CHAOS_SEED=${options.seed} does the same again)`,
    `asked for: ${known.payments.length} payments, ${known.deposits.length} deposits, ${known.swaps.length} swaps,` +
      ` ${known.batches.length} batches of ${known.batches.flatMap(({ rows }) => rows).length} rows;` +
      ` ${known.repeats} calls were repeated`,
    `killed: ${counted(havoc.kills)}`,
    `partners' faults: ${counted(havoc.faults)}`,
    `payments: ${counted(Object.fromEntries(ends.map(({ what, count }) => [what, count])))}`,
    `took: ${Math.round(times.storm / 1000)} s of storm, ${Math.round(times.whole / 1000)} s in all`,
    `verdict: ${faults.length === 0 ? 'good' : `bad, ${faults.length} faults`}`,
    ...faults.map((fault) => `  ${fault}`),
  ]
}
