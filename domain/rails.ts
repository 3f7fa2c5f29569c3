import type { ConnectionName, MoneyPartner } from './partner.ts'
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
  /** Kind of partner that moves the money, and the clearing account of our money there. */
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

/** Names the kind of partner that moves the money of a rail; a connection of that name is the oldest one. */
export const partnerOf = (rail: PartnerRail): MoneyPartner => RAIL[rail].partner

/** Names the connection that has a row: rows without a name have the one named after their rail. */
export const connectionOf = ({ rail, connection }: AtConnection): ConnectionName => connection ?? partnerOf(rail)

export type AtConnection = { readonly rail: PartnerRail; readonly connection: ConnectionName | null }

/** Names a connection to people: "bank", or "bank usd". */
export const nameOfConnection = (row: AtConnection): string => {
  const [partner, name] = [partnerOf(row.rail), connectionOf(row)]
  return name === partner ? partner : `${partner} ${name}`
}

/** Kind of the clearing account of our money at a connection: each has its own. */
export type Clearing = 'bank' | 'custody' | `bank:${string}` | `custody:${string}`

export function clearingOf(row: AtConnection): Clearing {
  const [kind, name] = [RAIL[row.rail].clearing, connectionOf(row)]
  return name === partnerOf(row.rail) ? kind : `${kind}:${name}`
}
