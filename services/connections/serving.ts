/** Money that partners move here. All else is refused before it is approved. */
import { BANK_CURRENCIES, COINS } from '../../domain/accounts/receiving-account.ts'
import type { Blocker } from '../../domain/errors.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { PartnerRail, Rail } from '../../domain/rails.ts'
import { MONEY_CONNECTIONS, type MoneyOfRail, connectionFor } from './connections.ts'

/** Lists why a payment of this money cannot be asked for. */
export function servingBlockers({ rail, ...money }: Omit<MoneyOfRail, 'rail'> & { readonly rail: Rail }): Blocker[] {
  if (rail === 'svc_id' || connectionFor({ rail, ...money })) return []
  const supported = listServed(rail)
  if (supported.length === 0) return [{ type: 'unsupported_rail', details: { rail, reason: 'not_served' } }]
  return [{ type: 'unsupported_currency', details: { currency: money.currency, supported } }]
}

/** Tells if the network of a coin decides which connection serves it: one may come before that which serves all. */
export const dependsOnNetwork = (): boolean =>
  MONEY_CONNECTIONS.some(({ kind, closed, serves }) => kind === 'crypto' && !closed && serves !== null)

/** Lists the money that is served on a rail; none while nobody serves it, or its connections are closed. */
export function listServed(rail: PartnerRail): 'all' | readonly string[] {
  const open = MONEY_CONNECTIONS.filter(({ kind, closed }) => kind === rail && !closed)
  if (open.some(({ serves }) => serves === null)) return 'all'
  return [...new Set(open.flatMap(({ serves }) => serves ?? []))]
}

/** Receiving account that an organization gets, and the connection that opens it. */
type AccountOffer = { readonly currency: string; readonly network: string | null; readonly connection: ConnectionName }

const offersOf = (rail: PartnerRail, money: readonly { currency: string; network: string | null }[]): AccountOffer[] =>
  money.flatMap((one) => {
    const connection = connectionFor({ rail, ...one })?.name
    return connection ? [{ ...one, connection }] : []
  })

/** Receiving accounts that an organization gets. */
export const receivedOn: Readonly<Record<PartnerRail, readonly AccountOffer[]>> = {
  fiat: offersOf(
    'fiat',
    BANK_CURRENCIES.map((currency) => ({ currency, network: null })),
  ),
  crypto: offersOf('crypto', COINS),
}
