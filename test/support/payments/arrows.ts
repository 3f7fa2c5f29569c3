/** Arrows of payments by states.md and docs/partners.md, and the effects of payout updates. */
export type Status =
  | 'awaiting_approval'
  | 'scheduled'
  | 'submitted'
  | 'processing'
  | 'on_hold'
  | 'cancelling'
  | 'succeeded'
  | 'failed'
  | 'reversed'
  | 'cancelled'

/** Arrows of a payment: the logged event, both statuses, and whether a payout update takes it. */
const ARROWS: readonly [logged: string, from: Status, to: Status, by: 'us' | 'partner'][] = [
  ['submitted', 'awaiting_approval', 'submitted', 'us'],
  ['cancelled', 'awaiting_approval', 'cancelled', 'us'],
  ['scheduled', 'awaiting_approval', 'scheduled', 'us'],
  ['unscheduled', 'scheduled', 'cancelled', 'us'],
  ['submitted', 'scheduled', 'submitted', 'us'],
  ['failed', 'scheduled', 'failed', 'us'],
  ['accepted', 'submitted', 'processing', 'partner'],
  ['held', 'submitted', 'on_hold', 'partner'],
  ['held', 'processing', 'on_hold', 'partner'],
  ['released', 'on_hold', 'processing', 'partner'],
  ['cancel_requested', 'submitted', 'cancelling', 'us'],
  ['cancel_requested', 'processing', 'cancelling', 'us'],
  ['cancelled', 'cancelling', 'cancelled', 'partner'],
  ['broadcast', 'cancelling', 'processing', 'partner'],
  ['failed', 'submitted', 'failed', 'partner'],
  ['failed', 'processing', 'failed', 'partner'],
  ['failed', 'on_hold', 'failed', 'partner'],
  ['settled', 'processing', 'succeeded', 'partner'],
  ['reversed', 'succeeded', 'reversed', 'partner'],
]

/** Events that leave a payment in its state. */
const STAYS: ReadonlySet<string> = new Set(['payment.updated', 'payment.payee_checked', 'payment.adjusted'])

/**
 * The status that a payment's log leads to; undefined if the log takes an undefined arrow. A payment of a batch begins
 * as submitted: it is approved with the batch.
 */
export function endOf(logged: readonly string[], begins: Status = 'awaiting_approval'): Status | undefined {
  const [first, ...rest] = logged.filter((type) => !STAYS.has(type))
  let at: Status | undefined = first === 'payment.created' ? begins : undefined
  for (const type of rest) at = ARROWS.find(([name, from]) => `payment.${name}` === type && from === at)?.[2]
  return at
}

export const WORDS = ['pending', 'processing', 'on_hold', 'settled', 'rejected', 'cancelled', 'returned'] as const
export type Word = (typeof WORDS)[number]

/** Ends of a payment by payout update; an unpaid one ends as failed or cancelled, whichever is nearer. */
const MEANS: Readonly<Record<Word, readonly Status[]>> = {
  pending: ['processing'],
  processing: ['processing'],
  on_hold: ['on_hold'],
  settled: ['succeeded'],
  rejected: ['failed', 'cancelled'],
  cancelled: ['cancelled', 'failed'],
  returned: ['reversed'],
}
/** Updates that show a broadcast: without one, a cancellation has not lost the race. */
const BROADCAST: ReadonlySet<Word> = new Set(['processing', 'settled', 'returned'])

/** The shortest path along partner arrows, as logged; undefined if there is none, or nothing to do. */
export function wayOf(from: Status, word: Word): { logged: string[]; to: Status } | undefined {
  let reached: { at: Status; logged: string[] }[] = [{ at: from, logged: [] }]
  if (MEANS[word].includes(from)) return undefined
  for (let steps = 0; steps < 4; steps += 1) {
    reached = reached.flatMap(({ at, logged }) =>
      ARROWS.filter(([name, start, , by]) => {
        return start === at && by === 'partner' && (name !== 'broadcast' || BROADCAST.has(word))
      }).map(([name, , to]) => ({ at: to, logged: [...logged, name] })),
    )
    const found = reached.find(({ at }) => MEANS[word].includes(at))
    if (found) return { logged: found.logged, to: found.at }
  }
  return undefined
}

/** Compatible ends of a payout and its payment. */
export const AGREE: Readonly<Record<Word | 'unknown', readonly Status[]>> = {
  unknown: ['awaiting_approval', 'cancelled'],
  pending: ['processing', 'cancelling'],
  processing: ['processing'],
  on_hold: ['on_hold', 'cancelling'],
  settled: ['succeeded'],
  rejected: ['failed', 'cancelled'],
  cancelled: ['failed', 'cancelled'],
  returned: ['reversed'],
}
