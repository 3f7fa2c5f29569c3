/** States of a deposit. `is_returning` marks one on its way back, which the contract shows as `held`. */
import { flow } from '../flow.ts'
import { labelOf } from '../rails.ts'

export const DEPOSIT_STATUSES = ['held', 'credited', 'returned'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

export const depositFlow = flow({
  noun: 'deposit',
  table: 'deposits',
  workflow: 'deposit',
  summary: ({ rail, ref }) => (ref ? `Money that came by ${labelOf(rail)}` : 'Deposit whose sender is to be named'),
  states: DEPOSIT_STATUSES,
  driven: ['held'],
  events: {
    release: { from: ['held'], to: 'credited', logs: 'credited' },
    return: { from: ['held'], to: 'returned', logs: 'returned' },
  },
})
