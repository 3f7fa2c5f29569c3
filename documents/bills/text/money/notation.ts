/** Notation of a page's amounts: its decimal sign, and the decimals of its currencies. */
import { digitsOf } from '../../../../domain/money/currencies.ts'
import { CURRENCY_WORDS, currencyOf } from '../labels/currencies.ts'
import { fold } from '../labels/fold.ts'
import { LABELS } from '../labels/labels.ts'
import type { Cell, Line } from '../words.ts'
import { type Notation, UNKNOWN, amountsIn } from './amounts.ts'

export type FoundCurrency = { readonly code: string; readonly cell: Cell }

/** Finds the notation of a page. */
export function notationOf(lines: readonly Line[]): Notation {
  const codes = [...new Set(currenciesIn(lines).map(({ code }) => code))]
  const isShared = lines.some(({ text }) => /[$¥元]|\bkr\b|\brs\b/i.test(text))
  const all = [...codes.map((code) => digitsOf(code) ?? 2), ...(isShared ? [2] : [])]
  const digits = new Set(all).size === 1 ? (all[0] ?? null) : all.length > 0 && !all.includes(3) ? 2 : null
  return { decimal: decimalSignOf(lines), digits }
}

/** Finds currencies beside numbers, alone in a cell, behind a label, or in words. */
export function currenciesIn(lines: readonly Line[]): FoundCurrency[] {
  const found = lines.flatMap(({ cells }) =>
    cells.flatMap((cell, column) => {
      const text = fold(cell.text)
      const isNamed = LABELS.currency.test(text) || /\((?:in )?[a-z]{3}\)|\bin [a-z]{3}$/.test(text)
      const named = isNamed ? [cell, ...cells.slice(column + 1, column + 2)].flatMap(codesIn) : []
      const beside = amountsIn(cell.text, UNKNOWN).map(({ currency }) => ({ code: currency, cell }))
      const alone = { code: currencyOf(cell.text.trim()), cell }
      return [...named, ...beside, alone].flatMap(({ code, cell: at }) =>
        typeof code === 'string' ? [{ code, cell: at }] : [],
      )
    }),
  )
  return found.length > 0 ? found : currenciesInWords(lines)
}

const codesIn = (cell: Cell): { code: string; cell: Cell }[] =>
  cell.words.flatMap((word) =>
    word.text
      .split(/[^\p{L}\p{Sc}]+/u)
      .map((sign) => currencyOf(sign))
      .flatMap((code) =>
        typeof code === 'string' ? [{ code, cell: { ...word, page: cell.page, words: [word] } }] : [],
      ),
  )

const currenciesInWords = (lines: readonly Line[]): FoundCurrency[] =>
  lines.flatMap(({ cells }) =>
    cells.flatMap((cell) =>
      Object.entries(CURRENCY_WORDS).flatMap(([code, words]) => (words.test(fold(cell.text)) ? [{ code, cell }] : [])),
    ),
  )

/** Two decimals, or three behind a thousand. */
const BOTH_SIGNS = /\d([.,'’  ])\d{3}([.,])\d{2,3}(?![\d.,%])/g
const DECIMALS = /\d([.,])\d\d(?![\d.,%/:-]| ?%)/g
const ONLY_AMOUNT = /^\p{Sc}?\s?-?\d[\d.,'’  ]*[.,]\d\d$/u
const OF_QUANTITY =
  /qty|quantity|menge|anzahl|quantite|qte|cantidad|aantal|quantita|antal|ilosc|hours|stunden|rate|satz|taux|tasa|tarief|aliquota|tel|fax|phone/

/** Finds the decimal sign by amounts alone: those with both signs, then with currencies or labels, then bare ones. */
function decimalSignOf(lines: readonly Line[]): '.' | ',' | null {
  const cells = lines.flatMap((line) => line.cells.map((cell) => ({ cell, line })))
  const ofPhone = (text: string) => /\d[.,]\d{2}[.,]\d{2}(?!\d)/.test(text) || /(?:\+|00)\d{2}/.test(text)
  const from = (texts: readonly string[], pattern: RegExp): Set<string> =>
    new Set(texts.flatMap((text) => Array.from(text.matchAll(pattern), (match) => match.at(-1) ?? '')))
  const amounts = cells.filter(({ cell }) => !ofPhone(cell.text))
  const isMoney = ({ cell, line }: (typeof cells)[number]) =>
    amountsIn(cell.text, UNKNOWN).some(
      ({ currency, isMoney: said, decimals }) => said && (currency !== null || decimals !== 2),
    ) ||
    (LABELLED.some((label) => label.test(fold(line.text))) && !OF_QUANTITY.test(fold(cell.text)))
  const both = from(
    amounts.filter(({ cell }) => !/\d%|\d %/.test(cell.text)).map(({ cell }) => cell.text),
    BOTH_SIGNS,
  )
  const labelled = from(
    amounts.filter(isMoney).map(({ cell }) => cell.text),
    DECIMALS,
  )
  const bare = from(
    amounts
      .filter(({ cell, line }) => ONLY_AMOUNT.test(cell.text) && !isUnderQuantity(lines, line, cell))
      .map(({ cell }) => cell.text),
    DECIMALS,
  )
  const signs = [both, labelled, bare].find(({ size }) => size > 0)
  if (signs?.size !== 1) return null
  return signs.has(',') ? ',' : '.'
}
const LABELLED = [LABELS.payable, LABELS.gross, LABELS.total, LABELS.net]

/** Tells whether the words above or beside a cell are of a quantity, rate or telephone. */
function isUnderQuantity(lines: readonly Line[], line: Line, { box: [left, , width] }: Cell): boolean {
  if (line.cells.some(({ text }) => !/\d/.test(text) && OF_QUANTITY.test(fold(text)))) return true
  const above = lines.slice(0, lines.indexOf(line)).toReversed()
  for (const { page, cells } of above) {
    if (page !== line.page) return false
    const over = cells.find(({ box: [x, , w], text }) => x < left + width && x + w > left && !/\d/.test(text))
    if (over) return OF_QUANTITY.test(fold(over.text))
  }
  return false
}
