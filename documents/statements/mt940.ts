/**
 * Statements as MT940 of SWIFT: messages of at most 2,000 characters for each currency, which carry the balance from one
 * to the next (60M, 62M).
 */
import { type Account, type Line, type Report, lineOf } from '../../domain/exports/report.ts'
import { Unwritable } from '../../domain/exports/export.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import {
  type Statement,
  describe,
  endOf,
  inPieces,
  numberOf,
  readBic,
  readIban,
  shorten,
  statementsOf,
  toSecond,
} from './accounts.ts'
import { codesOf } from './codes.ts'
import { transliterate } from '../../domain/transliterate.ts'

const MESSAGE_CHARACTERS = 2000
/** A last balance, and the end of the message. */
const END_CHARACTERS = 40
/** Field 86: lines, and characters of each. */
const [LINES, LINE_CHARACTERS] = [6, 65]
/** An amount with its comma. */
const AMOUNT_CHARACTERS = 15
/** Statement and sequence number of field 28C have five digits. */
const SEQUENCES = 99_999
const REFERENCE_CHARACTERS = 16
const NO_REFERENCE = 'NONREF'
const LINE_END = '\r\n'

/** Writes a file. Throws `Unwritable` for used accounts in coins, and for amounts of more than 15 characters. */
export const mt940Of = (report: Report): AsyncGenerator<Uint8Array> => inPieces(messagesOf(report))

async function* messagesOf(report: Report): AsyncGenerator<string> {
  for (const statement of await statementsOf(report)) yield* messagesFor(report, statement)
}

async function* messagesFor(report: Report, { account, pages }: Statement): AsyncGenerator<string> {
  const { currency, opening, closing } = account
  let [balance, day, number] = [toMinor({ amount: opening, currency }), toSecond(report.from), 0]
  const between = () => balanceOf(fromMinor(balance, currency).amount, currency, day)
  let message = headOf(report, account, number) + field('60F', between())
  for await (const page of pages) {
    for (const row of page) {
      const line = lineOf(row)
      const entry = entryOf(line)
      if (message.length + entry.length + END_CHARACTERS > MESSAGE_CHARACTERS) {
        yield `${message}${field('62M', between())}-${LINE_END}`
        number += 1
        message = headOf(report, account, number) + field('60M', between())
      }
      message += entry
      const minor = toMinor(line)
      balance += line.direction === 'in' ? minor : -minor
      day = line.postedAt.slice(0, 10)
    }
  }
  yield `${message}${field('62F', balanceOf(closing, currency, endOf(report).instant))}-${LINE_END}`
}

const field = (tag: string, content: string): string => `:${tag}:${content}${LINE_END}`

/** Begins a message: reference, account, and number of statement and message; five digits begin again behind the last. */
function headOf({ id }: Report, account: Account, message: number): string {
  const numbers = `${1 + ((account.number - 1) % SEQUENCES)}/${1 + (message % SEQUENCES)}`
  const reference = id.replaceAll('-', '').slice(-REFERENCE_CHARACTERS).toUpperCase()
  return field('20', reference) + field('25', identify(account)) + field('28C', numbers)
}

/** Identifies the account in 35 characters: its IBAN, or BIC and number, or our id. */
function identify(account: Account): string {
  const { bank } = account
  const [iban, bic] = [readIban(bank?.iban ?? null), readBic(bank?.bic ?? null)]
  const number = transliterate(numberOf(account))
  return (iban ?? (bic ? `${bic}/${number}` : number)).slice(0, 35)
}

/** Writes a date as YYMMDD. */
const dateOf = (iso: string): string => iso.slice(2, 10).replaceAll('-', '')

/** Writes an amount without its sign: a comma, also without decimals. */
function amountOf(amount: string): string {
  const [whole, decimals = ''] = amount.replace(/^-/, '').split('.')
  const written = `${whole},${decimals}`
  if (written.length > AMOUNT_CHARACTERS) throw new Unwritable('amount_too_large', 'MT940 has 15 characters')
  return written
}

const balanceOf = (amount: string, currency: string, iso: string): string =>
  `${amount.startsWith('-') ? 'D' : 'C'}${dateOf(iso)}${currency}${amountOf(amount)}`

function entryOf(line: Line): string {
  const { id, postedAt, direction, amount } = line
  const day = dateOf(postedAt)
  const bank = id.replaceAll('-', '').slice(-REFERENCE_CHARACTERS).toUpperCase()
  const entry = `${day}${day.slice(2)}${direction === 'in' ? 'C' : 'D'}${amountOf(amount)}${codesOf(line).swift}`
  const text = textOf(line)
  return field('61', `${entry}${referenceOf(line)}//${bank}`) + (text && field('86', text))
}

/** Writes the reference for the owner of the account; one that is too long is in field 86 alone. */
function referenceOf({ reference, invoiceNumber, type }: Line): string {
  const given = type === 'fee' ? '' : transliterate(invoiceNumber || reference)
  const isReference = given !== '' && given.length <= REFERENCE_CHARACTERS && !/^\/|\/$|\/\//.test(given)
  return isReference ? given : NO_REFERENCE
}

/** Writes field 86. What does not fit is left out of the middle of what the payment is for. */
function textOf(line: Line): string {
  const said = transliterate(describe(line.type, line.description))
  let most = said.length
  for (;;) {
    const { lines, left } = linesOf(wordsOf(line, shorten(said, most)))
    if (left === 0 || most === 0) return lines
    most = Math.max(0, most - left)
  }
}

/** Says whom the money is from or goes to, and what for; a fee has no party. */
function wordsOf(line: Line, said: string): string {
  const { type, counterparty, account, bic, paymentId, invoiceNumber, reference, description } = line
  const party = [
    ['NAME', counterparty],
    [readIban(account) ? 'IBAN' : 'ACCT', readIban(account) ?? account],
    ['BIC', bic],
    ['EREF', paymentId.replaceAll('-', '')],
  ]
  const purpose = [
    ['INV', invoiceNumber],
    ['REF', reference === description ? '' : reference],
    ['REMI', said],
  ]
  const parts = type === 'fee' ? purpose : [...party, ...purpose]
  return parts
    .flatMap(([code = '', text]) => (text ? [`/${code}/${withoutCodes(code, transliterate(text))}`] : []))
    .join('')
}

const CODES = /(?:^|\/)(?=(NAME|IBAN|ACCT|BIC|EREF|INV|REF|REMI)(?:\/|$))/g

/** Puts a space where text would begin another part of the field, such as an IBAN in a name. */
const withoutCodes = (code: string, text: string): string =>
  text.replaceAll(CODES, (begin, named: string) => (begin === '' && named === code ? '' : ' '))

/** Breaks text into lines, none of which begins as a field or the end of a message does; `left` signs do not fit. */
function linesOf(text: string): { readonly lines: string; readonly left: number } {
  const lines: string[] = []
  let rest = text
  while (rest && lines.length < LINES) {
    const safe = /^[:-]/.test(rest) ? ` ${rest}` : rest
    const end = endOfLine(safe)
    lines.push(safe.slice(0, end).trimEnd())
    rest = safe.slice(end)
  }
  return { lines: lines.filter(Boolean).join(LINE_END), left: rest.length }
}

/**
 * Finds where to break: between two signs, because a reader that trims lines would join `/` and ` IBAN/…` to a code;
 * otherwise before a space.
 */
function endOfLine(text: string): number {
  if (text.length <= LINE_CHARACTERS) return text.length
  for (let end = LINE_CHARACTERS; end > 0; end -= 1) {
    if (/^[^ ][^ :-]/.test(text.slice(end - 1))) return end
  }
  return text.slice(0, LINE_CHARACTERS).trimEnd().length || LINE_CHARACTERS
}
