/** Where a caller is: the network address behind the proxies that are ours, and the network it belongs to. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

const NETWORK_GROUPS = 4 // a /64, the least that one site is given (RFC 6177)

/**
 * The address of the caller, in one spelling (RFC 5952). Each proxy of ours adds whom it saw at the end of
 * `X-Forwarded-For`: with `hops` of them the caller is the `hops`-th entry from the end, and everything before it is
 * the caller's own tale. With fewer entries, or no address in that place, it is the direct address.
 */
export function callerAddress(direct: string | undefined, forwardedFor: string | undefined, hops: number): string {
  const forwarded = hops > 0 ? forwardedFor?.split(',').at(-hops)?.trim() : undefined
  return String(parsed(withoutPort(forwarded ?? '')) ?? parsed(direct ?? '') ?? 'unknown')
}

/** The network that limits count: an IPv4 address as it is, of an IPv6 address its /64. Anything else is itself. */
export function networkOf(address: string): string {
  if (isIP(address) === 4) return address
  const known = parsed(address)
  if (known === undefined || known instanceof ipaddr.IPv4) return String(known ?? address)
  const groups = known.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Some proxies write `1.2.3.4:5678`, `[2001:db8::1]:443` or `[2001:db8::1]`. */
function withoutPort(text: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? []
  return bracketed ?? dotted ?? text
}

/** Without its zone; IPv4 as an IPv6 socket shows it (RFC 4291) is IPv4. Undefined for what is no address. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 0) return undefined // the library reads `1.2.3` and `010.2.3.4` too
  return ipaddr.process(text.replace(/%.*/s, ''))
}
