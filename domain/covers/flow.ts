import { flow } from '../flow.ts'

export const COVER_STATUSES = ['open', 'covered'] as const
export type CoverStatus = (typeof COVER_STATUSES)[number]

export const coverFlow = flow({
  noun: 'cover',
  table: 'covers',
  workflow: 'cover',
  summary: () => 'Cover of an exchange at the rates desk',
  states: COVER_STATUSES,
  driven: ['open'],
  events: { close: { from: ['open'], to: 'covered', logs: 'closed' } },
})
