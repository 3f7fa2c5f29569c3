/** Where events may be sent: to public addresses alone, in whatever form somebody writes one. */
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'
import { refuse } from '../errors.ts'
import { line } from '../text.ts'

const URL_MAX = 2048
/** The least port that needs no privileges: below it are mail servers, shells and directories, but for https itself. */
const PORT_MIN = 1024
/**
 * All of IPv6 that is given to anybody (IANA, IPv6 Global Unicast Address Assignments); the rest carries IPv4, or none.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')
/** A cloud's own address for its machines, in the midst of public ones: Azure's. */
const METADATA = new Set(['168.63.129.16'])
/** Names of a machine or of a network of one's own (RFC 6761, 6762, 8375, ICANN's `internal`, and usual ones). */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/

/** The address of an endpoint as somebody gives it; `webhookUrl()` says whether it may be one. */
export const GivenWebhookUrl = v.pipe(
  line(1, URL_MAX),
  v.metadata({ jsonSchema: { type: 'string', format: 'uri', minLength: 1, maxLength: URL_MAX } }),
)

/**
 * Reads the address of an endpoint. It has one form (WHATWG URL), so that what is shown is what is connected to: a
 * host in decimal, octal or other letters comes out as the address or name that it is. In `live` it is https and no
 * address or name of a machine or network of somebody's own; in test also http, and this machine.
 * Refuses: `invalid_webhook_url` with `details.reason`.
 */
export function webhookUrl(given: string, live: boolean): URL {
  if (!URL.canParse(given)) return refused('no_url')
  const url = new URL(given)
  url.hostname = url.hostname.replace(/\.$/, '') // of the same name, and one that no certificate has
  if (url.href.length > URL_MAX) return refused('no_url')
  if (url.protocol !== 'https:' && (live || url.protocol !== 'http:')) return refused('not_https')
  if (url.username !== '' || url.password !== '') return refused('has_credentials')
  if (given.includes('#')) return refused('has_fragment')
  if (url.port !== '' && Number(url.port) < PORT_MIN) return refused('port_not_allowed')
  const host = hostOf(url)
  const allowed = isAddress(host) ? mayConnect(host, live) : isPublicName(host) || (!live && isLocalhost(host))
  return allowed ? url : refused('address_not_public')
}

const refused = (reason: string): never => refuse('invalid_webhook_url', { reason })

/** The host of a URL as name or address: without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replaceAll(/^\[|\]$/g, '')

/**
 * Whether a host is an IP address, in the form of RFC 5952 or near it: the library would read `127.1` and `0177.0.0.1`
 * too.
 */
export const isAddress = (host: string): boolean =>
  ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)

/** Whether a name is this machine's (RFC 6761, 6.3): no server is asked for it. */
export const isLocalhost = (name: string): boolean => /(^|\.)localhost$/.test(name)

const isPublicName = (name: string): boolean =>
  !LOCAL_NAME.test(name) && /^[^.]+(\.[^.]+)+$/.test(name) && !/[^a-z0-9._-]/.test(name)

/** Whether events may be sent to this address. In test this machine may be one's receiver. */
export const mayConnect = (address: string, live: boolean): boolean =>
  isPublicAddress(address) || (!live && isAddress(address) && ipaddr.parse(address).range() === 'loopback')

/**
 * Whether an IP address is one that anybody reaches over the internet. None is that is private, loopback, link-local,
 * multicast, shared by a provider, reserved, for examples or benchmarks (RFC 6890), of a cloud's metadata, or an IPv6
 * address that stands for one of IPv4: mapped, compatible, NAT64, 6to4, Teredo.
 */
export function isPublicAddress(address: string): boolean {
  if (!isAddress(address) || address.includes('%')) return false // a zone is of this machine
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 ? !METADATA.has(String(parsed)) : parsed.match(GLOBAL_UNICAST)
}
