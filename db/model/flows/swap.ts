/** The states of a swap: executed in the books, then covered at the FX partner. */
import { flow } from '../flow.ts'

export const SWAP_STATUSES = ['executed', 'covered'] as const
export type SwapStatus = (typeof SWAP_STATUSES)[number]

export const swapFlow = flow({
  noun: 'swap',
  table: 'swaps',
  workflow: 'swap',
  summary: () => 'Cover of a swap at the rates desk',
  states: SWAP_STATUSES,
  driven: ['executed'],
  events: { cover: { from: ['executed'], to: 'covered', logs: 'covered' } },
})
