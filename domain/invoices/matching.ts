/** Matching of an incoming payment with open invoices: certain, possible, or none. */
import { swissReferencesOf } from '../invoice-documents/swiss-code.ts'
import { companyKeyOf } from '../company-names.ts'
import { findUntransliterable, transliterate } from '../transliterate.ts'
import { wordsIn } from './search.ts'

/**
 * Open invoice in the currency of the payment, with `due` at its precision. It is `closed` if a person has just marked
 * it as paid elsewhere: only its number and its exact amount together may change that.
 */
export type OpenInvoice = {
  readonly id: string
  readonly number: string
  readonly buyer_reference: string | null
  readonly internal_reference_number: string | null
  readonly customer: string
  readonly due: string
  /** Amounts that would settle it early on the day of the payment. */
  readonly early: readonly string[]
  readonly closed: boolean
}

export type IncomingPayment = {
  readonly amount: string
  /** Text of the payer. */
  readonly text: string | null
  readonly payer: string | null
}

const NAMES = ['number', 'buyer_reference', 'internal_reference_number'] as const
type Name = (typeof NAMES)[number]

export type Match =
  | { readonly kind: 'certain'; readonly invoiceId: string; readonly by: Name }
  /** Likeliest invoice first. */
  | { readonly kind: 'possible'; readonly invoiceIds: readonly string[] }
  | { readonly kind: 'none' }

/** Most proposed invoices. */
const POSSIBLE_MAX = 20
/** Fewest characters of a reference; a shorter one is in many texts by chance. */
const REFERENCE_MIN = 4

/** Most words of a reference that can be found. */
const REFERENCE_WORDS_MAX = 12

/** Letters that are none with an accent, as people write them who leave the stroke out. */
const STROKES: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
}

/** Splits a text in words: without accents, without strokes, and as a bank transliterates it; each form once. */
function formsOf(text: string): string[][] {
  const words = wordsIn(text)
  if (/^[ -~]*$/.test(text)) return [words]
  const bare = words.map((word) => word.replaceAll(/[łøđðæœþıħ]/g, (letter) => STROKES[letter] ?? letter))
  // a letter that becomes a full stop would leave another reference
  const forms = findUntransliterable(text) ? [words, bare] : [words, bare, wordsIn(transliterate(text))]
  return [...new Map(forms.map((form) => [form.join(' '), form])).values()]
}

/** Reduces references to letters and digits, by which they are found, in each of their forms. */
export const referenceKeys = (references: readonly (string | null)[]): string[] =>
  references
    .flatMap((reference) => formsOf(reference ?? '').map((words) => words.join('')))
    .filter((key) => key.length >= REFERENCE_MIN)

export const keysIn = (text: string): string[] => [...new Set(formsOf(text).flatMap(spansOf))]

/** Joins each word of a text with those after it. */
const spansOf = (words: readonly string[]): string[] =>
  words.flatMap((_, first) =>
    words.slice(first, first + REFERENCE_WORDS_MAX).map((_word, more) => words.slice(first, first + more + 1).join('')),
  )

/** Reads the first word of a payer's name that is no legal form; null without a name. */
export function payerWord(payer: string | null): string | null {
  const words = wordsIn(payer ?? '')
  return words.find((word) => companyKeyOf(`payer ${word}`) !== 'payer') ?? words[0] ?? null
}

/**
 * Matches a payment with invoices. It is certain if the text names one open invoice with this due amount, or what an
 * early payment has to be, and has the number of no other open one. Possible are invoices that are named, have this
 * amount, or whose customer is the payer, however both are spelled.
 */
export function matchOf(payment: IncomingPayment, invoices: readonly OpenInvoice[]): Match {
  const texts = formsOf(payment.text ?? '')
  const payer = companyKeyOf(payment.payer ?? '')
  const known = invoices
    .map((invoice) => ({
      id: invoice.id,
      closed: invoice.closed,
      by: NAMES.find((name) => namesOf(invoice, name).some((one) => texts.some((text) => stands(one, text)))),
      sameAmount: [invoice.due, ...invoice.early].includes(payment.amount),
      samePayer: payer !== '' && companyKeyOf(invoice.customer) === payer,
    }))
    .filter(({ closed, by, sameAmount, samePayer }) =>
      closed ? by === 'number' && sameAmount : by !== undefined || sameAmount || samePayer,
    )
  const [paid, ...others] = known.filter(({ by, sameAmount }) => by !== undefined && sameAmount)
  const isCertain = others.length === 0 && known.every(({ id, by }) => id === paid?.id || by !== 'number')
  if (paid?.by && isCertain) return { kind: 'certain', invoiceId: paid.id, by: paid.by }
  const open = known.filter(({ closed }) => !closed)
  if (open.length === 0) return { kind: 'none' }
  const likeliest = open.toSorted((a, b) => likelihood(b) - likelihood(a)).map(({ id }) => id)
  return { kind: 'possible', invoiceIds: likeliest.slice(0, POSSIBLE_MAX) }
}

/** Lists what payers call an invoice: its number also as the reference of a Swiss QR bill. */
const namesOf = (invoice: OpenInvoice, name: Name): readonly (string | null)[] =>
  name === 'number' ? [invoice.number, ...swissReferencesOf(invoice.number)] : [invoice[name]]

type Likely = { readonly by: Name | undefined; readonly sameAmount: boolean; readonly samePayer: boolean }

const likelihood = ({ by, sameAmount, samePayer }: Likely): number =>
  (by === undefined ? 0 : 4) + (sameAmount ? 2 : 0) + (samePayer ? 1 : 0)

/**
 * Tells if a text has a reference as whole words. It ignores case, accents and punctuation. `INV-000001` is neither in
 * `INV-0000012` nor in `1INV-000001`. Blanks may replace its punctuation, or split a letter from a digit.
 */
export const stands = (reference: string | null, text: readonly string[]): boolean =>
  formsOf(reference ?? '').some((parts) => standsAs(parts, text))

function standsAs(parts: readonly string[], text: readonly string[]): boolean {
  const sought = parts.join('')
  if (sought.length < REFERENCE_MIN) return false
  const joints = new Set<number>()
  parts.reduce((end, part) => {
    joints.add(end)
    return end + part.length
  }, 0)
  return text.some((_, first) => isSpelled(sought, joints, text.slice(first)))
}

/** Tells if the words begin with the reference, as whole words. */
function isSpelled(sought: string, joints: ReadonlySet<number>, words: readonly string[]): boolean {
  let end = 0
  for (const word of words) {
    const follows = end === 0 || joints.has(end) || isDigit(sought[end - 1]) !== isDigit(word[0])
    if (!follows || !sought.startsWith(word, end)) return false
    end += word.length
    if (end === sought.length) return true
  }
  return false
}

const isDigit = (character: string | undefined): boolean => /\p{N}/u.test(character ?? '')
