import { describe, expect, test } from 'vitest'
import { PAYOUT_STATUSES } from '../../domain/partner.ts'
import { KEY_MARGIN_SECONDS, type OrderMemory, goesForward, orderStep } from '../../domain/partner-orders.ts'

const HOUR = 3600
const DAY = { keysKept: 24, absenceSureAfterSeconds: 600 } as const
const EVER = { keysKept: 'ever', absenceSureAfterSeconds: 0 } as const
const NEW = { isNew: true, isSame: true, seconds: { sinceFirst: 0, sinceLast: 0 }, theirId: null, held: null } as const
/** Makes the memory of an order, by the seconds since it was sent. */
const sent = (sinceFirst: number, more: Partial<OrderMemory> = {}): OrderMemory => ({
  ...NEW,
  isNew: false,
  seconds: { sinceFirst, sinceLast: sinceFirst },
  ...more,
})
const again = (sinceFirst: number, sinceLast: number) => sent(sinceFirst, { seconds: { sinceFirst, sinceLast } })

const LAST = 24 * HOUR - KEY_MARGIN_SECONDS

describe('what a try does', () => {
  test.each([
    ['first, keys kept for ever', NEW, EVER, 'not_yet', { next: 'send' }],
    ['again, keys kept for ever', sent(1e9), EVER, 'not_yet', { next: 'send' }],
    ['other bytes, keys kept for ever', sent(1, { isSame: false }), EVER, 'not_yet', { next: 'look' }],
    ['known by an id, keys kept for ever', sent(1, { theirId: 'x' }), EVER, 'not_yet', { next: 'look' }],
    ['held, keys kept for ever', sent(1, { held: 'other_bytes' }), EVER, 'not_yet', { next: 'look' }],
    ['first, keys forgotten: the database may have been restored', NEW, DAY, 'not_yet', { next: 'look' }],
    ['again, keys forgotten', sent(HOUR), DAY, 'not_yet', { next: 'look' }],

    ['first and absent', NEW, DAY, 'absent', { next: 'send' }],
    ['absent at once', sent(0), DAY, 'absent', { next: 'wait', seconds: 600 }],
    ['absent, not surely', sent(599.5), DAY, 'absent', { next: 'wait', seconds: 1 }],
    ['surely absent', sent(600), DAY, 'absent', { next: 'send' }],
    ['surely absent but for the send a minute ago', again(HOUR, 60), DAY, 'absent', { next: 'wait', seconds: 540 }],
    ['surely absent, the key about to be forgotten', sent(LAST - 1), DAY, 'absent', { next: 'send' }],
    ['surely absent, the key as good as forgotten', sent(LAST), DAY, 'absent', { next: 'hold', why: 'unknowable' }],
    ['absent for days', sent(1e9), DAY, 'absent', { next: 'hold', why: 'unknowable' }],
    [
      'sent again lately, under a key long forgotten',
      again(1e9, 700),
      DAY,
      'absent',
      { next: 'hold', why: 'unknowable' },
    ],
    ['the clock was put back', sent(-HOUR), DAY, 'absent', { next: 'wait', seconds: HOUR + 600 }],

    ['other bytes, absent', sent(HOUR, { isSame: false }), DAY, 'absent', { next: 'hold', why: 'other_bytes' }],
    ['other bytes, absent, for ever', sent(1, { isSame: false }), EVER, 'absent', { next: 'hold', why: 'other_bytes' }],
    ['taken and forgotten', sent(HOUR, { theirId: 'x' }), DAY, 'absent', { next: 'hold', why: 'lost' }],
    [
      'held, and the key good again',
      sent(HOUR, { held: 'unknowable' }),
      DAY,
      'absent',
      { next: 'hold', why: 'unknowable' },
    ],
    ['absent, for ever', sent(0), EVER, 'absent', { next: 'send' }],
  ] as const)('%s', (_, memory, keeping, looked, step) => {
    expect(orderStep(memory, keeping, looked)).toEqual(step)
  })

  test('nothing is sent whose absence was not looked at, or whose key may be forgotten', () => {
    const times = [-1, 0, 1, 599, 600, HOUR, LAST - 1, LAST, 24 * HOUR, 1e9]
    for (const sinceFirst of times) {
      for (const sinceLast of times.filter((one) => one <= sinceFirst)) {
        expect(orderStep(again(sinceFirst, sinceLast), DAY, 'not_yet').next).toBe('look')
        const { next } = orderStep(again(sinceFirst, sinceLast), DAY, 'absent')
        expect(next === 'send').toBe(sinceLast >= 600 && sinceFirst < LAST)
      }
    }
  })
})

test('statuses go forward: an end stays, but for what was paid and came back', () => {
  const backward = PAYOUT_STATUSES.flatMap((from) =>
    PAYOUT_STATUSES.filter((to) => !goesForward(from, to)).map((to) => `${from} ${to}`),
  )
  const ends = ['settled', 'rejected', 'cancelled', 'returned'] as const
  const others = ends.flatMap((from) =>
    PAYOUT_STATUSES.filter((to) => to !== from && !(from === 'settled' && to === 'returned')).map(
      (to) => `${from} ${to}`,
    ),
  )
  expect(backward.toSorted()).toEqual(['processing pending', ...others].toSorted())
})
