import { flow } from '../flow.ts'

export const RECEIVING_ACCOUNT_STATUSES = ['requested', 'active'] as const
export type ReceivingAccountStatus = (typeof RECEIVING_ACCOUNT_STATUSES)[number]

export const receivingAccountFlow = flow({
  noun: 'receiving_account',
  table: 'receiving_accounts',
  workflow: 'receiving-account',
  summary: () => 'Account that a partner opens',
  states: RECEIVING_ACCOUNT_STATUSES,
  driven: ['requested'],
  events: { open: { from: ['requested'], to: 'active', logs: 'opened' } },
})
