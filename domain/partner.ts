/** The vocabulary of partners that move money or list what they did. */
import type { Money } from './money/money.ts'

/** Kinds of partners that move money, one for each rail; connections have names of their own. */
export const MONEY_PARTNERS = ['bank', 'custodian'] as const
export type MoneyPartner = (typeof MONEY_PARTNERS)[number]

/** Name of a connection to a partner, for ever: rows, ledgers, callbacks and task queues carry it. */
export type ConnectionName = string
export const CONNECTION_NAME = /^[a-z][a-z0-9-]{1,30}$/

/** Desk of covers that name none. */
export const DEFAULT_DESK = 'rates'

export type ListName = 'payouts' | 'deposits' | 'trades'

/** Statuses of a payout at its partner: docs/partners.md. */
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

/** An update of a payout by its partner, without personal data: histories carry it. */
export type PartnerPayout = {
  readonly status: PayoutStatus
  /** In the partner's own words. */
  readonly detail: string
  readonly reference: string | null
  /** Grows with each change; an update with a lower version than the recorded one is old. */
  readonly version: number
  /** Part of a returned payout that came back; all of it if the partner does not say. */
  readonly returned?: Money | undefined
  /** Charges for the payout at this status, kept from a return or taken beside. */
  readonly charges?: Money | undefined
  /** Charges of the settlement of a returned payout, if the partner keeps them apart. */
  readonly settledCharges?: Money | undefined
}
