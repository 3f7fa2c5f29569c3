/** Capabilities of an organization, by what partners are connected and by its own standing. */
import { COINS } from '../../domain/accounts/receiving-account.ts'
import type { Ability, Capability } from '../../domain/accounts/capability.ts'
import { refuse } from '../../domain/errors.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import type { PartnerRail } from '../../domain/rails.ts'
import { config } from '../../platform/config.ts'
import { currencyDigits } from '../../domain/money/currencies.ts'
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { type Reader, first, sql } from '../../db/postgres/sql.ts'
import { CONNECTION_LIMITS } from '../../domain/audit/connection.ts'
import type { Connection } from '../../platform/connections.ts'
import { MONEY_CONNECTIONS, connectionFor, nameConnection } from './connections.ts'
import { findIncomplete, findUnverified, payingOrganization } from '../payers/payers.ts'
import type { PayingOrganization } from '../../domain/organizations/payer.ts'
import { receivedOn, listServed } from './serving.ts'

type Money = { readonly currency: string; readonly network: string | null }

type Standing = {
  readonly stopped: boolean
  readonly paying: PayingOrganization
  /** Names of connections. */
  readonly paused: readonly string[]
  readonly away: readonly string[]
}

/** Lists what an organization can do in each currency and coin that is served; coins that nobody serves stand there too. */
export async function listCapabilities(
  reader: Reader,
  carriesInstant: (connection: ConnectionName, currency: string) => boolean,
): Promise<Capability[]> {
  const standing = await first(
    reader<Standing>(sql`
      select o.status <> 'active' or o.books_stopped_at is not null as stopped, ${payingOrganization(sql`o`)} as paying,
        array(select c.connection from connection_pauses c where c.resumed_at is null) as paused,
        array(select a.connection from connection_answers a
          where a.silent_since < clock_timestamp() - make_interval(secs => ${CONNECTION_LIMITS.away})) as away
      from organizations o where o.id = ${reader.organizationId}`),
  )
  const { stopped, paused, away, paying } = standing ?? refuse('not_found')
  /** Tells what is so at the connection that does it. */
  const able = (at: Pick<Connection, 'name'> | null | undefined): Ability => {
    if (!at) return { available: false, reason: 'not_served' }
    if (stopped || paused.includes(at.name)) return { available: false, reason: 'paused' }
    return away.includes(at.name) ? { available: false, reason: 'partner_away' } : { available: true, reason: null }
  }
  const unlessLacking = (ability: Ability, fields: readonly string[]): Ability =>
    ability.available && fields.length > 0 ? { available: false, reason: 'onboarding_incomplete' } : ability
  const ableToPay = (rail: PartnerRail, at: Pick<Connection, 'name'> | undefined): Ability =>
    unlessLacking(able(at), at ? findIncomplete(paying, { rail, connection: at.name }) : [])
  const ableToExchange = (currency: string, isServed: boolean): Ability => {
    const connection = nameConnection({ rail: 'fiat', currency })
    return unlessLacking(
      able(isServed ? config.partners.rates : null),
      findUnverified(paying, { rail: 'fiat', connection }),
    )
  }
  const row = (rail: PartnerRail, money: Money): Capability => {
    const received = receivedOn[rail].find(
      ({ currency, network }) => currency === money.currency && network === money.network,
    )
    const isFiat = rail === 'fiat'
    const mover = connectionFor({ rail, ...money })
    const checker = MONEY_CONNECTIONS.find(({ kind }) => kind === 'fiat')
    return {
      rail,
      ...money,
      send: ableToPay(rail, mover),
      receive: able(received && { name: received.connection }),
      exchange: ableToExchange(money.currency, isFiat && config.partners.rates?.closed === false),
      instant: ableToPay(rail, mover && carriesInstant(mover.name, money.currency) ? mover : undefined),
      payee_check: able(isFiat ? checker : null),
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
