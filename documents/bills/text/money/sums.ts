/** Labelled sums of a bill: in the row of their label, or beneath it. */
import { maskDates } from '../dates.ts'
import { fold } from '../labels/fold.ts'
import { LABELS } from '../labels/labels.ts'
import type { Cell, Line } from '../words.ts'
import { type Amount, type Notation, moneyIn } from './amounts.ts'
import { type RowAmount, amountsInRow, hasUnparsed, moneyInRow } from './rows.ts'

export type Kind = 'payable' | 'gross' | 'net' | 'total'
export type Sum = {
  readonly amount: Amount
  readonly cell: Cell
  readonly at: number
  readonly kind: Kind
  /** Why it needs a proof: another amount of its label, or money beside it that was not parsed. */
  readonly doubt: 'ambiguous_amount' | 'contradicted' | null
}

/** Lines from a heading to the last row of its table, at most. */
const HEADING_LINES = 12

/** Finds all sums; those under headings only if no row has a label. */
export function sumsIn(lines: readonly Line[], notation: Notation): Sum[] {
  const inRows = lines.flatMap((_, at) => inRow(lines, at, notation))
  const found = [...inRows, ...payablesBeneath(lines, inRows, notation)]
  return found.length > 0 ? found : lines.flatMap((_, at) => underHeadings(lines, at, notation))
}

/** Finds the strongest label: "total net" is a net amount, "amount due" more than a total. */
export function kindOf(text: string): Kind | undefined {
  if (LABELS.net.test(text) && !/brutto|ttc|a payer|a pagare|zu zahlen/.test(text)) return 'net'
  const plain = text.replace(/\b(?:mwst|vat|tax|tva|iva|btw)-?(?:betrag|total|amount|bedrag|summe)\b/, 'vat')
  if (LABELS.payable.test(plain)) return 'payable'
  if (LABELS.paid.test(plain)) return undefined
  if (LABELS.gross.test(plain)) return 'gross'
  const ofTax = LABELS.tax.test(plain) && !/in[ck]l|inclus|con iva|ivato/.test(plain)
  return LABELS.total.test(plain) && !ofTax ? 'total' : undefined
}

/** Stands for an amount that cannot be read. */
const UNREAD: Amount = {
  units: 0n,
  decimals: 0,
  currency: null,
  isMoney: true,
  isUnclear: true,
  isBare: false,
  text: '',
}

const sizeOf = ({ units }: Amount): bigint => (units < 0n ? -units : units)

const ANY_SUM = [LABELS.payable, LABELS.gross, LABELS.net, LABELS.total]
/** Words before a label, between it and its amount, and behind that; and of a label alone. */
const WORDS_MAX = { before: 3, between: 4, behind: 3, alone: 8 } as const
const countWords = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0

/** Tells whether the label of a sum begins its cell or ends before the amount: within a sentence it says another's. */
function isLabel(lines: readonly Line[], at: number, cell: Cell): boolean {
  const text = maskDates(fold(cell.text))
  const plain = text.replaceAll(/\([^()]*\)/g, ' ').replaceAll(/(?<!\d)\d+(?:[.,]\d+)? ?%/g, ' ')
  if (LABELS.later.test(plain)) return false
  const first = plain.search(/\d/)
  const head = first < 0 ? plain : plain.slice(0, first)
  const found = ANY_SUM.map((label) => label.exec(head)).find((match) => match !== null)
  // a sum in parentheses is no sentence
  if (!found) return countWords(plain) <= WORDS_MAX.before
  if (countWords(head.slice(0, found.index)) > WORDS_MAX.before) return false
  if (first < 0) return countWords(plain) <= WORDS_MAX.alone
  const [, behind = ''] = /\d(\D*)$/.exec(plain) ?? []
  if (countWords(head.slice(found.index + found[0].length)) > WORDS_MAX.between) return false
  return countWords(behind) <= WORDS_MAX.behind && !isWithinProse(lines, at, cell)
}

/** Words from which a line is one of a paragraph, and its distance in heights of a letter. */
const [PROSE_WORDS, PROSE_GAP] = [5, 2]

/** Tells whether a cell with label and amount is a part of a sentence over several lines. */
function isWithinProse(lines: readonly Line[], at: number, cell: Cell): boolean {
  const [left, top, , height] = cell.box
  const beside = (line: Line | undefined): string => {
    const [only, ...others] = line?.cells ?? []
    const isNear = line?.page === cell.page && Math.abs(line.box[1] - top) < height * PROSE_GAP
    const isAligned = only && Math.abs(only.box[0] - left) < height
    return only && isNear && isAligned && others.length === 0 && countWords(only.text) >= PROSE_WORDS ? only.text : ''
  }
  const [above, below] = [beside(lines[at - 1]), beside(lines[at + 1])]
  return (above !== '' && !/[.:!?;]$/.test(above)) || (/^\p{Ll}/u.test(below) && !/[.:!?;]$/.test(cell.text))
}

/** Distance of a label's lines in heights of a letter, and words of one. */
const [LABEL_GAP, LABEL_PART_WORDS] = [1.8, 3]
/** Words beneath a total that make it a net amount. */
const WITHOUT_TAX =
  /^\(?(?:excl|exkl|ex\.|hors|ht(?![a-z])|h\.t|before|without|ohne|zzgl|zuzuglich|sin |senza|net(?![a-z])|netto|bez |uden|utan|sem |zonder|plus)/

/** Finds the kind of a label, which may begin on the line above, or end on the one beneath. */
function kindAt(lines: readonly Line[], at: number, cell: Cell, notation: Notation): Kind | undefined {
  const text = fold(cell.text)
  const own = kindOf(text)
  const label = text.replace(/(?<![^\p{L}])[^\p{L}]*\d[^]*$/u, '')
  if (countWords(label) > LABEL_PART_WORDS) return own
  const [above, below] = [lines[at - 1], lines[at + 1]].map((line) => partOfLabel(line, cell, notation))
  const whole =
    above === undefined
      ? undefined
      : (kindOf(`${above.replace(/-$/, '')} ${text}`) ?? kindOf(above.replace(/-$/, '') + text))
  if (below !== undefined && (own ?? whole) !== undefined && WITHOUT_TAX.test(below)) return 'net'
  return whole ?? own
}

/** Finds a part of a label over or under a cell: alone in its column, in a row without amounts. */
function partOfLabel(
  line: Line | undefined,
  { page, box: [left, top, , height] }: Cell,
  notation: Notation,
): string | undefined {
  if (line?.page !== page || Math.abs(line.box[1] - top) > height * LABEL_GAP) return undefined
  const part = line.cells.find(({ box: [x] }) => Math.abs(x - left) < height)
  const isPart = part && line.cells.length <= 2 && !/\d/.test(line.text) && countWords(part.text) <= LABEL_PART_WORDS
  return isPart && moneyIn(line.text, notation).length === 0 ? fold(part.text) : undefined
}

/** Reads the sums of a row: each label has the amounts up to the next one, each amount its column's kind. */
function inRow(lines: readonly Line[], at: number, notation: Notation): Sum[] {
  const line = lines[at]
  if (!line) return []
  const labelled = line.cells.flatMap((cell, column) => {
    const kind = kindAt(lines, at, cell, notation)
    return kind === undefined || !isLabel(lines, at, cell) ? [] : [{ kind, column }]
  })
  return labelled.flatMap(({ kind, column }, index): Sum[] => {
    const cells = line.cells.slice(column, labelled[index + 1]?.column)
    const isUnparsed = hasUnparsed(line, cells, notation)
    const doubt = isUnparsed ? ('ambiguous_amount' as const) : null
    const sums = amountsOfSum(line, cells, notation).map((one): Sum => ({ kind, ...one, at, doubt }))
    if (sums.length === 0 && isUnparsed) {
      const [cell] = cells
      return cell ? [{ kind, amount: UNREAD, cell, at, doubt }] : []
    }
    if (new Set(sums.map(({ cell }) => cell)).size > 1) {
      const headed = sums.map((sum) => ({ ...sum, kind: headingOf(lines, at, sum.cell, notation) }))
      const known = headed.flatMap(({ kind, ...sum }) => (kind && kind !== 'tax' ? [{ ...sum, kind }] : []))
      if (headed.some((sum) => sum.kind !== undefined)) return known
    }
    if (kind === 'net') return sums.slice(-1)
    const last = largestOf(sums)
    return last ? [isSumOf(last, sums) ? last : { ...last, doubt: doubt ?? 'contradicted' }] : []
  })
}

/** Distance of an amount beneath its label, in heights of the larger letters. */
const BENEATH = 3

/** Finds payable amounts that stand alone beneath their label, without any in its row. */
function payablesBeneath(lines: readonly Line[], sums: readonly Sum[], notation: Notation): Sum[] {
  return lines.flatMap((line, at) =>
    line.cells.flatMap((label): Sum[] => {
      const isAlone = kindOf(fold(label.text)) === 'payable' && !/\d/.test(label.text) && isLabel(lines, at, label)
      if (!isAlone || sums.some((sum) => sum.at === at)) return []
      for (const [index, below] of lines.slice(at + 1, at + 1 + BENEATH).entries()) {
        const height = Math.max(label.box[3], below.box[3])
        if (below.page !== line.page || below.box[1] - line.box[1] > height * BENEATH) return []
        const cell = below.cells.find((one) => overlap(one, label))
        const [money, ...others] = cell ? moneyInRow(below, [cell], notation) : []
        const isAmount = money && others.length === 0 && countWords(money.cell.text.replace(/[A-Z]{3}/, '')) === 0
        if (isAmount) return [{ kind: 'payable', ...money, at: at + 1 + index, doubt: null }]
        if (cell) return []
      }
      return []
    }),
  )
}

/** Finds the money of a labelled row: if it has none, thousands whose page has a known currency. */
function amountsOfSum(line: Line, cells: readonly Cell[], notation: Notation): RowAmount[] {
  const money = moneyInRow(line, cells, notation)
  if (money.length > 0 || notation.digits === null) return money
  return amountsInRow(line, cells, notation).filter(({ amount: { isUnclear, isBare, decimals }, cell }) => {
    const isAlone = notation.digits === 0 && /^\d{3,}$/.test(cell.text)
    return !isUnclear && decimals === 0 && (!isBare || isAlone)
  })
}

/** Chooses the largest amount of a total that lists its taxes too; the last of equal ones. */
const largestOf = (sums: readonly Sum[]): Sum | undefined =>
  sums.reduce<Sum | undefined>(
    (largest, sum) => (largest && sizeOf(largest.amount) > sizeOf(sum.amount) ? largest : sum),
    undefined,
  )

/** Tells whether the other amounts of a label are its net and taxes, or repeat it. */
function isSumOf(total: Sum, sums: readonly Sum[]): boolean {
  const size = sizeOf(total.amount)
  const others = sums.filter((sum) => sum !== total).map(({ amount }) => sizeOf(amount))
  const currencies = new Set(sums.flatMap(({ amount: { currency } }) => (currency === null ? [] : [currency])))
  if (currencies.size > 1) return false
  const parts = others.filter((other) => other !== size && other !== 0n)
  return parts.length === 0 || parts.reduce((sum, part) => sum + part, 0n) === size
}

/** Finds the kind of a cell's column, by the nearest heading. */
function headingOf(lines: readonly Line[], at: number, cell: Cell, notation: Notation): Kind | 'tax' | undefined {
  for (const above of lines.slice(Math.max(0, at - HEADING_LINES), at).toReversed()) {
    if (above.page !== cell.page) return undefined
    const over = above.cells.find((other) => overlap(other, cell))
    if (!over || moneyIn(over.text, notation).length > 0) continue
    const text = fold(over.text)
    return kindOf(text) ?? (LABELS.tax.test(text) ? 'tax' : undefined)
  }
  return undefined
}

const overlap = ({ box: [x, , w] }: Cell, { box: [left, , width] }: Cell): boolean => x < left + width && x + w > left

/** Reads sums beneath headings: in the only row, or in the last one if it sums up the others. */
function underHeadings(lines: readonly Line[], at: number, notation: Notation): Sum[] {
  const line = lines[at]
  if (!line) return []
  const headings = line.cells.map((cell) => ({ cell, kind: kindOf(fold(cell.text)) }))
  // the heading of a table of items has no sums
  const isOfItems = headings.some(({ cell }) => LABELS.items.test(fold(cell.text)))
  const isOfSums = !isOfItems && headings.some(({ cell, kind }) => kind === 'net' || LABELS.tax.test(fold(cell.text)))
  return headings.flatMap(({ cell: heading, kind }): Sum[] => {
    if (!kind || isOfItems || (kind === 'total' && !isOfSums) || !isLabel(lines, at, heading)) return []
    const rows = rowsBeneath(lines, at, heading, notation)
    if (!rows) return [{ kind, amount: UNREAD, cell: heading, at, doubt: 'ambiguous_amount' }]
    const last = rows.at(-1)
    const before = rows.slice(0, -1).reduce((sum, { amount }) => sum + amount.units, 0n)
    if (!last || (rows.length > 1 && last.amount.units !== before)) return []
    return [{ kind, ...last, doubt: null }]
  })
}

/** Reads the amounts beneath a heading, while rows have as many as the first; undefined if a row was not read. */
function rowsBeneath(
  lines: readonly Line[],
  at: number,
  heading: Cell,
  notation: Notation,
): Pick<Sum, 'amount' | 'cell' | 'at'>[] | undefined {
  const rows: Pick<Sum, 'amount' | 'cell' | 'at'>[] = []
  let width = 0
  for (const [index, line] of lines.entries()) {
    if (index <= at) continue
    const money = moneyInRow(line, line.cells, notation)
    const found = money.findLast(({ cell }) => overlap(cell, heading))
    const isWide = new Set(money.map(({ cell }) => cell)).size
    if (!found || line.page !== heading.page || isWide < width || (rows.length > 0 && width < 2)) {
      // a row of the table that was read in part hides its sums
      const isPart = line.page === heading.page && rows.length > 0 && width > 1
      const isFirst = line.page === heading.page && index === at + 1
      const isUnread = line.cells.length > 1 && hasUnparsed(line, line.cells, notation)
      return (isPart && (isWide > 1 || isUnread)) || (isFirst && isUnread) ? undefined : rows
    }
    width ||= isWide
    rows.push({ ...found, at: index })
  }
  return rows
}
