/** An export as PDF, to be read and printed: lines of a statement or of the feed, page by page. */
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { BOLD, FEATURES, REGULAR } from '../../platform/fonts.ts'
import { type Report, type Row, lineOf } from '../../domain/exports/report.ts'
import { writable } from '../../domain/payments/receipt.ts'
import { PDF_A, describeDocument } from '../pdf-a.ts'

const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 40]
const [TITLE_SIZE, TEXT_SIZE, SMALL_SIZE] = [18, 9, 7]
const LINE_HEIGHT = 22
const LOGO_SIZE = 56
/** Vertical bounds of lines: top of the first page, top of the others, bottom. */
const [FIRST_TOP, TOP, BOTTOM] = [206, 64, HEIGHT - 56]
const FIRST_LINES = Math.floor((BOTTOM - FIRST_TOP) / LINE_HEIGHT)
const LINES = Math.floor((BOTTOM - TOP) / LINE_HEIGHT)
const ADDRESS_LINES = 5

const features = FEATURES as unknown as PDFKit.Mixins.OpenTypeFeatures[] // fontkit takes either

const TITLES = { balance_statement: 'Account statement', expenses: 'Expenses', transactions: 'Transactions' } as const
const NOTE =
  'Where a letter is not in the font of this page, it is shown as "?": the CSV file of the same export has all of them.'

/** Left edge, width, and which edge the text is at. */
const COLUMNS = {
  date: [MARGIN, 58, 'left'],
  what: [MARGIN + 62, 210, 'left'],
  in: [MARGIN + 276, 76, 'right'],
  out: [MARGIN + 356, 76, 'right'],
  balance: [MARGIN + 436, WIDTH - MARGIN * 2 - 436, 'right'],
  /** The last three in one. */
  total: [MARGIN + 276, WIDTH - MARGIN * 2 - 276, 'right'],
} as const satisfies Record<string, readonly [number, number, 'left' | 'right']>
type ColumnName = keyof typeof COLUMNS

type Style = {
  readonly size: number
  readonly width: number
  readonly bold?: boolean
  readonly align?: 'left' | 'right'
  readonly whole?: boolean
}

/** Writes a report page by page. The same report gives the same bytes. */
export async function* pdfOf(report: Report): AsyncGenerator<Uint8Array> {
  const counts = await Promise.all(report.sections.map(({ rows }) => rows()))
  const balances = report.sections.filter(({ account }) => account).length * 2
  const lines = counts.reduce((sum, rows) => sum + rows, balances)
  const pages = 1 + Math.ceil(Math.max(0, lines - FIRST_LINES) / LINES)
  const sheet = new Sheet(report, pages, await logoOf(report))
  for (const section of report.sections) {
    const { account } = section
    if (account) sheet.balance(`${account.currency}: opening balance`, account.opening, account.currency)
    for await (const page of section.pages) {
      for (const row of page) {
        sheet.line(row)
        yield* sheet.written()
      }
    }
    if (account) sheet.balance(`${account.currency}: closing balance`, account.closing, account.currency)
  }
  sheet.end()
  yield* sheet.written()
}

/** Converts the square logo to JPEG on white: a PDF takes no webp. */
const logoOf = async ({ organization: { logo } }: Report): Promise<Buffer | null> =>
  logo &&
  (await sharp(logo)
    .resize(LOGO_SIZE * 4)
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90 })
    .toBuffer())

/** The current page, and the room left on it. */
class Sheet {
  private readonly document: PDFKit.PDFDocument
  private page = 1
  private left = FIRST_LINES
  private y = FIRST_TOP
  private lacksLetters = false

  constructor(
    private readonly report: Report,
    private readonly pages: number,
    logo: Buffer | null,
  ) {
    const { id, at, organization, type } = report
    this.document = new PDFDocument({
      ...PDF_A,
      size: 'A4',
      margin: 0,
      font: '', // none but ours
      info: { Title: `${TITLES[type]} ${id}`, CreationDate: new Date(at) },
    })
    describeDocument(this.document, { author: organization.name })
    this.document.registerFont('regular', REGULAR).registerFont('bold', BOLD)
    this.head(logo)
    this.header(FIRST_TOP)
  }

  /** Yields the bytes that are drawn. */
  *written(): Generator<Uint8Array> {
    for (let piece: Buffer | null; (piece = this.document.read() as Buffer | null) !== null;) yield piece
  }

  end(): void {
    this.footer()
    this.document.end()
  }

  line(row: Row): void {
    this.room()
    const { postedAt, occurredAt, direction, amount, currency, balance, counterparty, description, type } = lineOf(row)
    this.put('date', (postedAt || occurredAt).slice(0, 10))
    this.put('what', counterparty || type, { bold: true })
    const more = [counterparty && type, description, postedAt ? '' : 'pending'].filter(Boolean).join(' · ')
    this.put('what', more, { below: true })
    this.put(direction === 'in' ? 'in' : 'out', amount, { amount: true })
    if (balance) this.put('balance', balance, { amount: true })
    if (this.report.type !== 'balance_statement') this.put('balance', currency, { below: true })
    this.next()
  }

  balance(label: string, amount: string, currency: string): void {
    this.room()
    this.put('what', label, { bold: true })
    this.put('total', `${amount} ${currency}`, { bold: true, amount: true })
    this.next()
  }

  private room(): void {
    if (this.left > 0) return
    this.footer()
    this.document.addPage()
    this.page += 1
    this.lacksLetters = false
    this.left = LINES
    this.y = TOP
    this.header(TOP)
  }

  private next(): void {
    this.left -= 1
    this.y += LINE_HEIGHT
  }

  /** Draws title, logo, organization and range on the first page. */
  private head(logo: Buffer | null): void {
    const { organization, type, from, to, at } = this.report
    const right = WIDTH - MARGIN - LOGO_SIZE
    if (logo) this.document.image(logo, right, MARGIN, { width: LOGO_SIZE })
    this.text(TITLES[type], MARGIN, MARGIN, { size: TITLE_SIZE, bold: true, width: right - MARGIN * 2 })
    const address = (organization.address ?? '').split(/[\r\n]+/).filter((line) => line.trim())
    const taxId = organization.tax_id ? [`Tax ID ${organization.tax_id}`] : []
    const said = [organization.name, ...address.slice(0, ADDRESS_LINES), ...taxId]
    for (const [index, words] of said.entries()) {
      const width = right - MARGIN * 2
      this.text(words, MARGIN, MARGIN + 30 + index * 13, { size: TEXT_SIZE, bold: index === 0, width })
    }
    const range = `${formatInstant(from)} to ${formatInstant(to)}, UTC. As of ${formatInstant(at)}.`
    this.text(range, MARGIN, FIRST_TOP - 40, { size: TEXT_SIZE, width: WIDTH - MARGIN * 2 })
  }

  /** Draws the names of the columns above the first line of a page. */
  private header(top: number): void {
    const names: readonly [ColumnName, string][] = [
      ['date', 'Date'],
      ['what', 'Description'],
      ['in', 'Money in'],
      ['out', 'Money out'],
      ['balance', 'Balance'],
    ]
    this.y = top - 18
    for (const [column, name] of names) this.put(column, name, { bold: true })
    this.document
      .moveTo(MARGIN, top - 5)
      .lineTo(WIDTH - MARGIN, top - 5)
      .lineWidth(0.5)
      .stroke('#888888')
    this.y = top
  }

  private footer(): void {
    const width = WIDTH - MARGIN * 2
    if (this.lacksLetters) this.text(NOTE, MARGIN, HEIGHT - 44, { size: SMALL_SIZE, width })
    this.text(`Page ${this.page} of ${this.pages}`, MARGIN, HEIGHT - 32, { size: SMALL_SIZE, width, align: 'right' })
    this.text(`Export ${this.report.id}`, MARGIN, HEIGHT - 32, { size: SMALL_SIZE, width })
  }

  private put(column: ColumnName, words: string, { bold = false, below = false, amount = false } = {}): void {
    const [x, width, align] = COLUMNS[column]
    const size = below ? SMALL_SIZE : TEXT_SIZE
    this.text(words, x, this.y + (below ? 10 : 0), { size, bold, width, align, whole: amount })
  }

  /** Draws one line of text. Text that is too wide is cut; an amount is drawn smaller instead. */
  private text(words: string, x: number, y: number, { size, width, bold, align, whole }: Style): void {
    const shownWords = writable(words)
    if (!shownWords) return
    this.lacksLetters ||= count(shownWords, '?') > count(words, '?')
    this.document.font(bold ? 'bold' : 'regular', size).fillColor('#000000')
    const widthOf = (text: string) => this.document.widthOfString(text, { features })
    let fitting = shownWords
    if (whole && widthOf(fitting) > width) this.document.fontSize((size * width) / widthOf(fitting))
    for (let wide = widthOf(fitting); wide > width && !whole && fitting.length > 1; wide = widthOf(fitting)) {
      const fits = Math.floor((fitting.length * width) / wide) - 1
      fitting = `${fitting.slice(0, Math.max(0, Math.min(fitting.length - 2, fits)))}…`
    }
    const left = align === 'right' ? x + width - widthOf(fitting) : x
    this.document.text(fitting, left, y, { lineBreak: false, features })
  }
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

const formatInstant = (dayOrInstant: string): string => dayOrInstant.slice(0, 19).replace('T', ' ')
