/** Pages of a statement or list: what stands on each of them, around its rows. */
import type { Account, Report, Sums } from '../../domain/exports/report.ts'
import { groupThousands } from '../../domain/money/money.ts'
import { groupInFours } from '../../domain/text.ts'
import { LOGO_SIZE } from '../pdf/logo.ts'
import { COLOURS, HEIGHT, MARGIN, RIGHT, Sheet, type Style, WIDTH, heightOf } from '../pdf/page.ts'
import { PDF_A, describeDocument } from '../pdf/pdf-a.ts'
import { readIban } from './accounts.ts'

const TITLES = { balance_statement: 'Account statement', expenses: 'Expenses', transactions: 'Transactions' } as const
const NOTE =
  'Where a letter is not in the font of this page, it is shown as "?": the CSV file of the same export has all of them.'

const BOTTOM = HEIGHT - 62
const [NOTE_TOP, FOOT_TOP] = [HEIGHT - 54, HEIGHT - 38]
const WHOLE = { x: MARGIN, width: RIGHT - MARGIN }
const LABELS = { x: MARGIN, width: 92 }
const VALUES = { x: MARGIN + 96, width: RIGHT - LOGO_SIZE - 28 - MARGIN - 96 }
const TITLE_WIDTH = RIGHT - LOGO_SIZE - 28 - MARGIN
const GREY = { colour: 'grey' } as const
const SMALL = { size: 7.5, colour: 'grey' } as const
const BOLD = { bold: true } as const

const [LABEL_GAP, PANEL_HEIGHT, HEAD_HEIGHT] = [1.5, 42, 17]
export const ROW_HEIGHT = 22
/** A row of a balance. */
const CARRY_HEIGHT = 18

const COLUMNS = {
  date: { x: MARGIN, width: 54, align: 'left', label: 'Date' },
  what: { x: MARGIN + 58, width: 186, align: 'left', label: 'Description' },
  in: { x: MARGIN + 250, width: 78, align: 'right', label: 'Money in' },
  out: { x: MARGIN + 334, width: 78, align: 'right', label: 'Money out' },
  balance: { x: MARGIN + 418, width: WIDTH - MARGIN * 2 - 418, align: 'right', label: 'Balance' },
} as const
export type ColumnName = keyof typeof COLUMNS
type Column = (typeof COLUMNS)[ColumnName]

/** Head of the pages of one account; a list has no account. */
export type Part = { readonly account: Account | null; readonly sums: Sums | null }

/** Counts the rows that fit on the first page of a part, and on each other. */
export function capacitiesOf(report: Report, { account }: Part): readonly [first: number, other: number] {
  const carries = account ? CARRY_HEIGHT * 2 : 0
  const fits = (top: number) => Math.floor((BOTTOM - top - carries) / ROW_HEIGHT)
  return [fits(topOf(report, account, true)), fits(topOf(report, account, false))]
}

/** Finds the top of the rows, below titles, summary and the names of columns. */
function topOf(report: Report, account: Account | null, isFirst: boolean): number {
  const title = isFirst ? 38 + rowsOf(report, account).length * (heightOf() + LABEL_GAP) + 10 : 36
  return MARGIN + title + (account ? PANEL_HEIGHT + 12 : 0) + HEAD_HEIGHT
}

const periodOf = ({ from, to }: Report): string => `${formatInstant(from)} to ${formatInstant(to)}, UTC`
const formatInstant = (dayOrInstant: string): string => dayOrInstant.slice(0, 19).replace('T', ' ')

/** Names the account in words: IBAN, or the bank's number, or our id. */
function nameAccount({ id, bank }: Account): string {
  const iban = readIban(bank?.iban ?? null)
  const bic = bank?.bic ? `, BIC ${bank.bic}` : ''
  if (iban) return `IBAN ${groupInFours(iban)}${bic}`
  return bank?.number ? `${bank.number}${bic}` : id
}

function rowsOf(report: Report, account: Account | null): (readonly [label: string, value: string])[] {
  const { organization, at } = report
  const address = (organization.address ?? '').split(/[\r\n]+/).filter((line) => line.trim())
  return [
    ['Organization', organization.name] as const,
    ...(address.length > 0 ? [['Address', address.join(', ')] as const] : []),
    ...(organization.tax_id ? [['Tax ID', organization.tax_id] as const] : []),
    ...(account ? [['Account', nameAccount(account)] as const, ['Currency', account.currency] as const] : []),
    ['Period', periodOf(report)],
    ['As of', `${formatInstant(at)}, UTC`],
  ]
}

/** Pages that are written as they are drawn, so that memory does not grow with them. */
export class StatementPages {
  private readonly sheet: Sheet
  private number = 0

  constructor(
    private readonly report: Report,
    private readonly pages: number,
    private readonly logo: Buffer | null,
  ) {
    const { id, at, organization, type } = report
    const info = { Title: `${TITLES[type]} ${id}`, CreationDate: new Date(at) }
    const streamed = { bufferPages: false, tagged: false, autoFirstPage: false }
    this.sheet = new Sheet({ ...PDF_A, ...streamed, lang: 'en', displayTitle: true, info }, () => {})
    describeDocument(this.sheet.document, { author: organization.name })
  }

  /** Yields the bytes that are drawn. */
  *written(): Generator<Uint8Array> {
    const { document } = this.sheet
    for (let piece: Buffer | null; (piece = document.read() as Buffer | null) !== null;) yield piece
  }

  /** Begins a page of an account or list: with all that names it, or on later pages with a short line. */
  begin(part: Part, isFirst: boolean): void {
    const { sheet, report } = this
    if (this.number > 0) this.foot()
    sheet.document.addPage()
    this.number += 1
    sheet.y = MARGIN
    if (isFirst) this.title(part.account)
    else {
      const said = part.account ? [nameAccount(part.account), part.account.currency] : []
      sheet.draw(this.cut(`${TITLES[report.type]} · ${report.organization.name}`, WHOLE.width, BOLD), WHOLE, BOLD)
      sheet.y += heightOf() + 2
      sheet.draw(this.cut([...said, periodOf(report)].join(' · '), WHOLE.width, GREY), WHOLE, GREY)
    }
    sheet.y = topOf(report, part.account, isFirst) - HEAD_HEIGHT
    if (part.account) this.summary(part)
    for (const { x, width, align, label } of Object.values<Column>(COLUMNS)) {
      sheet.draw(label, { x, width }, { size: 8, colour: 'grey', align })
    }
    sheet.y += HEAD_HEIGHT - 2
    this.rule()
    sheet.y += 2
  }

  /** Draws a balance: before, after, or carried from page to page. */
  balance(label: string, amount: string): void {
    const { sheet } = this
    sheet.y += 4
    sheet.draw(label, COLUMNS.what, BOLD)
    this.amount('balance', amount, BOLD)
    sheet.y += CARRY_HEIGHT - 4
    this.rule()
  }

  text(column: ColumnName, words: string, style: Style = {}): void {
    const { x, width, align } = COLUMNS[column]
    this.sheet.draw(this.cut(words, width, style), { x, width }, { ...style, align })
  }

  /** Draws an amount with separators of thousands, smaller if it is too wide: it is never cut. */
  amount(column: ColumnName, amount: string, style: Style = {}): void {
    const { x, width, align } = COLUMNS[column]
    this.sheet.draw(groupThousands(amount), { x, width }, { ...style, align })
  }

  /** Moves down within a row, or to the next one. */
  down(height: number): void {
    this.sheet.y += height
  }

  end(): void {
    this.foot()
    this.sheet.close()
  }

  private title(account: Account | null): void {
    const { sheet, report, logo } = this
    if (logo) sheet.document.image(logo, RIGHT - LOGO_SIZE, MARGIN - 4, { width: LOGO_SIZE })
    sheet.draw(TITLES[report.type], { ...WHOLE, width: TITLE_WIDTH }, { size: 22, bold: true })
    sheet.y += 38
    for (const [index, [label, value]] of rowsOf(report, account).entries()) {
      const style = index === 0 ? BOLD : {}
      sheet.draw(label, LABELS, style)
      sheet.draw(this.cut(value, VALUES.width, style), VALUES, style)
      sheet.y += heightOf() + LABEL_GAP
    }
  }

  /** Draws both balances, and what came in and went out between them. */
  private summary({ account, sums }: Part): void {
    if (!account || !sums) return
    const { sheet } = this
    const top = sheet.y - PANEL_HEIGHT - 12
    sheet.document.roundedRect(MARGIN, top, WHOLE.width, PANEL_HEIGHT, 6).fill(COLOURS.panel)
    const figures = [
      ['Opening balance', account.opening],
      [`Money in (${sums.in.rows})`, sums.in.amount],
      [`Money out (${sums.out.rows})`, sums.out.amount],
      ['Closing balance', account.closing],
    ] as const
    const width = (WHOLE.width - 24) / figures.length
    for (const [index, [label, amount]] of figures.entries()) {
      const box = { x: MARGIN + 12 + index * width, width: width - 8 }
      sheet.y = top + 8
      sheet.draw(label, box, { size: 8, colour: 'grey' })
      sheet.y += 13
      sheet.draw(`${groupThousands(amount)} ${account.currency}`, box, { size: 10, bold: true })
    }
    sheet.y = top + PANEL_HEIGHT + 12
  }

  private rule(): void {
    const { document, y } = this.sheet
    document.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.75).stroke(COLOURS.line)
  }

  private foot(): void {
    const { sheet, report } = this
    sheet.y = NOTE_TOP
    if (sheet.lacksLetters) sheet.draw(NOTE, WHOLE, SMALL)
    sheet.lacksLetters = false
    sheet.y = FOOT_TOP
    sheet.draw(this.cut(`${report.organization.name} · Export ${report.id}`, WHOLE.width * 0.8, SMALL), WHOLE, SMALL)
    sheet.draw(`Page ${this.number} of ${this.pages}`, WHOLE, { ...SMALL, align: 'right' })
  }

  /** Cuts text to a width. */
  private cut(words: string, width: number, style: Style): string {
    const widthOf = this.sheet.measure(style)
    let fitting = words.slice(0, CHARACTERS_MAX)
    for (let wide = widthOf(fitting); wide > width && fitting.length > 1; wide = widthOf(fitting)) {
      const fits = Math.floor((fitting.length * width) / wide) - 1
      fitting = `${fitting.slice(0, Math.max(0, Math.min(fitting.length - 2, fits)))}…`
    }
    return fitting
  }
}

/** More than fit in any line. */
const CHARACTERS_MAX = 250
