import type { MoneyPartner } from './partner.ts'
import type { Permission } from './permissions.ts'

export const RAILS = ['fiat', 'crypto', 'svc_id'] as const
export type Rail = (typeof RAILS)[number]

/** Rails on which a partner moves the money. */
export const PARTNER_RAILS = ['fiat', 'crypto'] as const
export type PartnerRail = (typeof PARTNER_RAILS)[number]

type Description = {
  readonly label: string
  readonly target: 'fiat_outgoing' | 'crypto_outgoing' | 'internal_transfer'
  readonly permission: Permission
  /** Partner that moves the money, and the clearing account of our money there. */
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

/** The rail's label in the operators' list of runs. */
export const labelOf = (rail: Rail | null): string => (rail ? RAIL[rail].label : 'partner')

export type PaymentTarget = (typeof RAIL)[Rail]['target']

export const partnerOf = (rail: PartnerRail): MoneyPartner => RAIL[rail].partner

export const railOf = (partner: MoneyPartner): PartnerRail => (partner === RAIL.fiat.partner ? 'fiat' : 'crypto')

export const clearingOf = (partner: MoneyPartner): 'bank' | 'custody' => RAIL[railOf(partner)].clearing
