/** The step that is due of an approved batch. */
import { expect, test } from 'vitest'
import { payingStepOf } from '../../domain/batches/paying.ts'

const DAY = { waits: false, over: false, short: false, cooling: false }
const PAYER = { status: 'active', stopped: false }

test.each([
  ['without a day, and in the middle of its rows', undefined, 'page'],
  ['before its hour', { waits: true, short: true }, null],
  ['at its hour', {}, 'page'],
  ['short of money', { short: true }, 'put_off'],
  ['with an account that has to wait', { cooling: true }, 'put_off'],
  ['short of money at its last hour: it pays what is covered', { short: true, over: true }, 'page'],
  ['with an account that has to wait at its last hour', { cooling: true, over: true }, 'give_up_day'],
] as const)('a batch %s', (_, day, step) => {
  expect(payingStepOf(PAYER, day && { ...DAY, ...day })).toBe(step)
})

test.each([
  { status: 'paused', stopped: false },
  { status: 'banned', stopped: false },
  { status: 'active', stopped: true },
])('a batch of a payer %j waits, and gives up a day that is over', (payer) => {
  expect([undefined, DAY, { ...DAY, over: true }].map((day) => payingStepOf(payer, day))).toEqual([
    null,
    null,
    'give_up_day',
  ])
})
