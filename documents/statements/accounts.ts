/** Parts of files for accounting programs: accounts in currencies of ISO 4217, ends of ranges, pieces. */
import { hasCheckDigits } from '../../domain/destinations/iban.ts'
import { Unwritable } from '../../domain/exports/export.ts'
import type { Account, Report, Row, Section } from '../../domain/exports/report.ts'
import { isCoin } from '../../domain/money/currencies.ts'

/** Name of the servicer of the accounts. */
export const SERVICE = 'business-finance-service'
const PIECE_CHARACTERS = 64 * 1024

/** A section of an account. */
export type Statement = Section & { readonly account: Account }

/**
 * Selects the accounts in currencies of ISO 4217; an empty one in USD if there is none, since a file has at least one.
 * Throws `Unwritable` for a coin that is not empty.
 */
export async function statementsOf(report: Report): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  for (const section of report.sections) {
    const { account } = section
    if (!account) throw new Error('a statement is of accounts')
    if (isCoin(account.currency)) await requireUnused(account, section)
    else statements.push({ ...section, account })
  }
  return statements.length > 0 ? statements : [emptyStatement(report)]
}

async function requireUnused({ currency, opening, closing }: Account, { rows }: Section): Promise<void> {
  const isUsed = [opening, closing].some((amount) => /[1-9]/.test(amount))
  if (isUsed || (await rows()) > 0) throw new Unwritable('format_not_supported', `this format has no ${currency}`)
}

const NOTHING = { rows: 0, amount: '0.00' }

const emptyStatement = ({ organization: { id } }: Report): Statement => ({
  account: { id, currency: 'USD', opening: '0.00', closing: '0.00', number: 1, bank: null },
  rows: async () => 0,
  sums: async () => ({ in: NOTHING, out: NOTHING }),
  pages: noPages(),
})
async function* noPages(): AsyncGenerator<readonly Row[]> {}

/** Joins texts to pieces of about 64 KiB. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    yield Buffer.from(piece)
    piece = ''
  }
  if (piece) yield Buffer.from(piece)
}

const DAY_MS = 86_400_000
const isDay = (dayOrInstant: string): boolean => dayOrInstant.length === 10

/** Writes an instant of ISO 8601 to the second: programs refuse fractions. */
export const toSecond = (instant: string | number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`

/** Finds the last second of a range that the report knows; `isOver` if it ends a day of the past. */
export function endOf({ from, to, at }: Pick<Report, 'from' | 'to' | 'at'>): { instant: string; isOver: boolean } {
  const [begin, asked, now] = [Date.parse(from), Date.parse(to) + (isDay(to) ? DAY_MS - 1000 : 0), Date.parse(at)]
  const isOver = isDay(to) && now >= asked + 1000
  return { instant: toSecond(Math.max(begin, Math.min(asked, now))), isOver }
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
/** ISO 9362. */
const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** Reads an IBAN, with or without spaces; null for anything else. */
export function readIban(text: string | null): string | null {
  const iban = (text ?? '').replaceAll(' ', '').toUpperCase()
  return IBAN.test(iban) && hasCheckDigits(iban) ? iban : null
}

export function readBic(text: string | null): string | null {
  const bic = (text ?? '').replaceAll(' ', '').toUpperCase()
  return BIC.test(bic) ? bic : null
}

/** Reads the number of an account at its bank: our id if the bank gave none that can be written. */
export const numberOf = ({ id, bank }: Account): string =>
  (bank?.number ?? '').replaceAll(/[\p{C}\p{M}]/gu, '').trim() || id.replaceAll('-', '')

/** Describes a movement in words of people: a fee names what it is of, and no party. */
export const describe = (type: string, description: string): string =>
  type === 'fee' ? `Fee: ${description || 'payment'}` : description

const GAP = ' ... '

/** Shortens text in its middle: what payers write ends with numbers as often as it begins with them. */
export function shorten(text: string, max: number): string {
  const signs = Array.from(text)
  if (signs.length <= max) return text
  const kept = Math.max(0, max - GAP.length)
  const end = Math.floor(kept / 2)
  return `${signs.slice(0, kept - end).join('')}${GAP}${signs.slice(signs.length - end).join('')}`
}
