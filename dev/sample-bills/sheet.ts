/** A page of a printed bill: letters, dates and amounts by language and layout. */
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { type Labels, labelsOf } from './labels.ts'
import type { Layout } from './layouts.ts'
import { type BillModel, type Party, amountText } from './model.ts'

const localeOf = (language: string): string => `${language}-${language === 'en' ? 'GB' : language.toUpperCase()}`

export class Sheet {
  readonly pdf: PDFKit.PDFDocument
  readonly label: Labels
  y = 60

  constructor(
    readonly bill: BillModel,
    readonly layout: Layout,
  ) {
    this.pdf = new PDFDocument({ size: 'A4', margin: 0, info: { CreationDate: new Date(0) } })
    this.label = labelsOf(bill.language, layout.way)
  }

  end(): Promise<Buffer> {
    this.pdf.end()
    return buffer(this.pdf)
  }

  attach(xml: string): void {
    this.pdf.file(Buffer.from(xml), { name: 'factur-x.xml', type: 'text/xml', creationDate: new Date(0) })
  }

  text(
    text: string,
    x: number,
    y: number,
    of: { size?: number; bold?: boolean; align?: 'left' | 'right' | 'center'; color?: string } = {},
  ): void {
    const { size = 9.5, bold = false, align = 'left', color = '#111' } = of
    this.pdf
      .font(this.layout.fonts[bold ? 1 : 0])
      .fontSize(size * (this.layout.size ?? 1))
      .fillColor(color)
    const width = this.pdf.widthOfString(text)
    const at = align === 'right' ? x - width : align === 'center' ? x - width / 2 : x
    this.pdf.text(text, at, y, { lineBreak: false })
  }

  lines(lines: readonly (string | null)[], x: number, y: number, of: Parameters<Sheet['text']>[3] = {}): number {
    const step = (of.size ?? 9.5) * 1.35
    const said = lines.filter((line) => line !== null)
    for (const [index, line] of said.entries()) this.text(line, x, y + index * step, of)
    return y + said.length * step
  }

  address({ name, street, postcode, city, country }: Party): string[] {
    const place = this.bill.language === 'en' ? [city, postcode] : [`${postcode} ${city}`]
    return [name, street, ...place, country]
  }

  ids({ taxId, taxNumber }: Party): (string | null)[] {
    return [taxId && `${this.label('vatId')}: ${taxId}`, taxNumber && `${this.label('taxNumber')}: ${taxNumber}`]
  }

  date(date: string): string {
    const day = new Date(`${date}T00:00:00Z`)
    const named = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
    const numbers = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
    return new Intl.DateTimeFormat(localeOf(this.bill.language), this.layout.words ? named : numbers).format(day)
  }

  money(minor: bigint): string {
    const { bill } = this
    const number = this.number(minor)
    const sign = bill.currency === 'EUR' ? '€' : bill.currency === 'GBP' ? '£' : bill.currency
    if (this.layout.money === 'behind') return `${number} ${sign}`
    if (this.layout.money === 'before') return sign.length === 1 ? `${sign}${number}` : `${sign} ${number}`
    return this.layout.money === 'code' ? `${number} ${bill.currency}` : number
  }

  number(minor: bigint): string {
    const locale = this.bill.seller.country === 'CH' ? 'de-CH' : localeOf(this.bill.language)
    const options = { minimumFractionDigits: 2, useGrouping: 'always' } as const
    // standard fonts lack the narrow no-break space
    return new Intl.NumberFormat(locale, options)
      .format(Number(amountText(minor, this.bill.currency)))
      .replaceAll('\u202f', '\u00a0')
  }

  readonly grouped = (iban: string): string => iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
