/** Resolution of webhook endpoint names to addresses that events may be sent to. */
import { promises as dns } from 'node:dns'
import { refuse } from '../../domain/errors.ts'
import { hostOf, isAddress, isLocalhost, mayConnect, webhookUrl } from '../../domain/webhooks/address.ts'
import { config } from '../config.ts'

export type Resolve = (name: string) => Promise<readonly string[]>
export type Names = { readonly live: boolean; readonly resolve: Resolve }

const ASKED_MS = 1000
const RESOLVED_MS = 3000
const NO_SUCH_NAME: readonly string[] = [dns.NOTFOUND, dns.NODATA, dns.BADNAME]
/** Most addresses; the connection could not try more in its time. */
const ADDRESSES_MAX = 8

/** Fault of a name without an address: unregistered (`unknown`), or no server answers now. */
export class NameFault extends Error {
  override readonly name = 'NameFault'
  constructor(
    readonly code: string,
    readonly unknown: boolean,
  ) {
    super(`the name has no address: ${code}`)
  }
}

/**
 * Resolves both kinds of addresses at the configured name servers, in at most three seconds. The system's own lookup
 * has two threads for the whole process, which slow servers of a few names would block.
 */
export async function resolveName(name: string): Promise<readonly string[]> {
  const resolver = new dns.Resolver({ timeout: ASKED_MS, tries: 2 })
  const timer = setTimeout(() => resolver.cancel(), RESOLVED_MS)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  const addresses = [four, six].flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []))
  if (addresses.length > 0) return addresses
  const codes = [four, six].map((kind) => (kind.status === 'rejected' ? codeOf(kind.reason) : dns.NODATA))
  const away = codes.find((code) => !NO_SUCH_NAME.includes(code))
  throw new NameFault(away ?? dns.NOTFOUND, away === undefined)
}

const codeOf = (reason: unknown): string => (reason as { code?: string }).code ?? 'unknown' // of node:dns, all have one

export const NAMES: Names = { live: config.live, resolve: resolveName }

/**
 * Resolves a URL's host to the addresses that may be connected to. Connect to one of these without another lookup: the
 * name could resolve to another address by then (DNS rebinding).
 */
export async function resolveAllowed(url: URL, { live, resolve }: Names): Promise<string[]> {
  const host = hostOf(url)
  const all = isAddress(host) ? [host] : isLocalhost(host) ? ['127.0.0.1', '::1'] : await resolve(host)
  return all.filter((address) => mayConnect(address, live)).slice(0, ADDRESSES_MAX)
}

/**
 * Checks the address of an endpoint, in up to three seconds, and returns its canonical form. A name whose servers do
 * not answer now passes, as does an unknown one in test: each connection checks again. Throws `invalid_webhook_url`.
 */
export async function checkWebhookUrl(given: string, names = NAMES): Promise<string> {
  const url = webhookUrl(given, names.live)
  const addresses = await resolveAllowed(url, names).catch((error: unknown) => {
    if (!(error instanceof NameFault)) throw error
    if (error.unknown && names.live) refuse('invalid_webhook_url', { reason: 'name_unknown' })
    return null
  })
  if (addresses?.length === 0) refuse('invalid_webhook_url', { reason: 'address_not_public' })
  return url.href === `${given}/` ? given : url.href
}
