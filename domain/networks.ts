/** Networks that addresses are compared with: in CIDR notation (RFC 4632, RFC 4291), each in one spelling. */
import ipaddr from 'ipaddr.js'

const MAPPED_BITS = 96 // before the IPv4 address in one that is mapped to IPv6 (RFC 4291, 2.5.5.2)

/** Why a text is no network: it is none at all, names a host of one, or is every address. */
export type NetworkFault = 'none' | 'host' | 'all'

/**
 * Parses a network, or an address as a network of its own, into its one spelling (RFC 5952). A network of IPv4 mapped to
 * IPv6 becomes one of IPv4, as the addresses of callers do.
 */
export function parseNetwork(given: string): { readonly network: string } | { readonly fault: NetworkFault } {
  const [, text = '', length] = /^([0-9a-f.:]{2,45})(?:\/(0|[1-9]\d{0,2}))?$/i.exec(given.trim()) ?? []
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return { fault: 'none' } // `10.1` is valid
  const written = ipaddr.parse(text)
  const writtenBits = length === undefined ? bitsIn(written) : Number(length)
  if (writtenBits > bitsIn(written)) return { fault: 'none' }
  const address = ipaddr.process(text)
  const bits = address.kind() === written.kind() ? writtenBits : writtenBits - MAPPED_BITS
  if (bits <= 0) return { fault: bits === 0 ? 'all' : 'none' }
  return hasHost(address, bits) ? { fault: 'host' } : { network: `${address.toString()}/${bits}` }
}

const bitsIn = (address: ipaddr.IPv4 | ipaddr.IPv6): number => address.toByteArray().length * 8

/** Tells if a bit behind the prefix is set: the text may mean the network, or the address. */
const hasHost = (address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean =>
  address.toByteArray().some((byte, index) => {
    const behind = Math.min(8, Math.max(0, (index + 1) * 8 - bits))
    return (byte & ((1 << behind) - 1)) !== 0
  })

/** Tells if the address is one of these, or in one of their networks. IPv4 mapped to IPv6 is IPv4. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const given = ipaddr.process(address)
  return networks.some((text) => {
    const [network, bits] = readNetwork(text)
    return network.kind() === given.kind() && given.match(network, bits)
  })
}

type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

const READ_MAX = 10_000 // texts
/** Networks by their text: to read a hundred of them again takes a millisecond of each request. */
const known = new Map<string, Network>()

/** Reads a network, or an address as one, that was found to be valid when it was stored. */
function readNetwork(text: string): Network {
  const read = known.get(text)
  if (read) return read
  const address = ipaddr.isValidCIDR(text) ? null : ipaddr.process(text)
  const network: Network = address ? [address, bitsIn(address)] : ipaddr.parseCIDR(text)
  if (known.size >= READ_MAX) known.clear()
  known.set(text, network)
  return network
}
