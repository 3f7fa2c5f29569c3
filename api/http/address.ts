/** Network address of a caller behind our own proxies, and the network that it belongs to. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const NETWORK_GROUPS = 4 // a /64, the least that one site is given (RFC 6177)

/**
 * Finds the address of the caller, in one spelling (RFC 5952). Each of our proxies appends the address that it saw to
 * `X-Forwarded-For`. With `hops` proxies the caller is the `hops`-th entry from the end; entries before it are the
 * caller's own claim. With fewer entries, or no address in that place, it is the direct address.
 */
export function callerAddress(direct: string | undefined, forwardedFor: string | undefined, hops: number): string {
  const forwarded = hops > 0 ? forwardedFor?.split(',').at(-hops)?.trim() : undefined
  return String(parseAddress(withoutPort(forwarded ?? '')) ?? parseAddress(direct ?? '') ?? 'unknown')
}

/** Selects the network for limits: an IPv4 address itself, the /64 of an IPv6 address, else the text. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return address
  const known = parseAddress(address)
  if (known === undefined || known instanceof ipaddr.IPv4) return String(known ?? address)
  const groups = known.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Removes brackets and port: some proxies write `1.2.3.4:5678`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
function withoutPort(text: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/** Parses an address without its zone; IPv4 mapped to IPv6 (RFC 4291) becomes IPv4. Undefined if it is none. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0) return undefined // the library reads `1.2.3` and `010.2.3.4` too
  return ipaddr.process(text.replace(/%.*/s, ''))
}
