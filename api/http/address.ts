/** Where a caller is: the network address behind the proxies that are ours, and the network it belongs to. */
import { SocketAddress, isIPv4, isIPv6 } from 'node:net'

const GROUPS = 8 // of an IPv6 address
const NETWORK_GROUPS = 4 // a /64, the least that one site is given (RFC 6177)
const MAPPED = '::ffff:' // IPv4 as an IPv6 socket shows it (RFC 4291)

/**
 * The address of the caller, in one spelling (RFC 5952). Each proxy of ours adds whom it saw at the end of
 * `X-Forwarded-For`: with `hops` of them the caller is the `hops`-th entry from the end, and everything before it is the
 * caller's own tale. With fewer entries, or no address in that place, it is the direct address.
 */
export function callerAddress(direct: string | undefined, forwardedFor: string | undefined, hops: number): string {
  const forwarded = hops > 0 ? forwardedFor?.split(',').at(-hops)?.trim() : undefined
  return spelled(withoutPort(forwarded ?? '')) ?? spelled(direct ?? '') ?? 'unknown'
}

/** The network that limits count: an IPv4 address as it is, of an IPv6 address its /64. Anything else is itself. */
export function networkOf(address: string): string {
  const known = spelled(address)
  if (known === undefined || isIPv4(known)) return known ?? address
  const [head = [], tail] = known.split('::').map((side) => side.split(':').filter(Boolean))
  if (!tail) return `${head.slice(0, NETWORK_GROUPS).join(':')}::/64`
  const dotted = known.includes('.') ? 1 : 0 // an end like 1.2.3.4 is two groups
  const zeros = Array.from({ length: GROUPS - head.length - tail.length - dotted }, () => '0')
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Some proxies write `1.2.3.4:5678`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
function withoutPort(text: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/** Undefined for what is no address. */
function spelled(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text)) return undefined
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const inner = address.slice(MAPPED.length)
  return address.startsWith(MAPPED) && isIPv4(inner) ? inner : address
}
