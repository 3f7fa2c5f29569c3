/** Batches in a chaos run: clients import, submit, approve and stop them; and the final checks. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type BatchStatus, batchFlow } from '../../../domain/batches/flow.ts'
import type { Answer, Call, TestPerson } from '../api.ts'
import { IBAN } from '../batches/batches.ts'
import type { House } from './city.ts'
import { HEADER, TERMS } from '../batches/imports.ts'
import { owner } from '../database.ts'

type Random = (limit: number) => number
/** Intended ends of a batch; a `short` one gets fewer approvals than its policy asks for. */
const STORIES = ['pay', 'stop', 'short', 'reject', 'withdraw', 'again'] as const
export type BatchStory = (typeof STORIES)[number]

/** A row, by service ID or by bank; a `poor` one exceeds the payer's money. */
type ChaosRow = { readonly rail: 'svc_id' | 'fiat'; readonly amount: string; readonly poor: boolean }
export type BatchErrand = { kind: 'batch'; house: House; story: BatchStory; by: TestPerson; rows: readonly ChaosRow[] }
/** The client's knowledge of a batch, and the quoted costs of its rows by bank. */
export type KnownBatch = Omit<BatchErrand, 'kind' | 'by'> & { readonly id: string; readonly fee: string }

const ROWS_MAX = 12
const POOR = '900000.00'

/** A batch of a few rows, or of more than one page. */
export function batchErrand(house: House, by: TestPerson, random: Random): BatchErrand {
  const story = STORIES[random(12)] ?? 'pay'
  const filler = random(6) === 0 ? 499 : 0
  const rows = Array.from({ length: filler + 2 + random(ROWS_MAX) }, (_, index): ChaosRow => {
    if (index < filler) return { rail: 'svc_id', amount: '0.01', poor: false }
    const poor = random(12) === 0
    return {
      rail: random(2) === 0 ? 'fiat' : 'svc_id',
      amount: poor ? POOR : `${1 + random(20)}.${10 + random(90)}`,
      poor,
    }
  })
  return { kind: 'batch', house, story, by, rows }
}

/** Functions that send calls until their final answer, checked or unchecked. */
export type Sending = {
  readonly insist: (method: string, path: string, given: Call) => Promise<Answer>
  readonly must: (expected: number, method: string, path: string, given: Call) => Promise<any>
  readonly put: (url: string, headers: Record<string, string>, body: string) => Promise<number>
  readonly approve: (
    by: TestPerson,
    target: { id: string; organization_id: string; approval_request_id: string },
  ) => Promise<void>
  readonly known: (batch: KnownBatch) => void
}

const PAUSE_MS = 100
const csvOf = (handle: string, rows: readonly ChaosRow[]): string =>
  [
    HEADER,
    ...rows.map(({ rail, amount }) =>
      rail === 'fiat' ? `,,Jane Doe,${IBAN},${amount},EUR,${TERMS}` : `${handle},,,,${amount},USD,${TERMS}`,
    ),
  ].join('\n')

/** Leads a batch from its file to its end. A refused repeat may have been done before: then its state is read. */
export async function payBatch(sending: Sending, errand: BatchErrand): Promise<void> {
  const { must } = sending
  const { house, story, by, rows } = errand
  const { token } = by
  const body = { name: 'Pay of June' }
  const path = `/organizations/${house.id}/payment-batches`
  const made = await must(201, 'POST', path, { token, key: randomUUID(), body })
  await fill(sending, errand, made.id)
  const batch = await submitted(sending, by, made.id)
  const [fees] = batch.fees as { amount: string }[]
  const byBank = rows.filter(({ rail }) => rail === 'fiat').length
  const fee = fees ? (Number(fees.amount) / byBank).toFixed(2) : '0'
  sending.known({ id: batch.id, house, story, rows, fee })
  await end(sending, errand, batch)
}

async function fill(sending: Sending, { house, by, rows }: BatchErrand, id: string): Promise<void> {
  const { token } = by
  const file = csvOf(house.paysHandle, rows)
  const path = `/payment-batches/${id}`
  const slot = await sending.must(201, 'POST', `${path}/upload`, {
    token,
    key: randomUUID(),
    body: { byte_size: Buffer.byteLength(file), content_type: 'text/csv', filename: 'pay.csv' },
  })
  const sent = await sending.put(slot.upload_url, slot.headers, file)
  if (sent !== 200) throw new Error(`upload: ${sent}`)
  const asked = await sending.insist('POST', `${path}/import`, { token, body: { file_id: slot.id } })
  if (asked.status !== 202 && asked.body.error.type !== 'batch_not_draft') {
    throw new Error(`import: ${JSON.stringify(asked.body)}`)
  }
}

/** Repeats until the batch is submitted, which has to wait for its import. */
async function submitted({ insist, must }: Sending, { token }: TestPerson, id: string): Promise<any> {
  for (;;) {
    const answer = await insist('POST', `/payment-batches/${id}/submit`, { token, body: {} })
    if (answer.status === 200) return answer.body
    if (answer.body.error.type !== 'batch_not_draft') throw new Error(`submit: ${JSON.stringify(answer.body)}`)
    const batch = await must(200, 'GET', `/payment-batches/${id}`, { token })
    if (batch.status === 'awaiting_approval') return batch
    await delay(PAUSE_MS)
  }
}

async function end(sending: Sending, { house, story, by }: BatchErrand, batch: any): Promise<void> {
  const { insist, must, approve } = sending
  const { token } = by
  const stop = async () => {
    const answer = await insist('POST', `/payment-batches/${batch.id}/cancel`, { token })
    if (answer.status !== 200 && answer.body.error.type !== 'invalid_state') {
      throw new Error(`cancel: ${JSON.stringify(answer.body)}`)
    }
  }
  const reject = () =>
    must(200, 'POST', `/organizations/${house.id}/approvals/${batch.approval_request_id}/reject`, {
      token: (house.approvers[0] ?? by).token,
      key: randomUUID(),
      body: {},
    })
  if (story === 'withdraw') return stop()
  if (story === 'reject') return void (await reject())
  let waiting = batch
  if (story === 'again') {
    await reject()
    waiting = await submitted(sending, by, batch.id)
  }
  const approvers = story === 'short' ? house.approvers.slice(0, -1) : house.approvers
  for (const one of approvers) await approve(one, waiting)
  if (story === 'stop') await Promise.all([stop(), stop()])
}

const ENDS: Readonly<Record<BatchStory, readonly BatchStatus[]>> = {
  pay: ['completed'],
  again: ['completed'],
  stop: ['completed', 'partially_completed', 'cancelled'],
  short: ['awaiting_approval'],
  reject: ['draft'],
  withdraw: ['cancelled'],
}

function endsOf({ story, rows }: KnownBatch): readonly BatchStatus[] {
  const poor = rows.filter((row) => row.poor).length
  if (poor === 0 || !ENDS[story].includes('completed')) return ENDS[story]
  const ended: BatchStatus = poor === rows.length ? 'failed' : 'partially_completed'
  return story === 'stop' ? ['cancelled', ended, 'partially_completed', 'failed'] : [ended]
}

export type PaidRow = { batch: KnownBatch; rail: ChaosRow['rail']; amount: string; fee: string; status: string | null }

/** Rows known to clients, each with the end of its payment. */
export async function rowsPaid(batches: readonly KnownBatch[]): Promise<PaidRow[]> {
  const rows = await owner<{ batch: string; number: number; status: string | null }[]>`
    select r.payment_batch_id as batch, r.row_number as number, p.status from payment_batch_rows r
    left join payments p on p.id = r.payment_id`
  const statuses = new Map(rows.map(({ batch, number, status }) => [`${batch} ${number}`, status]))
  return batches.flatMap((batch) =>
    batch.rows.map(({ rail, amount }, index) => {
      const status = statuses.get(`${batch.id} ${index + 1}`) ?? null
      return { batch, rail, amount, fee: rail === 'fiat' ? batch.fee : '0', status }
    }),
  )
}

/** Checks each batch's end and counters, and that its rows were paid at most once. */
export async function batchesAreRight(batches: readonly KnownBatch[]): Promise<string[]> {
  const found = await owner<{ id: string; status: BatchStatus; log: string[] }[]>`
    select id, status, (select coalesce(array_agg(e.type order by e.occurred_at, e.id), '{}') from events e
      where e.subject_id = b.id and e.stream = 'payment_batches') as log from payment_batches b`
  const byId = new Map(found.map((batch) => [batch.id, batch]))
  const ends = batches.flatMap((batch) => {
    const now = byId.get(batch.id)
    return now && endsOf(batch).includes(now.status)
      ? []
      : [`batch ${batch.id}, ${batch.story}: ended as ${now?.status}`]
  })
  const paid = (await rowsPaid(batches)).flatMap(({ batch, rail, amount, status }) => {
    if (!['pay', 'again'].includes(batch.story)) return []
    const wanted = amount === POOR ? 'failed' : 'succeeded'
    return status === wanted ? [] : [`batch ${batch.id}: a row by ${rail} of ${amount} is ${status}`]
  })
  const logs = found.flatMap(({ id, status, log }) => {
    const end = endOfLog(log)
    return end === status ? [] : [`batch ${id} is ${status}, its log says ${log.join(', ')}`]
  })
  return [...ends, ...paid, ...logs, ...(await rowFaults())]
}

/** The status that a batch's log leads to; undefined if the log takes an undefined arrow. */
function endOfLog([first, ...rest]: readonly string[]): BatchStatus | undefined {
  let at: BatchStatus | undefined = first === 'payment_batch.created' ? 'draft' : undefined
  const arrows = Object.values(batchFlow.events)
  for (const type of rest) {
    at = arrows.find(({ logs, from }) => `payment_batch.${logs}` === type && at && (from as string[]).includes(at))?.to
  }
  return at
}

async function rowFaults(): Promise<string[]> {
  const rows = await owner<{ fault: string }[]>`
    select 'payment ' || p.id || ' of a batch pays ' || count(r.id) || ' rows' as fault
    from payments p left join payment_batch_rows r on r.payment_id = p.id and r.payment_batch_id = p.payment_batch_id
      and r.amount = p.landing_amount and r.currency = p.landing_currency
    where p.payment_batch_id is not null group by p.id having count(r.id) <> 1
    union all
    select 'row ' || r.row_number || ' of batch ' || b.id || ' is ' || r.status || ', has ' ||
      coalesce('the payment ' || r.payment_id, 'no payment') || ', and the batch is ' || b.status
    from payment_batch_rows r join payment_batches b on b.id = r.payment_batch_id
    where case when b.status in ('draft', 'awaiting_approval') then r.payment_id is not null
      else (r.status = 'valid') is distinct from (r.payment_id is not null) end
    union all
    select 'batch ' || b.id || ' says it paid ' || b.rows_succeeded || ' and ' || b.rows_failed || ' rows'
    from payment_batches b
    where b.rows_succeeded is not null and (b.rows_succeeded, b.rows_failed) <> (
      select count(*) filter (where p.status = 'succeeded'), count(*) filter (where p.status <> 'succeeded')
      from payments p where p.payment_batch_id = b.id)`
  return rows.map(({ fault }) => fault)
}
