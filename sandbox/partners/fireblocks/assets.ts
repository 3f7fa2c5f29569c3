/** Assets of the stand-in of Fireblocks: those of its connection, and the coins that pay the fees of their networks. */
import type { Connection } from '../../../platform/connections.ts'
import type { FireblocksSettings } from '../../../platform/drivers/fireblocks.ts'
import type { AssetsOf } from '../../db/fireblocks/transactions.ts'

type Network = {
  readonly native: string
  readonly name: string
  readonly decimals: number
  readonly tokens: 'ERC20' | 'TRON_TRC20' | 'SOL_ASSET' | null
  /** Fees of a transfer of the native coin, and of a token. */
  readonly fees: readonly [native: string, token: string]
  readonly confirmations: number
}

const NETWORKS: Readonly<Record<string, Network>> = {
  ethereum: {
    native: 'ETH',
    name: 'Ethereum',
    decimals: 18,
    tokens: 'ERC20',
    fees: ['0.000441', '0.001365'],
    confirmations: 3,
  },
  solana: {
    native: 'SOL',
    name: 'Solana',
    decimals: 9,
    tokens: 'SOL_ASSET',
    fees: ['0.000005', '0.00001'],
    confirmations: 10,
  },
  tron: {
    native: 'TRX',
    name: 'Tron',
    decimals: 6,
    tokens: 'TRON_TRC20',
    fees: ['0.268', '13.8445'],
    confirmations: 19,
  },
  bitcoin: {
    native: 'BTC',
    name: 'Bitcoin',
    decimals: 8,
    tokens: null,
    fees: ['0.000021', '0.000021'],
    confirmations: 2,
  },
}
const TOKEN_DECIMALS = 6

export type Asset = {
  readonly id: string
  readonly name: string
  readonly type: 'BASE_ASSET' | Exclude<Network['tokens'], null>
  /** Asset that pays the fees, and its coin. */
  readonly native: string
  readonly nativeCoin: string
  readonly decimals: number
  readonly network: string
  /** Coin in the books of the stand-ins. */
  readonly coin: string
  readonly fee: string
  readonly confirmations: number
}

/** Workspace of Fireblocks, as one connection has it. */
export type Workspace = {
  readonly partner: string
  /** Vault account that is there from the beginning. */
  readonly main: number
  readonly assets: readonly Asset[]
  readonly assetsOf: AssetsOf
}

export function workspaceOf({ name, settings }: Connection<FireblocksSettings>): Workspace {
  const served = Object.entries(settings.assets).flatMap(([coinOn, id]) => {
    const [coin = '', network = ''] = coinOn.split('/')
    return assetOf(id, coin, network, settings.assets)
  })
  const natives = served.flatMap(({ network }) => {
    const coin = NETWORKS[network]?.native ?? ''
    return assetOf(nativeOf(network, settings.assets), coin, network, settings.assets)
  })
  const assets = [...new Map([...served, ...natives].map((one) => [one.id, one])).values()]
  const coins = [...new Set(assets.map(({ coin }) => coin))]
  const idsOf = (coin: string) => assets.filter((one) => one.coin === coin).map(({ id }) => id)
  const assetsOf = Object.fromEntries(coins.map((coin) => [coin, idsOf(coin)]))
  return { partner: name, main: Number(settings.vault), assets, assetsOf }
}

const nativeOf = (network: string, named: FireblocksSettings['assets']): string =>
  named[`${NETWORKS[network]?.native}/${network}`] ?? NETWORKS[network]?.native ?? ''

function assetOf(id: string, coin: string, network: string, named: FireblocksSettings['assets']): Asset[] {
  const chain = NETWORKS[network]
  if (!chain) return []
  const isNative = coin === chain.native
  return [
    {
      id,
      name: isNative ? chain.name : `${coin} (${chain.name})`,
      type: isNative || chain.tokens === null ? 'BASE_ASSET' : chain.tokens,
      native: nativeOf(network, named),
      nativeCoin: chain.native,
      decimals: isNative ? chain.decimals : TOKEN_DECIMALS,
      network,
      coin,
      fee: chain.fees[isNative ? 0 : 1],
      confirmations: chain.confirmations,
    },
  ]
}

export const findAsset = ({ assets }: Workspace, id: string): Asset | undefined => assets.find((one) => one.id === id)
