/** What partners say, as it is kept: the vocabulary between `activities/`, the workflows and the books. */

/** Who moves money outside of the service. */
export const MONEY_PARTNERS = ['bank', 'custodian'] as const
export type MoneyPartner = (typeof MONEY_PARTNERS)[number]

/** Where a payout stands at its partner; docs/partners.md says what each means. */
export const PAYOUT_STATUSES = [
  'pending',
  'processing',
  'on_hold',
  'settled',
  'rejected',
  'cancelled',
  'returned',
] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

/** A partner's word on a payout. It names nobody, so that a history may carry it. */
export type PartnerPayout = {
  readonly status: PayoutStatus
  /** In the partner's own words. */
  readonly detail: string
  readonly reference: string | null
  /** Grows with each change; a word of a lower version than the recorded one is old. */
  readonly version: number
}
