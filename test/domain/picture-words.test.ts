/** Pictures of the docs are compared by the words of their pages: what changes with each start is no change. */
import { expect, test } from 'vitest'
import { differences, linesOf, stepsOf } from '../../dev/pictures/words.ts'

const page = (title: string, day: string, time: string, id: string) =>
  `${title}\nuntil ${day}, ${time}\n\n  run   payment-${id}\n`

test('ids, days, times and the order of requests are no change, any other word is one', () => {
  const before = linesOf(page('Approve', 'Dec 27, 2026', '10:41 AM', '3e2416e4-2634-5816-9b63-4b557321d97c'))
  expect(before).toEqual(['Approve', 'run payment-ID', 'until DAY, TIME'])
  const later = linesOf(page('Approve', 'January 2, 2027', '9:05 PM', 'ffffffff-2634-5816-9b63-4b557321d97c'))
  expect(differences(before, later)).toEqual([])
  expect(differences(before, linesOf(page('Approve it', 'Dec 27, 2026', '10:41 AM', '1')))).toEqual([
    '- Approve',
    '- run payment-ID',
    '+ Approve it',
    '+ run payment-1',
  ])
})

test('a run is known by the steps and waits that are ours, each once', () => {
  const ui =
    'Event History\nviewPayment\nviewPayment\nTimer\nApproval, step 1 of 1\norderPayout\nWaits for approval since 2026-11-28 22:02 UTC'
  expect(stepsOf(ui)).toEqual([
    'Approval, step 1 of 1',
    'Waits for approval since DAY TIME UTC',
    'orderPayout',
    'viewPayment',
  ])
})
