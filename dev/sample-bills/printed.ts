/** Bills as PDFs without XML, in ten layouts, and their printed truth. */
import type { Layout } from './layouts.ts'
import { type BillModel, type Truth, addressOf, fieldsOf, netOf, notPayableOf, totalsOf } from './model.ts'
import { Sheet } from './sheet.ts'
import { WORDS } from './words.ts'

const LEFT = 56
const RIGHT = 540
const FOOT = 760

/** The literally printed fields: the country of the bank follows from its codes. */
export function truthOnPaper(bill: BillModel): Truth {
  const not_payable = notPayableOf(bill)
  const fields = fieldsOf(bill)
  const { taxes, tax } = totalsOf(bill)
  // taxes of several rates are printed without their sum
  const isPrinted = taxes.length === 1 && tax !== 0n
  const address = addressOf({ ...bill.seller, street: bill.seller.street.normalize('NFKC') })
  return {
    fields: { ...fields, ...address, bank_name: null, tax_total: isPrinted ? fields.tax_total : null },
    not_payable,
    refused: null,
    kind: 'text',
    language: bill.language,
  }
}

/** Prints a bill of one page, with the XML of Factur-X if given. */
export async function printBill(bill: BillModel, layout: Layout, xml?: string): Promise<Buffer> {
  const sheet = new PrintedSheet(bill, layout)
  sheet.draw()
  if (xml) sheet.attach(xml)
  return sheet.end()
}

class PrintedSheet extends Sheet {
  draw(): void {
    this.head()
    this.title()
    this.facts()
    this.table()
    this.totals()
    this.closing()
    this.bank()
  }

  private head(): void {
    const { seller, buyer } = this.bill
    const { head } = this.layout
    const [, ...rest] = this.address(seller)
    this.y = head === 'labelled' ? 190 : 230
    if (head === 'window') {
      this.text(seller.name, RIGHT, 50, { size: 16, bold: true, align: 'right' })
      this.text([seller.name, ...rest.slice(0, -1)].join(' · '), LEFT, 128, { size: 6.5 })
      this.lines(this.address(buyer), LEFT, 142)
    } else if (head === 'labelled') {
      this.text(this.label('from'), LEFT, 60, { bold: true })
      this.lines([...this.address(seller), ...this.ids(seller)], LEFT, 76)
      this.text(this.label('to'), 320, 60, { bold: true })
      this.lines(this.address(buyer), 320, 76)
    } else {
      const x = { left: LEFT, right: RIGHT, centre: 298 }[head]
      const align = head === 'centre' ? 'center' : head
      this.text(seller.name, x, 44, { size: 17, bold: true, align })
      this.lines([rest.join(', '), ...this.ids(seller)], x, 68, { size: 8.5, align })
      this.text(`${this.label('to')}:`, LEFT, 130, { bold: true })
      this.lines(this.address(buyer), LEFT, 145)
    }
  }

  private title(): void {
    this.text(this.label(this.bill.typeCode === '381' ? 'credit' : 'title'), LEFT, this.y, { size: 15, bold: true })
    this.y += 28
  }

  private facts(): void {
    const { number, issueDate, dueDate } = this.bill
    const facts = [
      [this.label('number'), number],
      [this.label('issued'), this.date(issueDate)],
      [this.label('customer'), '40' + number.replaceAll(/\D/g, '').slice(-3)],
      ...(dueDate ? [[this.label('due'), this.date(dueDate)] as const] : []),
    ] as const
    const step = 15
    for (const [index, [label, value]] of facts.entries()) {
      const y = this.y + index * step
      if (this.layout.facts === 'lines') this.text(`${label}: ${value}`, LEFT, y)
      if (this.layout.facts === 'pairs') {
        this.text(label, LEFT, y)
        this.text(value, LEFT + 150, y)
      }
      if (this.layout.facts === 'right') {
        this.text(`${label}:`, 350, y)
        this.text(value, RIGHT, y, { align: 'right' })
      }
      if (this.layout.facts === 'row') {
        this.text(label, LEFT + index * 122, this.y, { size: 8, color: '#555' })
        this.text(value, LEFT + index * 122, this.y + 13, { bold: true })
      }
    }
    this.y += (this.layout.facts === 'row' ? 2 : facts.length) * step + 16
  }

  private table(): void {
    const { bill } = this
    const row = (texts: readonly string[], of = {}) => {
      for (const [index, text] of texts.entries()) {
        const x = [LEFT, 330, 430, RIGHT][index] ?? RIGHT
        this.text(text, x, this.y, { align: index === 0 ? 'left' : 'right', ...of })
      }
    }
    const sum = this.layout.money === 'heading' ? `${this.label('sum')} (${bill.currency})` : this.label('sum')
    row([this.label('item'), this.label('quantity'), this.label('price'), sum], { bold: true })
    this.rule(this.y + 14)
    this.y += 20
    const top = this.y - 24
    for (const line of bill.lines) {
      row([line.text, String(line.quantity), this.number(line.price), this.number(netOf(line))])
      this.y += 16
    }
    this.frame(LEFT - 5, top, RIGHT + 5, this.y)
    this.y += 14
  }

  private totals(): void {
    const { bill } = this
    const { lineTotal, net, taxes, gross, payable } = totalsOf(bill)
    const named = (name: string, amount: bigint) => [this.label(name), amount] as const
    const unlessZero = (name: string, amount: bigint) => (amount ? [named(name, amount)] : [])
    const rows = [
      ...unlessZero('subtotal', bill.allowance || bill.charge ? lineTotal : 0n),
      ...unlessZero('allowance', -bill.allowance),
      ...unlessZero('charge', bill.charge),
      named('net', net),
      ...taxes.map(({ rate, tax }) => [this.label('tax', rate), tax] as const),
    ]
    if (gross !== payable) {
      rows.push(named('gross', gross))
      rows.push(...unlessZero('prepaid', -bill.prepaid), ...unlessZero('rounding', bill.rounding))
    }
    const last = gross === payable ? named('gross', gross) : named('payable', payable)
    if (this.layout.totals === 'row') return this.row([...rows, last])
    const [from, to] = this.layout.totals === 'left' ? [LEFT, 300] : [330, RIGHT]
    const top = this.y - 5
    for (const [label, amount] of rows) {
      this.text(label, from, this.y)
      this.text(this.money(amount), to, this.y, { align: 'right' })
      this.y += 15
    }
    this.frame(from - 8, top, to + 8, this.y + 18)
    const color = this.layout.totals === 'bar' ? '#fff' : '#111'
    if (this.layout.totals === 'bar') this.pdf.rect(from - 8, this.y - 4, to - from + 16, 21).fill('#234')
    this.text(last[0], from, this.y, { bold: true, size: 11, color })
    this.text(this.money(last[1]), to, this.y, { bold: true, size: 11, align: 'right', color })
    this.y += 34
  }

  private rule(y: number): void {
    this.pdf.moveTo(LEFT, y).lineTo(RIGHT, y).stroke('#999')
  }

  private frame(left: number, top: number, right: number, bottom: number): void {
    if (this.layout.framed) this.pdf.rect(left, top, right - left, bottom - top).stroke('#555')
  }

  /** Prints amounts below their names, at most five in a row. */
  private row(amounts: readonly (readonly [string, bigint])[]): void {
    for (let from = 0; from < amounts.length; from += 4) {
      for (const [index, [label, amount]] of amounts.slice(from, from + 4).entries()) {
        this.text(label, LEFT + 118 + index * 122, this.y, { size: 8, align: 'right' })
        this.text(this.money(amount), LEFT + 118 + index * 122, this.y + 13, { align: 'right' })
      }
      this.y += 38
    }
  }

  private closing(): void {
    const { language, termDays, meansCode, payerIban } = this.bill
    const theirs = this.grouped(payerIban ?? '')
    if (termDays) this.y = this.lines([WORDS[language].terms(termDays)], LEFT, this.y) + 4
    if (meansCode === '48') this.y = this.lines([this.label('card')], LEFT, this.y) + 4
    if (meansCode === '59' || meansCode === '49') {
      this.y = this.lines([this.label('debited', theirs)], LEFT, this.y) + 4
    } else if (payerIban) {
      this.y = this.lines([`${this.label('theirAccount')}: ${theirs}`], LEFT, this.y + 6) + 10
    }
    this.text(this.label('thanks'), LEFT, this.y + 6)
    this.y += 30
  }

  private bank(): void {
    const { bill, layout } = this
    const [account] = bill.accounts
    const said = (label: string, value: string | null | undefined) => (value ? [[label, value] as const] : [])
    const details = [
      ...said(this.label('holder'), account && (account.holder ?? bill.payeeName)),
      ...said('IBAN', account?.iban && this.grouped(account.iban)),
      ...said('Sort code', account?.branch?.replaceAll(/(..)(?=.)/g, '$1-')),
      ...said('Account number', account?.number),
      ...said('BIC', account?.bic),
    ]
    const reference = said(this.label('reference'), bill.reference)
    const all = [...details, ...reference]
    const joined = (pairs: typeof all, by = ': ') => pairs.map((pair) => pair.join(by))
    const ofWindow = layout.head === 'window' ? this.ids(bill.seller) : []
    const heading = this.label('bank')
    if (layout.bank === 'footer') {
      this.lines(joined(reference), LEFT, this.y)
      this.rule(FOOT - 8)
      this.lines(this.address(bill.seller).slice(0, 4), LEFT, FOOT, { size: 7.5 })
      this.lines(ofWindow, 230, FOOT, { size: 7.5 })
      this.lines([heading, ...joined(details)], 370, FOOT, { size: 7.5 })
      return
    }
    if (layout.bank === 'sentence') {
      this.text(`${heading}:`, LEFT, this.y)
      this.lines(joined(all, ' '), LEFT, this.y + 14)
    } else {
      this.text(heading, LEFT, this.y, { bold: true })
      const isPairs = layout.bank === 'pairs'
      this.lines(isPairs ? all.map(([label]) => label) : joined(all), LEFT, this.y + 15)
      if (isPairs)
        this.lines(
          all.map(([, value]) => value),
          LEFT + 150,
          this.y + 15,
        )
    }
    const foot = [...this.address(bill.seller).slice(0, 3), ...ofWindow].filter(Boolean).join(' | ')
    this.lines([foot], LEFT, FOOT + 20, { size: 7.5 })
  }
}
