import { describe, expect, test } from 'vitest'
import { type NoticeFacts, planNotice } from '../../domain/approvals/notice.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A request that was made at zero, for a month, and that no mail has named. */
const facts = (more: Partial<NoticeFacts>): NoticeFacts => ({
  notify: 'digest',
  now: MINUTE,
  requested: 0,
  since: 0,
  expires: 30 * DAY,
  told: null,
  sent: -Infinity,
  listed: -Infinity,
  isWarned: false,
  ...more,
})
const planned = (more: Partial<NoticeFacts>) => {
  const { mail, next } = planNotice(facts(more))
  return [mail, next]
}

describe('a new request', () => {
  test.each(['digest', 'daily'] as const)('waits ten minutes for others by %s', (notify) => {
    expect(planned({ notify })).toEqual([null, 10 * MINUTE])
    expect(planned({ notify, now: 10 * MINUTE })).toEqual(['all', DAY])
  })

  test('waits for the end of the pause after another mail', () => {
    const sent = 5 * MINUTE
    expect(planned({ now: 10 * MINUTE, sent })).toEqual([null, 15 * MINUTE])
    expect(planned({ notify: 'daily', now: 10 * MINUTE, sent, requested: 3 * MINUTE })).toEqual([
      null,
      DAY + 3 * MINUTE,
    ])
    expect(planned({ notify: 'daily', now: DAY + 4 * MINUTE, sent })).toEqual([null, DAY + sent])
    expect(planned({ notify: 'daily', now: DAY + sent, sent })).toEqual(['all', 29 * DAY])
  })

  test('waits for its present approvers from their turn on', () => {
    expect(planned({ now: HOUR, since: HOUR - MINUTE })).toEqual([null, HOUR + 9 * MINUTE])
  })

  test.each<Partial<NoticeFacts>>([{ notify: 'at_once' }, { isWarned: true }, { expires: DAY + MINUTE }])(
    'breaks the pause: %j',
    (more) => {
      expect(planNotice(facts({ sent: MINUTE, notify: 'daily', ...more })).mail).toBe('new')
    },
  )

  test('is looked at again when it becomes urgent within the pause', () => {
    const urgent = { notify: 'daily', sent: 0, expires: DAY + 2 * HOUR } as const
    expect(planned({ ...urgent, now: HOUR })).toEqual([null, 2 * HOUR])
    expect(planned({ ...urgent, now: 2 * HOUR })).toEqual(['new', DAY])
  })
})

describe('a request that a mail has named', () => {
  const told = 10 * MINUTE

  test('is named again after a day and a day before its expiry, and then never', () => {
    const named = (now: number, last: number) => planned({ now, told, sent: last, listed: last })
    expect(named(HOUR, told)).toEqual([null, DAY])
    expect(named(DAY, told)).toEqual(['all', 29 * DAY])
    expect(named(DAY, DAY)).toEqual([null, 29 * DAY])
    expect(named(29 * DAY, DAY)).toEqual(['all', Infinity])
    expect(named(29 * DAY, 29 * DAY)).toEqual([null, Infinity])
  })

  test('is not named within twelve hours of a mail that named all, nor of another mail', () => {
    expect(planned({ now: DAY, told, sent: 13 * HOUR, listed: 13 * HOUR })).toEqual([null, 29 * DAY])
    expect(planned({ now: DAY, told, sent: 13 * HOUR, listed: told })).toEqual([null, 25 * HOUR])
  })

  test('breaks the pause a day before its expiry', () => {
    expect(planned({ notify: 'daily', now: 29 * DAY, told, sent: 29 * DAY - HOUR, listed: DAY })[0]).toBe('all')
  })
})
