/** Money that partners move here. All else is refused before it is approved. */
import { BANK_CURRENCIES, COINS } from '../../domain/accounts/receiving-account.ts'
import type { Blocker } from '../../domain/errors.ts'
import { type PartnerRail, type Rail, partnerOf } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'

/** Money of a rail: a currency at a bank; a coin, on one network or on any. */
type MoneyOfRail = { readonly rail: Rail; readonly currency: string; readonly network?: string | null }

/** Lists why a payment of this money cannot be asked for. */
export function servingBlockers({ rail, currency, network = null }: MoneyOfRail): Blocker[] {
  if (rail === 'svc_id') return []
  const supported = listServed(rail)
  if (supported === 'all') return []
  if (supported.length === 0) return [{ type: 'unsupported_rail', details: { rail, reason: 'not_served' } }]
  const isServed = supported.some((one) => {
    const [code, on = null] = one.split('/')
    return code === currency && (network === null || on === network)
  })
  return isServed ? [] : [{ type: 'unsupported_currency', details: { currency, supported } }]
}

/** Lists the money that is served on a rail; none while nobody serves it, or its partner is closed. */
export function listServed(rail: PartnerRail): 'all' | readonly string[] {
  const partner = config.partners[partnerOf(rail)]
  return !partner || partner.closed ? [] : (partner.serves ?? 'all')
}

/** Receiving accounts that an organization gets. */
export const receivedOn: Readonly<Record<PartnerRail, readonly { currency: string; network: string | null }[]>> = {
  fiat: BANK_CURRENCIES.map((currency) => ({ currency, network: null })).filter(
    ({ currency }) => servingBlockers({ rail: 'fiat', currency }).length === 0,
  ),
  crypto: COINS.filter((coin) => servingBlockers({ rail: 'crypto', ...coin }).length === 0),
}
