/** Fields from recognized pages: self-proving values, and values on which two readings agree. */
import { describe, expect, test } from 'vitest'
import type { BillField } from '../../domain/bills/fields.ts'
import type { Reading } from '../../domain/bills/reader.ts'
import { chooseReading } from '../../domain/bills/text/agreed.ts'
import { pagesRead } from '../../domain/bills/text/reading.ts'

const AGREED = 0.9
/** The confidence of a word that only one reading has. */
const ONCE = 0.75

/** A recognized page of these lines; words have the given confidence. */
const page = (lines: readonly string[], confidence: number | null = AGREED) => {
  const words = lines.flatMap((line, row) =>
    Array.from(line.matchAll(/\S+/g), ({ 0: text, index }) => ({
      text,
      box: [50 + index * 5, 50 + row * 14, text.length * 5, 10] as const,
      confidence,
    })),
  )
  return pagesRead([{ number: 1, width: 595, height: 842, words }], 'tesseract-5', 'de')
}
const valueOf = ({ fields }: Reading, wanted: BillField) => fields.find(({ field }) => field === wanted)?.value ?? null
const codesOf = ({ doubts }: Reading) => doubts.map(({ code, fields }) => [code, ...fields])

const HEAD = ['Rechnung', 'Rechnungsnummer: R-7788', 'Rechnungsdatum: 03.03.2026']
const SUMS = ['Nettobetrag: 100,00 EUR', '19 % MwSt.: 19,00 EUR', 'Gesamtbetrag: 119,00 EUR']

describe('on a recognized page', () => {
  test('a number or a date that one reading alone has is left out, and an amount that adds up is not', () => {
    const once = page([...HEAD, ...SUMS], ONCE).reading
    expect([valueOf(once, 'bill_number'), valueOf(once, 'issue_date'), valueOf(once, 'amount')]).toEqual([
      null,
      null,
      '119.00',
    ])
    const agreedOn = page([...HEAD, ...SUMS]).reading
    expect([valueOf(agreedOn, 'bill_number'), valueOf(agreedOn, 'issue_date')]).toEqual(['R-7788', '2026-03-03'])
  })

  test('a tax number with wrong check digits is left out, which the text of a file keeps as it is', () => {
    const lines = [...HEAD, 'USt-IdNr.: DE123456789']
    expect(valueOf(page(lines).reading, 'supplier_tax_id')).toBe(null)
    expect(codesOf(page(lines).reading)).toEqual([['wrong_check_digits', 'supplier_tax_id']])
    expect(valueOf(page(lines, null).reading, 'supplier_tax_id')).toBe('DE123456789')
    expect(valueOf(page([...HEAD, 'USt-IdNr.: DE123456788'], ONCE).reading, 'supplier_tax_id')).toBe('DE123456788')
  })

  test('a tax number that was not recognized is not replaced by another one', () => {
    const lines = [...HEAD, 'USt-IdNr.: DE1234567', 'Steuernummer: 123/456/78901']
    expect(valueOf(page(lines).reading, 'supplier_tax_id')).toBe(null)
    expect(valueOf(page(lines, null).reading, 'supplier_tax_id')).toBe('123/456/78901')
  })

  test('a reference is one with right check digits, whatever signs were seen around them', () => {
    const reference = (written: string, confidence: number) =>
      valueOf(page([...HEAD, `Verwendungszweck: ${written}`], confidence).reading, 'payment_reference')
    expect(reference('RF18539007547034', ONCE)).toBe('RF18539007547034')
    expect(reference('RF18539007547084', AGREED)).toBe(null)
    expect(reference('+4*010/8068/17183+++', ONCE)).toBe('+++010/8068/17183+++')
    expect(reference('+++010/8068/17184+++', AGREED)).toBe(null)
    expect(reference('+**010/8068/17183 ++', ONCE)).toBe('+++010/8068/17183+++')
  })

  test('a number that stands in two places is read as it is printed', () => {
    expect(valueOf(page([...HEAD, 'Verwendungszweck: R-7788'], ONCE).reading, 'bill_number')).toBe('R-7788')
  })

  test('a bill that is due before it was written has none of both dates', () => {
    const { reading } = page([...HEAD, 'Fällig am: 08.02.2026'])
    expect([valueOf(reading, 'issue_date'), valueOf(reading, 'due_date')]).toEqual([null, null])
    expect(codesOf(reading)).toEqual([['contradicted', 'issue_date', 'due_date']])
  })

  test('a total is not taken if what has to be paid was recognized without its amount', () => {
    const { reading } = page([...HEAD, ...SUMS, 'Zu zahlen'])
    expect([valueOf(reading, 'amount'), codesOf(reading)]).toEqual([null, [['does_not_add_up', 'amount']]])
  })
})

describe('of several readings of a page', () => {
  const IBAN = 'DE02120300000000202051'
  const OTHER_IBAN = 'DE02500105170137075030'

  test('the one that proves itself is taken', () => {
    const best = page([...HEAD, 'Nettobetrag: 100,00 EUR', 'Gesamtbetrag: 179,00 EUR', `IBAN: DE03${IBAN.slice(4)}`])
    const other = page([...HEAD, ...SUMS, `IBAN: ${IBAN}`], ONCE)
    const reading = chooseReading(best, [other])
    expect([valueOf(reading, 'amount'), valueOf(reading, 'iban')]).toEqual(['119.00', IBAN])
    expect(codesOf(reading)).toEqual([])
  })

  test('two accounts that both have right check digits are none', () => {
    const reading = chooseReading(page([...HEAD, `IBAN: ${IBAN}`]), [page([...HEAD, `IBAN: ${OTHER_IBAN}`])])
    expect([valueOf(reading, 'iban'), codesOf(reading)]).toEqual([null, [['contradicted', 'iban']]])
  })

  test('one that sees what has to be paid is enough to take no other total', () => {
    const reading = chooseReading(page([...HEAD, ...SUMS]), [page([...HEAD, ...SUMS, 'Zu zahlen'])])
    expect(valueOf(reading, 'amount')).toBe(null)
  })

  test('one that sees a direct debit is enough to pay nobody', () => {
    const lines = [...HEAD, ...SUMS, `IBAN: ${IBAN}`]
    const debited = page([...lines, 'Der Betrag wird per SEPA-Lastschrift eingezogen.'])
    expect(chooseReading(page(lines), [debited]).notPayable).toBe('direct_debit')
  })
})
