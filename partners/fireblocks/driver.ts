/** Driver `fireblocks`: a custodian of coins (docs/drivers/fireblocks.md). */
import type { FireblocksSettings } from '../../platform/drivers/fireblocks.ts'
import type { Capabilities, MoneyDriver } from '../driver.ts'
import { type PartnerEndpoint, refusalOf } from '../http.ts'
import { VaultAddresses } from './accounts.ts'
import { assetsOf } from './assets.ts'
import { readBalances } from './balances.ts'
import { callbackReader } from './callbacks.ts'
import { VaultDeposits, depositOf, isIncoming } from './deposits.ts'
import { pageOf, readHistory } from './lists.ts'
import { NO_ASSET, VaultPayouts } from './payouts.ts'
import { signRequests } from './requests.ts'
import { VaultSweeps } from './sweeps.ts'
import { isOpen } from './transactions.ts'

const CAPABILITIES: Capabilities = {
  cancels: true,
  checksPayees: false,
  knowsBalances: true,
  keysKept: 'ever', // a second transaction under one of our ids is refused
  absenceSureAfterSeconds: 0,
  givesVersions: false,
  feeCoins: ['ETH', 'BTC'],
}

/** Makes the driver of a connection. */
export function fireblocksDriver(endpoint: PartnerEndpoint, settings: FireblocksSettings): MoneyDriver {
  const at = signRequests(endpoint, settings.privateKey)
  const assets = assetsOf(settings.assets)
  const payouts = new VaultPayouts(at, assets, settings)
  const deposits = new VaultDeposits(at, assets)
  const addresses = new VaultAddresses(at, settings.vault)
  const sweeps = new VaultSweeps(at, assets, settings)
  return {
    describe: () => CAPABILITIES,
    plan: (order) => payouts.plan(order),
    send: (intent, key) => payouts.send(intent, key),
    find: ({ id }) => payouts.find(id),
    cancel: ({ id }) => payouts.cancel(id),
    payouts: (after) => payouts.list(after),
    async deposits(after) {
      const history = await readHistory(at, 'destType', after)
      const page = pageOf(history, (transaction) => depositOf(transaction, assets))
      const isUnfinished = history.entries.some(({ transaction: one }) => one && isIncoming(one) && isOpen(one))
      return { ...page, data: await deposits.withReturns(page.data), isUnfinished }
    },
    deposit: (id) => deposits.find(id),
    returnDeposit: (order) => deposits.sendBack(order, settings.vault),
    async openAccount(order, key) {
      const coin = 'coin' in order ? order : undefined
      const asset = assets.find(({ currency, network }) => currency === coin?.coin && network === coin.network)
      if (!asset) throw refusalOf(at, NO_ASSET)
      return addresses.open(asset, key)
    },
    balances: () => readBalances(at, assets),
    ...(Object.keys(settings.sweepFloors).length > 0 && { sweep: () => sweeps.sweep() }),
    readCallback: callbackReader(settings.callbackKey),
  }
}
