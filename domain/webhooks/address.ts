/** Addresses that events may be sent to: only public ones, in any notation. */
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { refuse } from '../errors.ts'
import { line } from '../text.ts'

const URL_MAX = 2048
/** Lowest port without privileges. */
const PORT_MIN = 1024
/** Assigned part of IPv6 (IANA, IPv6 Global Unicast Address Assignments); the rest carries IPv4, or nothing. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** Public addresses of cloud metadata services: Azure's. */
const METADATA = new Set(['168.63.129.16'])
/** Names of a machine or private network (RFC 6761, 6762, 8375, ICANN's `internal`). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/

/** Address of an endpoint as given; `webhookUrl()` checks it. */
export const GivenWebhookUrl = v.pipe(
  line(1, URL_MAX),
  v.metadata({ jsonSchema: { type: 'string', format: 'uri', minLength: 1, maxLength: URL_MAX } }),
)

/**
 * Parses the address of an endpoint to its canonical form (WHATWG URL). The address shown is the one connected to. In
 * test, http and this machine are allowed too. Throws `invalid_webhook_url` with `details.reason`.
 */
export function webhookUrl(given: string, live: boolean): URL {
  if (!URL.canParse(given)) return refuseAddress('no_url')
  const url = new URL(given)
  url.hostname = url.hostname.replace(/\.$/, '') // the same name, in a form that no certificate has
  if (url.href.length > URL_MAX) return refuseAddress('no_url')
  if (url.protocol !== 'https:' && (live || url.protocol !== 'http:')) return refuseAddress('not_https')
  if (url.username !== '' || url.password !== '') return refuseAddress('has_credentials')
  if (given.includes('#')) return refuseAddress('has_fragment')
  if (url.port !== '' && Number(url.port) < PORT_MIN) return refuseAddress('port_not_allowed')
  const host = hostOf(url)
  const allowed = isAddress(host) ? mayConnect(host, live) : isPublicName(host) || (!live && isLocalhost(host))
  return allowed ? url : refuseAddress('address_not_public')
}

const refuseAddress = (reason: string): never => refuse('invalid_webhook_url', { reason })

/** Reads the host of a URL as name or address, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/g, '')

/** Tells if a host is an IP address; the library alone would take `127.1` and `0177.0.0.1` too. */
export const isAddress = (host: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)

/** Tells if a name is this machine's (RFC 6761, 6.3), which is not looked up. */
export const isLocalhost = (name: string): boolean => /(^|\.)localhost$/.test(name)

const isPublicName = (name: string): boolean =>
  !LOCAL_NAME.test(name) && /^[^.]+(\.[^.]+)+$/.test(name) && !/[^a-z0-9._-]/.test(name)

/** Tells if events may be sent to an address; in test also to this machine. */
export const mayConnect = (address: string, live: boolean): boolean =>
  isPublicAddress(address) || (!live && isAddress(address) && ipaddr.parse(address).range() === 'loopback')

/**
 * Tells if an IP address is reached over the internet: none of RFC 6890, of a cloud's metadata, or of IPv6 that embeds
 * IPv4 (mapped, compatible, NAT64, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!isAddress(address) || address.includes('%')) return false // a zone is of this machine
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 ? !METADATA.has(String(parsed)) : parsed.match(GLOBAL_UNICAST)
}
