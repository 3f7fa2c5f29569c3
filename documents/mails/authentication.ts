/** Results of a gateway about a sender: `Authentication-Results` (RFC 8601). */
import { CHECK_RESULTS, type Authentication, type CheckResult } from '../../domain/inbound-mails/inbound-mail.ts'

/** Result of one method, with its properties such as `header.d`. */
type MethodResult = { readonly method: string; readonly result: CheckResult; readonly of: ReadonlyMap<string, string> }

const NOTHING: Authentication = { verdict: 'none', dmarc: null, dkim: null, spf: null }
const HEADERS_MAX = 20
const HEADER_LENGTH_MAX = 8192

/**
 * Reads what the gateway of this id found about the domain of `From`. Headers of any other id are those of strangers,
 * and say nothing. A failure counts before a success.
 */
export function readAuthentication(
  headers: readonly string[],
  gateway: string | null,
  fromDomain: string | null,
): Authentication {
  if (gateway === null || fromDomain === null) return NOTHING
  const results = headers
    .slice(0, HEADERS_MAX)
    .filter(({ length }) => length <= HEADER_LENGTH_MAX)
    .flatMap((header) => resultsOf(header, gateway))
  const named = (method: string) => results.filter((one) => one.method === method)
  const dmarcs = named('dmarc').filter(({ of }) => isSameDomain(of.get('header.from') ?? fromDomain, fromDomain))
  const dkims = named('dkim').filter(({ of }) => isAligned(domainOfSigner(of), fromDomain))
  const dmarc = worst(dmarcs)
  const dkim = dkims.some(({ result }) => result === 'pass') ? 'pass' : worst(named('dkim'), 'pass')
  return { verdict: judge(dmarc, dkim), dmarc, dkim, spf: worst(named('spf')) }
}

/** Judges by DMARC where it was checked, else by a signature of the domain itself. */
function judge(dmarc: CheckResult | null, dkim: CheckResult | null): Authentication['verdict'] {
  if (dmarc === 'pass') return 'pass'
  if (dmarc === 'fail' || dmarc === 'permerror') return 'fail'
  if (dkim === 'pass') return 'pass'
  return dkim === 'fail' || dkim === 'permerror' || dkim === 'policy' ? 'fail' : 'none'
}

/** Chooses the result that speaks most against the sender; leaves out those `without` counts for nothing. */
function worst(results: readonly MethodResult[], without?: CheckResult): CheckResult | null {
  const found = results.map(({ result }) => result).filter((result) => result !== without)
  const order: readonly CheckResult[] = ['fail', 'permerror', 'policy', 'softfail', 'temperror', 'neutral', 'none']
  return order.find((result) => found.includes(result)) ?? found[0] ?? null
}

const domainOfSigner = (of: ReadonlyMap<string, string>): string | null => {
  const identity = of.get('header.i')
  return of.get('header.d') ?? (identity === undefined ? null : identity.slice(identity.lastIndexOf('@') + 1))
}

const isSameDomain = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Tells if a signer is the domain, or one above it that has a dot. */
function isAligned(signer: string | null, domain: string): boolean {
  if (!signer?.includes('.')) return false
  return isSameDomain(signer, domain) || domain.toLowerCase().endsWith(`.${signer.toLowerCase()}`)
}

/** Reads the results of a header of this gateway; none of another one, or in another version of the header. */
function resultsOf(header: string, gateway: string): MethodResult[] {
  const [first = '', ...rest] = splitAtSemicolons(withoutComments(header))
  const [id = '', version = '1'] = words(first)
  if (id.toLowerCase() !== gateway.toLowerCase() || version !== '1') return []
  return rest.flatMap((text) => {
    const [said = '', ...properties] = words(text)
    const [method = '', result = ''] = said.toLowerCase().split('=', 2)
    if (method === '' || result === '') return []
    const of = properties.flatMap((property) => {
      const at = property.indexOf('=')
      return at > 0 ? [[property.slice(0, at).toLowerCase(), property.slice(at + 1)] as const] : []
    })
    // `dkim/1`: a method may name its version
    return [{ method: method.split('/', 1)[0] ?? '', result: resultOf(result), of: new Map(of) }]
  })
}

const resultOf = (word: string): CheckResult => CHECK_RESULTS.find((known) => known === word) ?? 'other'

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Removes comments, which may hold comments, and the quotes of values. */
function withoutComments(text: string): string {
  let [depth, isQuoted] = [0, false]
  const kept: string[] = []
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') {
      at += 1
      if (depth === 0) kept.push(isQuoted ? '_' : ' ') // what is escaped is no part of a word that counts
    } else if (sign === '"' && depth === 0) isQuoted = !isQuoted
    else if (isQuoted) kept.push(/[\s;=]/.test(sign) ? '_' : sign)
    else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept.push(sign)
  }
  // what is not closed hides the rest, as a reader of the header would have it
  return kept.join('')
}

const splitAtSemicolons = (text: string): string[] => text.split(';').map((part) => part.trim())
