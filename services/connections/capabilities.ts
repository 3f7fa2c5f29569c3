/** Capabilities of an organization, by what partners are connected and by its own standing. */
import { COINS } from '../../domain/accounts/receiving-account.ts'
import type { Ability, Capability } from '../../domain/accounts/capability.ts'
import { refuse } from '../../domain/errors.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { currencyDigits } from '../../domain/money/currencies.ts'
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'
import { MONEY_CONNECTIONS } from './connections.ts'
import { findIncomplete, payingOrganization } from '../payers/payers.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import { receivedOn, listServed, servingBlockers } from './serving.ts'

type Money = { readonly currency: string; readonly network: string | null }

/** Lists what an organization can do in each currency and coin that is served; coins that nobody serves stand there too. */
export async function listCapabilities(reader: Reader): Promise<Capability[]> {
  const standing = await first(
    reader<{ paused: boolean; paying: PayingOrganization }>(sql`
      select o.status <> 'active' or o.books_stopped_at is not null as paused, ${payingOrganization(sql`o`)} as paying
      from organizations o where o.id = ${reader.organizationId}`),
  )
  const { paused, paying } = standing ?? refuse('not_found')
  const isIncomplete = findIncomplete(paying).length > 0
  const able = (served: boolean): Ability =>
    served ? { available: !paused, reason: paused ? 'paused' : null } : { available: false, reason: 'not_served' }
  const ableToPay = (served: boolean): Ability => {
    const ability = able(served)
    return ability.available && isIncomplete ? { available: false, reason: 'onboarding_incomplete' } : ability
  }
  const row = (rail: PartnerRail, money: Money): Capability => {
    const isReceived = receivedOn[rail].some(
      ({ currency, network }) => currency === money.currency && network === money.network,
    )
    const isFiat = rail === 'fiat'
    return {
      rail,
      ...money,
      send: ableToPay(servingBlockers({ rail, ...money }).length === 0),
      receive: able(isReceived),
      exchange: able(isFiat && config.partners.rates !== null && !config.partners.rates.closed),
      instant: able(false),
      payee_check: able(isFiat && MONEY_CONNECTIONS.some(({ kind }) => kind === rail)),
    }
  }
  return [
    ...fiatCurrencies().map((currency) => row('fiat', { currency, network: null })),
    ...COINS.map((coin) => row('crypto', coin)),
  ]
}

/** Lists the currencies of payments by bank: those that it serves; all of them while no bank is connected. */
function fiatCurrencies(): readonly string[] {
  const served = listServed('fiat')
  return served === 'all' || served.length === 0
    ? Object.keys(currencyDigits).filter(isBankCurrency).toSorted()
    : served
}
