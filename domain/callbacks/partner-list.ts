/** Who lists what it did, for us to compare with our books. */
import type { MoneyPartner } from './partner.ts'

export type ReconciledPartner = MoneyPartner | 'rates'
export type ListName = 'payouts' | 'deposits' | 'trades'
