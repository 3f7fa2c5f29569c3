/** QR codes of payments: their text and drawing. */
import { encode } from 'uqr'

/** Example numbers of the Swiss guidelines, and one of ECBS. */
export const QR_IBAN = 'CH4431999123000889012'
export const SWISS_IBAN = 'CH5800791123000889012'
export const QR_REFERENCE = '210000000003139471430009017'
export const CREDITOR_REFERENCE = 'RF18539007547034'

type Swiss = {
  readonly iban?: string
  readonly name?: string
  readonly amount?: string
  readonly currency?: string
  readonly type?: string
  readonly reference?: string
  readonly info?: string
  readonly version?: string
}

/** Writes the code of a Swiss QR bill (IG QR-bill 2.3, chapter 4). */
export const swissCode = (given: Swiss = {}): string =>
  [
    'SPC',
    given.version ?? '0200',
    '1',
    given.iban ?? QR_IBAN,
    'S',
    given.name ?? 'Käserei Tannegg AG',
    'Dorfstrasse',
    '7',
    '3550',
    'Langnau',
    'CH',
    ...Array<string>(7).fill(''),
    given.amount ?? '1949.75',
    given.currency ?? 'CHF',
    'S',
    'Brunnwart GmbH',
    'Marktgasse',
    '28',
    '9400',
    'Rorschach',
    'CH',
    given.type ?? 'QRR',
    given.reference ?? QR_REFERENCE,
    'Lieferung Mai',
    'EPD',
    given.info ?? '',
  ].join('\n')

/** Writes an EPC code (EPC069-12). */
export const epcCode = (
  given: Partial<Record<'charset' | 'amount' | 'structured' | 'text' | 'iban', string>> = {},
): string =>
  [
    'BCD',
    '002',
    given.charset ?? '1',
    'SCT',
    '',
    'Bäckerei Sonnenhof',
    given.iban ?? 'DE02120300000000202051',
    given.amount ?? 'EUR119.5',
    '',
    given.structured ?? '',
    given.text ?? 'R-4711',
    '',
  ].join('\n')

type Pdf = { rect(x: number, y: number, w: number, h: number): Pdf; fill(colour: string): Pdf }

/** Draws a code with a side in points. */
export function drawCode(pdf: Pdf, text: string, [x, y]: readonly [number, number], side: number): void {
  const { data, size } = encode(text, { ecc: 'M', border: 0 })
  const module = side / size
  for (const [row, modules] of data.entries()) {
    for (const [column, isDark] of modules.entries()) {
      if (isDark) pdf.rect(x + column * module, y + row * module, module, module)
    }
  }
  pdf.fill('#000')
}
