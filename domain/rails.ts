/** What a rail is: over what money leaves and comes, as data. */
import type { TargetType } from './approvals/approval.ts'
import type { DestinationType } from './contacts/destination.ts'
import type { MoneyPartner } from './callbacks/partner.ts'
import type { Permission } from './permissions.ts'

export const RAILS = ['fiat', 'crypto', 'svc_id'] as const
export type Rail = (typeof RAILS)[number]

/** Those on which a partner moves the money. */
export const PARTNER_RAILS = ['fiat', 'crypto'] as const
export type PartnerRail = (typeof PARTNER_RAILS)[number]

type Description = {
  readonly label: string
  /** What an approval of a payment is about. */
  readonly target: TargetType
  /** What whoever pays needs. */
  readonly permission: Permission
  /** Who moves the money, and which system account of the books stands for what it has of ours. */
  readonly partner: MoneyPartner | null
  readonly clearing: 'bank' | 'custody' | null
}

export const RAIL = {
  fiat: {
    label: 'bank',
    target: 'fiat_outgoing',
    permission: 'payments.send_fiat',
    partner: 'bank',
    clearing: 'bank',
  },
  crypto: {
    label: 'blockchain',
    target: 'crypto_outgoing',
    permission: 'payments.send_crypto',
    partner: 'custodian',
    clearing: 'custody',
  },
  svc_id: {
    label: 'service ID',
    target: 'internal_transfer',
    permission: 'payments.send_fiat',
    partner: null,
    clearing: null,
  },
} as const satisfies Record<Rail, Description>

/** A process's rail, as an operator reads it in the list of runs. */
export const labelOf = (rail: Rail | null): string => (rail ? RAIL[rail].label : 'partner')

/** What an approval of a payment may be about. */
export type PaymentTarget = (typeof RAIL)[Rail]['target']

/** The rail that leads to a destination. */
export const RAIL_TO: Readonly<Record<DestinationType, Rail>> = { bank: 'fiat', crypto: 'crypto', svc_id: 'svc_id' }

/** Who moves the money of a rail. */
export const partnerOf = (rail: PartnerRail): MoneyPartner => RAIL[rail].partner

/** On which rail a partner moves money. */
export const railOf = (partner: MoneyPartner): PartnerRail => (partner === RAIL.fiat.partner ? 'fiat' : 'crypto')

/** The system account that stands for what a partner has of ours. */
export const clearingOf = (partner: MoneyPartner): 'bank' | 'custody' => RAIL[railOf(partner)].clearing
