/** Payment part and receipt of a Swiss QR bill. Places and sizes are those of the guidelines of SIX. */
import { encode } from 'uqr'
import { groupDigits, groupThousands } from '../../domain/money/money.ts'
import { type SwissBill, type SwissParty, swissCodeOf } from '../../domain/invoice-documents/swiss-code.ts'
import { groupInFours } from '../../domain/text.ts'
import type { SwissWords } from '../../domain/invoice-documents/swiss-words.ts'
import { HEIGHT, type Part, type Sheet, WIDTH, heightOf } from '../pdf/page.ts'

const POINTS_IN_MM = 72 / 25.4
const mm = (millimetres: number): number => millimetres * POINTS_IN_MM

const [PART_HEIGHT, RECEIPT_WIDTH, INSET] = [mm(105), mm(62), mm(5)]
const [CODE_SIZE, CROSS_SIZE] = [mm(46), mm(7)]
/** Room above the part, for the foot of its page. */
const FOOT_ROOM = 34

type Section = {
  readonly x: number
  readonly width: number
  readonly head: number
  readonly size: number
  readonly part: Part
}

/** Draws it at the bottom of the page, or of a page of its own. */
export function drawSwissPart(sheet: Sheet, bill: SwissBill, words: SwissWords): void {
  const top = HEIGHT - PART_HEIGHT
  if (sheet.y > top - FOOT_ROOM) sheet.addPage()
  sheet.liftFoot(top - FOOT_ROOM + 8)
  drawBorders(sheet, top, words)
  const part = sheet.part('Sect')
  const receipt = { x: INSET, width: RECEIPT_WIDTH - INSET * 2, head: 6, size: 8, part }
  const information = { x: RECEIPT_WIDTH + mm(56), width: mm(87), head: 8, size: 10, part }
  drawTitle(sheet, words.receipt, receipt, top)
  drawTitle(sheet, words.part, { ...information, x: RECEIPT_WIDTH + INSET, width: mm(51) }, top)
  sheet.y = top + mm(12)
  drawInformation(sheet, bill, words, receipt)
  sheet.y = top + INSET
  drawInformation(sheet, bill, words, information, true)
  drawAmount(sheet, bill, words, receipt, top)
  drawAmount(sheet, bill, words, { ...information, x: RECEIPT_WIDTH + INSET, width: mm(51) }, top)
  sheet.y = top + mm(82)
  sheet.line(words.point, receipt, { size: 6, bold: true, align: 'right' }, part)
  drawCode(sheet, swissCodeOf(bill), RECEIPT_WIDTH + INSET, top + mm(17), words.part)
  part.end()
  sheet.y = HEIGHT
}

function drawTitle(sheet: Sheet, title: string, { x, width, part }: Section, top: number): void {
  sheet.y = top + INSET
  sheet.line(title, { x, width }, { size: 11, bold: true }, part)
}

function drawBorders(sheet: Sheet, top: number, words: SwissWords): void {
  sheet.artifact(() => {
    const { document } = sheet
    document.lineWidth(0.75).dash(3, { space: 3 })
    document.moveTo(0, top).lineTo(WIDTH, top).stroke('#000000')
    document.moveTo(RECEIPT_WIDTH, top).lineTo(RECEIPT_WIDTH, HEIGHT).stroke('#000000')
    document.undash()
    sheet.y = top - 11
    sheet.draw(words.separate, { x: INSET, width: WIDTH - INSET * 2 }, { size: 7 })
  })
}

const linesOf = ({ name, street, building, postalCode, city, country }: SwissParty): string[] => [
  name,
  ...[`${street} ${building}`.trim()].filter(Boolean),
  `${country === 'CH' ? '' : `${country}-`}${postalCode} ${city}`,
]

/** Writes groups of four from the left, and of five from the right in a QR reference. */
const groupSigns = (text: string, type: string): string =>
  type === 'QRR' ? groupDigits(text, 5, ' ') : groupInFours(text)

function drawInformation(sheet: Sheet, bill: SwissBill, words: SwissWords, section: Section, isWhole = false): void {
  const { reference, creditor, debtor } = bill
  const rows: readonly (readonly [string, readonly string[]])[] = [
    [words.account, [groupSigns(bill.iban, 'IBAN'), ...linesOf(creditor)]],
    ...(reference.type === 'NON' ? [] : ([[words.reference, [groupSigns(reference.value, reference.type)]]] as const)),
    ...(isWhole ? ([[words.more, [bill.message]]] as const) : []),
    [debtor ? words.debtor : words.blank, debtor ? linesOf(debtor) : []],
  ]
  for (const [head, lines] of rows) {
    write(sheet, head, { ...section, size: section.head }, true)
    for (const line of lines) write(sheet, line, section)
    if (lines.length === 0) drawBlank(sheet, section, isWhole ? [mm(65), mm(25)] : [mm(52), mm(20)])
    sheet.y += isWhole ? 7 : 4.5
  }
}

function write(sheet: Sheet, words: string, { x, width, size, part }: Section, bold = false): void {
  for (const line of sheet.wrapped(words, width, { size, bold })) {
    sheet.line(line, { x, width }, { size, bold }, part)
    sheet.y += heightOf({ size }) * TIGHT
  }
}

/** Line height of the guidelines relative to that of other pages. */
const TIGHT = 0.84

/** Draws the corners of a field that the payer fills in. */
function drawBlank(sheet: Sheet, { x }: Section, [width, height]: readonly [number, number]): void {
  const [top, arm] = [sheet.y + 2, mm(3)]
  sheet.artifact(() => {
    for (const [left, right] of [
      [x, 1],
      [x + width, -1],
    ] as const)
      for (const [y, down] of [
        [top, 1],
        [top + height, -1],
      ] as const)
        sheet.document
          .moveTo(left + arm * right, y)
          .lineTo(left, y)
          .lineTo(left, y + arm * down)
          .lineWidth(0.75)
          .stroke('#000000')
  })
  sheet.y = top + height
}

function drawAmount(sheet: Sheet, bill: SwissBill, words: SwissWords, section: Section, top: number): void {
  const amount = groupThousands(bill.amount, ' ')
  for (const [label, value, left] of [
    [words.currency, bill.currency, 0],
    [words.amount, amount, mm(14)],
  ] as const) {
    sheet.y = top + mm(68)
    const column = { ...section, x: section.x + left, width: section.width - left }
    write(sheet, label, { ...column, size: section.head }, true)
    sheet.y += 1
    write(sheet, value, column)
  }
}

/** Draws the code with the Swiss cross in its middle; both have fixed sizes. */
function drawCode(sheet: Sheet, text: string, left: number, top: number, caption: string): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const module = CODE_SIZE / size
  const figure = sheet.part('Figure', undefined, { alt: caption })
  const { document } = sheet
  figure.add(() => {
    for (const [row, modules] of data.entries())
      for (const [column, isDark] of modules.entries())
        if (isDark) document.rect(left + column * module, top + row * module, module, module)
    document.fill('#000000')
    const [x, y] = [left + (CODE_SIZE - CROSS_SIZE) / 2, top + (CODE_SIZE - CROSS_SIZE) / 2]
    document.rect(x, y, CROSS_SIZE, CROSS_SIZE).fill('#ffffff')
    const [edge, unit] = [mm(0.5), (CROSS_SIZE - mm(1)) / 19]
    document.rect(x + edge, y + edge, unit * 19, unit * 19).fill('#000000')
    // the arms are a sixth longer than wide, as the flag has them
    document.rect(x + edge + unit * 7.8, y + edge + unit * 4, unit * 3.4, unit * 11).fill('#ffffff')
    document.rect(x + edge + unit * 4, y + edge + unit * 7.8, unit * 11, unit * 3.4).fill('#ffffff')
  })
}
