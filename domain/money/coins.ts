/** What coins and networks are called, by us, by people and by custodians. */

type Network = { readonly name: string; readonly code: string }
const NETWORKS: Readonly<Record<string, Network>> = {
  ethereum: { name: 'Ethereum', code: 'ETH' },
  bitcoin: { name: 'Bitcoin', code: 'BTC' },
  tron: { name: 'TRON', code: 'TRX' },
  solana: { name: 'Solana', code: 'SOL' },
}
const NAMES: Readonly<Record<string, string>> = { USDC: 'USD Coin', USDT: 'Tether', BTC: 'Bitcoin', ETH: 'Ether' }

/** A coin on a network as approvers see it, without the id that stands for the pair. */
export type NamedCoin = {
  readonly custody_code: string
  readonly display_name: string
  readonly label: string
  readonly network: string
  readonly network_name: string
  readonly symbol: string
}

/**
 * The names of a coin on a network; of one that has none, its own code. A network's own coin has the network's code.
 */
export function namedCoin(network: string, symbol: string): NamedCoin {
  const { name, code } = NETWORKS[network] ?? { name: network, code: network.toUpperCase() }
  return {
    custody_code: code === symbol ? symbol : `${symbol}_${code}`,
    display_name: NAMES[symbol] ?? symbol,
    label: `${symbol} on ${name}`,
    network,
    network_name: name,
    symbol,
  }
}
