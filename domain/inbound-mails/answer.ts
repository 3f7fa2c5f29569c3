/** Answers to mails: which mails get one, so that no two programs write to each other for ever. */

/** Facts of a mail that say whether a person or a program wrote it. */
export type AnswerFacts = {
  readonly fromAddress: string | null
  readonly envelopeFrom: string | null
  /** Values of headers that programs set, in lower case. */
  readonly autoSubmitted: string | null
  readonly precedence: string | null
  readonly isBulk: boolean
  readonly ownDomains: readonly string[]
}

const PROGRAMS = /^(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|noreply[-_.].*|bounces?[-+_.=].*|bounces?)$/
const BULK = ['bulk', 'junk', 'list', 'auto_reply']

/**
 * Tells whether a mail is answered: never one of a program (RFC 3834), a list, an empty envelope, or our own domains.
 */
export function isAnswered(facts: AnswerFacts): boolean {
  const { fromAddress, envelopeFrom, autoSubmitted, precedence, isBulk, ownDomains } = facts
  if (!fromAddress || !envelopeFrom || isBulk) return false
  if (autoSubmitted !== null && !/^no\b/.test(autoSubmitted)) return false
  if (precedence !== null && BULK.includes(precedence)) return false
  return [fromAddress, envelopeFrom].every((address) => {
    const [local, domain] = partsOf(address)
    return !PROGRAMS.test(local) && !ownDomains.includes(domain)
  })
}

/** Splits an address into what is before and after its last `@`, in lower case. */
export function partsOf(address: string): readonly [local: string, domain: string] {
  const at = address.lastIndexOf('@')
  return [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()]
}
