/** Bills as PDFs without XML, in ten layouts, and their printed truth. */
import type { Layout } from './layouts.ts'
import { type BillModel, type Truth, fieldsOf, netOf, notPayableOf, totalsOf } from './model.ts'
import { Sheet } from './sheet.ts'

const LEFT = 56
const RIGHT = 540
const FOOT = 760

/** The literally printed fields: the country of the bank follows from its codes. */
export function printedTruth(bill: BillModel): Truth {
  const not_payable = notPayableOf(bill)
  const fields = fieldsOf(bill)
  const { taxes, tax } = totalsOf(bill)
  // taxes of several rates are printed without their sum
  const isPrinted = taxes.length === 1 && tax !== 0n
  return {
    fields: { ...fields, bank_name: null, tax_total: isPrinted ? fields.tax_total : null },
    not_payable,
    refused: null,
    kind: 'text',
    language: bill.language,
  }
}

/** Prints a bill of one page, with the XML of Factur-X if given. */
export async function printed(bill: BillModel, layout: Layout, xml?: string): Promise<Buffer> {
  const sheet = new Printed(bill, layout)
  sheet.draw()
  if (xml) sheet.attach(xml)
  return sheet.end()
}

class Printed extends Sheet {
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
    const { to, from } = this.labels
    const [, ...rest] = this.address(seller)
    switch (this.layout.head) {
      case 'window':
        this.text(seller.name, RIGHT, 50, { size: 16, bold: true, align: 'right' })
        this.text([seller.name, ...rest.slice(0, -1)].join(' · '), LEFT, 128, { size: 6.5 })
        this.lines(this.address(buyer), LEFT, 142)
        this.y = 230
        break
      case 'labelled':
        this.text(from, LEFT, 60, { bold: true })
        this.lines([...this.address(seller), ...this.ids(seller)], LEFT, 76)
        this.text(to, 320, 60, { bold: true })
        this.lines(this.address(buyer), 320, 76)
        this.y = 190
        break
      default: {
        const { head } = this.layout
        const [x, align] =
          head === 'left'
            ? [LEFT, 'left' as const]
            : head === 'right'
              ? [RIGHT, 'right' as const]
              : [298, 'center' as const]
        this.text(seller.name, x, 44, { size: 17, bold: true, align })
        this.lines([rest.join(', '), ...this.ids(seller)], x, 68, { size: 8.5, align })
        this.text(`${to}:`, LEFT, 130, { bold: true })
        this.lines(this.address(buyer), LEFT, 145)
        this.y = 230
      }
    }
  }

  private title(): void {
    const { title, credit } = this.labels
    this.text(this.bill.typeCode === '381' ? credit : title, LEFT, this.y, { size: 15, bold: true })
    this.y += 28
  }

  private facts(): void {
    const { bill, labels } = this
    const facts = [
      [labels.number, bill.number],
      [labels.issued, this.date(bill.issueDate)],
      [labels.customer, '40' + bill.number.replaceAll(/\D/g, '').slice(-3)],
      ...(bill.dueDate ? [[labels.due, this.date(bill.dueDate)] as const] : []),
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
    const { bill, labels } = this
    const columns = [330, 430, RIGHT] as const
    const sum = this.layout.money === 'heading' ? `${labels.sum} (${bill.currency})` : labels.sum
    this.text(labels.item, LEFT, this.y, { bold: true })
    for (const [index, heading] of [labels.quantity, labels.price, sum].entries()) {
      this.text(heading, columns[index] ?? RIGHT, this.y, { bold: true, align: 'right' })
    }
    this.pdf
      .moveTo(LEFT, this.y + 14)
      .lineTo(RIGHT, this.y + 14)
      .stroke('#999')
    this.y += 20
    const top = this.y - 24
    for (const line of bill.lines) {
      this.text(line.text, LEFT, this.y)
      this.text(String(line.quantity), 330, this.y, { align: 'right' })
      this.text(this.number(line.price), 430, this.y, { align: 'right' })
      this.text(this.number(netOf(line)), RIGHT, this.y, { align: 'right' })
      this.y += 16
    }
    this.frame(LEFT - 5, top, RIGHT + 5, this.y)
    this.y += 14
  }

  private totals(): void {
    const { bill, labels } = this
    const { lineTotal, net, taxes, gross, payable } = totalsOf(bill)
    const rows: [string, bigint][] = [
      ...(bill.allowance || bill.charge ? [[labels.subtotal, lineTotal] as [string, bigint]] : []),
      ...(bill.allowance ? [[labels.allowance, -bill.allowance] as [string, bigint]] : []),
      ...(bill.charge ? [[labels.charge, bill.charge] as [string, bigint]] : []),
      [labels.net, net],
      ...taxes.map(({ rate, tax }): [string, bigint] => [labels.tax(rate), tax]),
    ]
    const settled =
      gross === payable
        ? []
        : [
            [labels.gross, gross] as [string, bigint],
            ...(bill.prepaid ? [[labels.prepaid, -bill.prepaid] as [string, bigint]] : []),
            ...(bill.rounding ? [[labels.rounding, bill.rounding] as [string, bigint]] : []),
          ]
    const last: [string, bigint] = gross === payable ? [labels.gross, gross] : [labels.payable, payable]
    if (this.layout.totals === 'row') return this.row([...rows, ...settled, last])
    const [from, to] = this.layout.totals === 'left' ? [LEFT, 300] : [330, RIGHT]
    const top = this.y - 5
    for (const [label, amount] of [...rows, ...settled]) {
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

  private frame(left: number, top: number, right: number, bottom: number): void {
    if (this.layout.framed) this.pdf.rect(left, top, right - left, bottom - top).stroke('#555')
  }

  /** Prints amounts below their names, at most five in a row. */
  private row(amounts: readonly [string, bigint][]): void {
    for (let from = 0; from < amounts.length; from += 4) {
      for (const [index, [label, amount]] of amounts.slice(from, from + 4).entries()) {
        this.text(label, LEFT + 118 + index * 122, this.y, { size: 8, align: 'right' })
        this.text(this.money(amount), LEFT + 118 + index * 122, this.y + 13, { align: 'right' })
      }
      this.y += 38
    }
  }

  private closing(): void {
    const { bill, labels } = this
    if (bill.termDays) this.y = this.lines([this.terms()], LEFT, this.y) + 4
    if (bill.meansCode === '48') this.y = this.lines([labels.card], LEFT, this.y) + 4
    if (bill.meansCode === '59' || bill.meansCode === '49') {
      this.y = this.lines([labels.debited(this.grouped(bill.payerIban ?? ''))], LEFT, this.y) + 4
    } else if (bill.payerIban) {
      this.y = this.lines([`${labels.theirAccount}: ${this.grouped(bill.payerIban)}`], LEFT, this.y + 6) + 10
    }
    this.text(labels.thanks, LEFT, this.y + 6)
    this.y += 30
  }

  private terms(): string {
    const { language, termDays } = this.bill
    const days = String(termDays)
    const phrases = {
      de: `Zahlbar innerhalb von ${days} Tagen ohne Abzug.`,
      en: `Payment within ${days} days of the invoice date.`,
      fr: `Paiement à ${days} jours.`,
      es: `Pago a ${days} días de la fecha de la factura.`,
      nl: `Te betalen binnen ${days} dagen na factuurdatum.`,
      it: `Pagamento a ${days} giorni data fattura.`,
    }
    return phrases[language]
  }

  private bank(): void {
    const { bill, labels } = this
    const [account] = bill.accounts
    const details = account
      ? [
          ...((account.holder ?? bill.payeeName)
            ? [[labels.holder, account.holder ?? bill.payeeName ?? ''] as const]
            : []),
          ...(account.iban ? [['IBAN', this.grouped(account.iban)] as const] : []),
          ...(account.branch ? [['Sort code', account.branch.replaceAll(/(..)(?=.)/g, '$1-')] as const] : []),
          ...(account.number ? [['Account number', account.number] as const] : []),
          ...(account.bic ? [['BIC', account.bic] as const] : []),
        ]
      : []
    const reference = bill.reference ? [[labels.reference, bill.reference] as const] : []
    const ofWindow = this.layout.head === 'window' ? this.ids(bill.seller) : []
    if (this.layout.bank === 'footer') {
      this.lines(
        reference.map(([label, value]) => `${label}: ${value}`),
        LEFT,
        this.y,
      )
      this.pdf
        .moveTo(LEFT, FOOT - 8)
        .lineTo(RIGHT, FOOT - 8)
        .stroke('#999')
      this.lines(this.address(bill.seller).slice(0, 4), LEFT, FOOT, { size: 7.5 })
      this.lines(ofWindow, 230, FOOT, { size: 7.5 })
      this.lines([labels.bank, ...details.map(([label, value]) => `${label}: ${value}`)], 370, FOOT, { size: 7.5 })
      return
    }
    const all = [...details, ...reference]
    if (this.layout.bank === 'sentence') {
      this.text(`${labels.bank}:`, LEFT, this.y)
      this.lines(
        all.map(([label, value]) => `${label} ${value}`),
        LEFT,
        this.y + 14,
      )
    } else if (this.layout.bank === 'pairs') {
      this.text(labels.bank, LEFT, this.y, { bold: true })
      this.lines(
        all.map(([label]) => label),
        LEFT,
        this.y + 15,
      )
      this.lines(
        all.map(([, value]) => value),
        LEFT + 150,
        this.y + 15,
      )
    } else {
      this.text(labels.bank, LEFT, this.y, { bold: true })
      this.lines(
        all.map(([label, value]) => `${label}: ${value}`),
        LEFT,
        this.y + 15,
      )
    }
    this.lines([[...this.address(bill.seller).slice(0, 3), ...ofWindow].filter(Boolean).join(' | ')], LEFT, FOOT + 20, {
      size: 7.5,
    })
  }
}
