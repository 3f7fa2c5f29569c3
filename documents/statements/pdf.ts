/** An export as PDF, to be read and printed: lines of a statement or of the feed, page by page. */
import { type Line, type Report, type Row, type Section, lineOf } from '../../domain/exports/report.ts'
import { fromMinor, toMinor } from '../../domain/money/money.ts'
import { jpegOf } from '../pdf/logo.ts'
import { type Part, ROW_HEIGHT, StatementPages, capacitiesOf } from './statement-page.ts'

const WORDS_BELOW = { size: 7, colour: 'grey' } as const
const LINE_HEIGHT = 11

/**
 * Writes a report page by page, each account on pages of its own. Each page has the account, the sums of the range, and
 * the balances that it begins and ends with. The same report gives the same bytes.
 */
export async function* pdfOf(report: Report): AsyncGenerator<Uint8Array> {
  const parts = await partsOf(report)
  const pages = parts.reduce((sum, part) => sum + part.pages, 0)
  const { logo } = report.organization
  const drawn = new StatementPages(report, pages, logo && (await jpegOf(logo)))
  for (const part of parts) yield* drawPart(drawn, part)
  drawn.end()
  yield* drawn.written()
}

type PlacedPart = Part & {
  readonly content: Section['pages']
  readonly first: number
  readonly other: number
  readonly pages: number
}

async function* none(): AsyncGenerator<readonly Row[]> {}
const EMPTY: Pick<Section, 'account' | 'pages' | 'rows' | 'sums'> = {
  account: null,
  pages: none(),
  rows: async () => 0,
  sums: async () => ({ in: { rows: 0, amount: '0' }, out: { rows: 0, amount: '0' } }),
}

/** Counts the pages of each account; a report without any has one page. */
async function partsOf(report: Report): Promise<PlacedPart[]> {
  const parts: PlacedPart[] = []
  for (const { account, rows, sums, pages: content } of report.sections.length > 0 ? report.sections : [EMPTY]) {
    const part = { account, sums: account && (await sums()) }
    const [first, other] = capacitiesOf(report, part)
    const pages = 1 + Math.ceil(Math.max(0, (await rows()) - first) / other)
    parts.push({ ...part, content, first, other, pages })
  }
  return parts
}

async function* drawPart(drawn: StatementPages, part: PlacedPart): AsyncGenerator<Uint8Array> {
  const { account, content, first, other } = part
  const currency = account?.currency ?? ''
  let balance = account ? toMinor({ amount: account.opening, currency }) : 0n
  let left = first
  drawn.begin(part, true)
  if (account) drawn.balance('Opening balance', account.opening)
  for await (const page of content) {
    for (const row of page) {
      const line = lineOf(row)
      if (left === 0) {
        const carried = account && fromMinor(balance, currency).amount
        if (carried !== null) drawn.balance('Carried forward', carried)
        drawn.begin(part, false)
        if (carried !== null) drawn.balance('Brought forward', carried)
        left = other
      }
      drawLine(drawn, line, account !== null)
      left -= 1
      if (account) balance += line.direction === 'in' ? toMinor(line) : -toMinor(line)
      yield* drawn.written()
    }
  }
  if (account) drawn.balance('Closing balance', account.closing)
}

/** Draws a row: who and how much, and below what for. */
function drawLine(drawn: StatementPages, line: Line, isOfAccount: boolean): void {
  const { postedAt, occurredAt, direction, amount, currency, balance, type } = line
  drawn.down(LINE_GAP)
  drawn.text('date', (postedAt || occurredAt).slice(0, 10))
  const label = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`
  const party = type === 'fee' ? '' : line.counterparty
  drawn.text('what', party || label, { bold: true })
  drawn.amount(direction === 'in' ? 'in' : 'out', amount)
  if (balance) drawn.amount('balance', balance)
  drawn.down(LINE_HEIGHT)
  const reference = line.reference === line.description ? '' : line.reference
  const more = [party && label, line.description, line.invoiceNumber, reference, postedAt ? '' : 'pending']
  drawn.text('what', more.filter(Boolean).join(' · '), WORDS_BELOW)
  if (!isOfAccount) drawn.text('balance', currency, WORDS_BELOW)
  drawn.down(ROW_HEIGHT - LINE_GAP - LINE_HEIGHT)
}
const LINE_GAP = 2
