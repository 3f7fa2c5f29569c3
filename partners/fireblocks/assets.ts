/** Coins of ours as assets of Fireblocks, and back. */
import { canonicalCryptoCoordinates } from '../../domain/destinations/crypto-address.ts'
import { isCoin } from '../../domain/money/currencies.ts'
import { COINS } from '../../domain/accounts/receiving-account.ts'

type Coin = (typeof COINS)[number]

/** Coin on its network, and the asset that it is there. */
export type Asset = Coin & { readonly assetId: string }

/** Lists the coins of a connection that we know. */
export const assetsOf = (names: Readonly<Record<string, string>>): readonly Asset[] =>
  COINS.flatMap((coin) => {
    const assetId = names[`${coin.currency}/${coin.network}`]
    return assetId === undefined ? [] : [{ ...coin, assetId }]
  })

/** Names the currency of a fee: a coin of the connection, or one that has its own name; null for any other. */
export const feeCurrencyOf = (assets: readonly Asset[], assetId: string): string | null =>
  assets.find((one) => one.assetId === assetId)?.currency ?? (isCoin(assetId) ? assetId : null)

/** Writes an address as its network does, so that equal ones are equal texts. */
export const canonicalAddress = ({ currency: coin, network }: Coin, address: string): string =>
  canonicalCryptoCoordinates({ type: 'crypto', coin, network, address }).address
