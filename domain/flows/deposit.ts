/**
 * States of a deposit; held ones wait for the sender's details. In the contract a deposit on its way back is `held`,
 * too; `deposits.is_returning` tells it apart.
 */
import { flow } from './flow.ts'
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
