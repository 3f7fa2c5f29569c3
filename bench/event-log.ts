/** Log of a million events: chain, verification, and a page by each filter. */
import { rechainEvents } from '../services/events.ts'
import { line, median, read, timeOf } from './measure.ts'
import { insertOwned, owner } from './owner.ts'

const ROWS = Number(process.env['BENCH_LOG_ROWS'] ?? 1_000_000)
const TRIES = 15
const PAGE_P50_MS = 20

export async function benchEventLog(apiUrl: string): Promise<void> {
  const { organizationId, token } = await insertOwned('Log')
  await fill(organizationId)
  const chained = (await timeOf(rechainEvents)) / 1000
  line('events chained a second', ROWS / chained, `${ROWS} events`, { atLeast: 1000 })
  await owner`vacuum analyze events, event_chain`
  const log = `${apiUrl}/api/v1/organizations/${organizationId}/events`
  const headers = { authorization: `Bearer ${token}` }
  const filters = Object.entries(await filtersOf(organizationId))
  for (const order of ['asc', 'desc']) {
    const p50s: { name: string; ms: number }[] = []
    for (const [name, query] of filters) {
      const times: number[] = []
      for (let i = 0; i < TRIES; i += 1) times.push(await timeOf(() => read(`${log}?order=${order}${query}`, headers)))
      p50s.push({ name, ms: median(times) })
    }
    const slowest = p50s.toSorted((one, other) => other.ms - one.ms)[0] ?? { name: 'nothing', ms: 0 }
    const note = `ms by ${slowest.name}, of ${p50s.length} ways`
    line(`a page of the log, ${order}, p50`, slowest.ms, note, { atMost: PAGE_P50_MS })
  }
  const seconds = (await timeOf(() => read(`${log}/verify`, headers))) / 1000
  line('log verified', seconds, 's for 100,000 events', { atMost: 5 })
}

/** Inserts two years of events: thirty types, five events a subject, some out of order. */
async function fill(organizationId: string): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'` // no foreign keys are checked, no triggers run
    await tx`
      insert into events (organization_id, stream, subject_id, type, actor_kind, cause, payload, occurred_at, xact)
      select ${organizationId}, (array['payments', 'payments', 'approvals', 'deposits'])[1 + n % 4],
        md5((n / 5)::text)::uuid, (array['payment.created', 'payment.settled', 'approval.approved', 'deposit.credited'])[1 + n % 4],
        'user', 'request:' || n, '{"amount":{"amount":"10.00","currency":"USD"}}',
        now() - (${ROWS} - n) * interval '1 minute' - random() * interval '3 seconds', (1 + n / 2000)::text::xid8
      from generate_series(1, ${ROWS}::int) n`
  })
}

async function filtersOf(organizationId: string): Promise<Record<string, string>> {
  const [middle] = await owner<{ event_id: string; subject_id: string; from: string; to: string }[]>`
    select event_id, subject_id, to_char(occurred_at - interval '30 days', 'YYYY-MM-DD') as from,
      to_char(occurred_at + interval '30 days', 'YYYY-MM-DD') as to
    from event_chain where organization_id = ${organizationId} and seq = ${Math.floor(ROWS / 2)}`
  if (!middle) throw new Error('the log was not chained')
  const single: [string, string][] = [
    ['type', '&type=deposit.credited'],
    ['types', '&type=payment.created&type=approval.approved&type=payment.failed'],
    ['stream', '&stream=approvals'],
    ['subject_id', `&subject_id=${middle.subject_id}`],
    ['from', `&from=${middle.from}`],
    ['to', `&to=${middle.to}`],
    ['cursor', `&cursor=${middle.event_id}`],
  ]
  const pairs = single.flatMap(([one, first], index) =>
    single.slice(index + 1).map(([other, second]) => [`${one} and ${other}`, first + second] as const),
  )
  return Object.fromEntries([['nothing', ''], ...single, ...pairs])
}
