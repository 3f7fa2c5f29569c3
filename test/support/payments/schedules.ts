/** Payments on a date: the days that count, and business time moved to the hours of a day. */
import { type TestPerson, api, approve } from '../api.ts'
import { draftOf, submit } from '../batches/batches.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'
import { executed, quoteOf } from './quotes.ts'
import { CURRENCY, type payerBy } from './payouts.ts'
import { daysAfter } from '../../../domain/instants.ts'
import { rollDay } from '../../../domain/payments/business-days.ts'

/** Reads business time. */
export const businessNow = async (): Promise<string> => (await api('GET', '/sandbox/clock')).body.now

/** Finds the first business day of euros and dollars at least `days` days ahead, in UTC. */
export async function businessDay(days = 2): Promise<string> {
  const now = await businessNow()
  return rollDay(daysAfter(now.slice(0, 10), days), 'following', [{ rail: 'fiat', currencies: ['EUR', 'USD'] }])
}

/** Moves business time forward to an instant, which is in the future. */
export async function moveTo(instant: string): Promise<void> {
  const seconds = Math.ceil((Date.parse(instant) - Date.parse(await businessNow())) / 1000)
  if (seconds < 1) throw new Error(`${instant} is past`)
  const { status, body } = await api('POST', '/sandbox/clock/advance', { body: { seconds } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
}

/** Moves business time to an hour of a day in UTC. */
export const moveToHour = (day: string, hour: number): Promise<void> =>
  moveTo(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)

export type Dated = Awaited<ReturnType<typeof payerBy>>

/** Waits until a try of a payment was refused; answers its tries, of which the next is at this hour. */
export const putOff = (payment: { id: string }, hour: number) =>
  until(`tried again at ${hour}`, async () => {
    const tries = await triesOf(payment)
    return new Date(tries.next).getUTCHours() === hour && tries
  })

/** Moves through the hours of a day, each of which puts the payment off, to the last one. */
export async function moveToLastHour(payment: { id: string }, day: string): Promise<void> {
  for (const [hour, next] of [
    [6, 10],
    [10, 14],
    [14, 16],
  ] as const) {
    await moveToHour(day, hour)
    await putOff(payment, next)
  }
  await moveToHour(day, 16)
}

/** A payment that waits for approval, by which this amount lands on a day. */
export async function onDate(at: Dated, day: string, amount = '100.00', more: object = {}) {
  const quote = await quoteOf(at.boss, at.contact, { amount, currency: CURRENCY[at.rail] }, { side: 'landing' })
  return executed(at.boss, quote.quote_id, { execute_on: day, ...more })
}

/** An approved payment that waits for its day. */
export async function scheduled(at: Dated, day: string, amount?: string) {
  const made = await onDate(at, day, amount)
  const answer = await approve(at.boss, made)
  if (answer.status !== 200) throw new Error(`approve: ${JSON.stringify(answer.body)}`)
  return made
}

type PayerOfBatch = { boss: TestPerson; payer: { id: string }; payee: { id: string; svcId: string } }

/** An approved batch in dollars to one payee that waits for its day; `approval` is the answer to its approval. */
export async function scheduledBatch({ boss, payer, payee }: PayerOfBatch, day: string, ...amounts: string[]) {
  const rows = amounts.map((amount) => ({ svc: payee, amount }))
  const { body: batch } = await submit(boss, await draftOf(boss, payer.id, rows), { execute_on: day })
  const answer = await approve(boss, batch)
  if (answer.status !== 200) throw new Error(`approve: ${JSON.stringify(answer.body)}`)
  return { batch, approval: answer.body }
}

/** Reads what attention says of payments and batches that were not paid on their day. */
export const missedOf = async ({ boss, payer }: { boss: TestPerson; payer: { id: string } }) =>
  (await api('GET', `/organizations/${payer.id}/attention?kind=payment_schedule_failed`, { token: boss.token })).body
    .data

export const unschedule = ({ token }: { token: string }, { id }: { id: string }) =>
  api('POST', `/payments/${id}/unschedule`, { token })

/** Reads how far the tries of a payment are. */
export async function triesOf({ id }: { id: string }): Promise<{ next: string; refused: string | null }> {
  const [row] = await owner<{ next: Date; refused: string | null }[]>`
    select try_at as next, refused from payment_schedules where id = ${id}`
  if (!row) throw new Error('it has no day')
  return { next: row.next.toISOString(), refused: row.refused }
}
