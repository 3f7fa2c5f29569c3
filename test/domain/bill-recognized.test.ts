/** Fields from recognized pages: self-proving values, and values on which two readings agree. */
import { describe, expect, test } from 'vitest'
import type { BillField } from '../../domain/bills/fields.ts'
import { chooseReading } from '../../documents/bills/text/agreed.ts'
import { pagesRead } from '../../documents/bills/text/reading.ts'
import { codesOf, valueOf, valuesOf } from '../support/bills/readings.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const AGREED = 0.9
/** The confidence of a word that only one reading has. */
const ONCE = 0.75

/** A recognized page of these lines below its head; words have the given confidence. */
const page = (lines: readonly string[], confidence: number | null = AGREED) => {
  const head = ['Rechnung', 'Rechnungsnummer: R-7788', 'Rechnungsdatum: 03.03.2026']
  return pagesRead([typedPage([...head, ...lines], { confidence })], 'tesseract-5', 'de')
}

const SUMS = ['Nettobetrag: 100,00 EUR', '19 % MwSt.: 19,00 EUR', 'Gesamtbetrag: 119,00 EUR']
const TWO_IDS = ['USt-IdNr.: DE1234567', 'Steuernummer: 123/456/78901']
const DOUBTFUL = [['does_not_add_up', 'amount']]
const QUOTE = 'Verwendungszweck:'

test.each<[string, string[], number | null, Partial<Record<BillField, string | null>>, string[][]?]>([
  ['a number or a date that one reading alone has', SUMS, ONCE, { bill_number: null, issue_date: null }],
  ['an amount that adds up', SUMS, ONCE, { amount: '119.00' }],
  ['a number and a date that two have', SUMS, AGREED, { bill_number: 'R-7788', issue_date: '2026-03-03' }],
  [
    'a tax number with wrong check digits',
    ['USt-IdNr.: DE123456789'],
    AGREED,
    { supplier_tax_id: null },
    [['wrong_check_digits', 'supplier_tax_id']],
  ],
  ['the same in the text of a file', ['USt-IdNr.: DE123456789'], null, { supplier_tax_id: 'DE123456789' }],
  ['one with right ones', ['USt-IdNr.: DE123456788'], ONCE, { supplier_tax_id: 'DE123456788' }],
  ['another number beside a tax number that was not recognized', TWO_IDS, AGREED, { supplier_tax_id: null }],
  ['the same in the text of a file', TWO_IDS, null, { supplier_tax_id: '123/456/78901' }],
  ['a reference', [`${QUOTE} RF18539007547034`], ONCE, { payment_reference: 'RF18539007547034' }],
  ['a reference with wrong check digits', [`${QUOTE} RF18539007547084`], AGREED, { payment_reference: null }],
  ['one of Belgium', [`${QUOTE} +4*010/8068/17183+++`], ONCE, { payment_reference: '+++010/8068/17183+++' }],
  ['a wrong one of Belgium', [`${QUOTE} +++010/8068/17184+++`], AGREED, { payment_reference: null }],
  ['other signs around it', [`${QUOTE} +**010/8068/17183 ++`], ONCE, { payment_reference: '+++010/8068/17183+++' }],
  ['a number that stands in two places', [`${QUOTE} R-7788`], ONCE, { bill_number: 'R-7788' }],
  [
    'a date that is due before the bill was written, and that one',
    ['Fällig am: 08.02.2026'],
    AGREED,
    { issue_date: null, due_date: null },
    [['contradicted', 'issue_date', 'due_date']],
  ],
  ['a total beside one without an amount', [...SUMS, 'Zu zahlen'], AGREED, { amount: null }, DOUBTFUL],
])('on a recognized page %s: %j', (_, lines, confidence, values, doubts) => {
  const { reading } = page(lines, confidence)
  for (const [field, value] of Object.entries(values)) expect(valueOf(reading, field as BillField)).toBe(value) // a key
  if (doubts) expect(codesOf(reading)).toEqual(doubts)
})

const POUNDS = ['Net: £100.00', 'VAT 20 %: £20.00', 'Total due: £120.00']
const AMBIGUOUS = [['ambiguous_currency', 'currency']]

test.each<[string, string[], number | null, string | null, string[][]]>([
  ['alone', [], AGREED, null, AMBIGUOUS],
  ['on a page of the States', ['1 Main Street', 'Austin, TX 78701', 'United States'], AGREED, null, AMBIGUOUS],
  ['beside another code', ['Currency: USD'], AGREED, null, AMBIGUOUS],
  ['for a British customer', ['', 'Bill to:', 'Payer Ltd', 'Leeds LS1 4AP'], AGREED, null, AMBIGUOUS],
  ['with the code', ['Currency: GBP'], AGREED, 'GBP', []],
  ['with a tax id', ['VAT No: GB 339 0727 47'], AGREED, 'GBP', []],
  ['with an address', ['1 High Street', 'Leeds LS1 4AP'], AGREED, 'GBP', []],
  ['in the text of a file', [], null, 'GBP', []],
])(
  'a pound sign %s that was recognized may be a dollar sign, unless the page is British',
  (_, more, confidence, currency, doubts) => {
    const { reading } = page([...POUNDS, ...more], confidence)
    expect(valuesOf(reading, 'amount', 'currency')).toEqual(['120.00', currency])
    expect(codesOf(reading).filter(([code]) => code === 'ambiguous_currency')).toEqual(doubts)
  },
)

describe('of several readings of a page', () => {
  const [IBAN, OTHER_IBAN] = ['DE02120300000000202051', 'DE02500105170137075030']

  test('the one that proves itself is taken', () => {
    const best = page(['Nettobetrag: 100,00 EUR', 'Gesamtbetrag: 179,00 EUR', `IBAN: DE03${IBAN.slice(4)}`])
    const reading = chooseReading(best, [page([...SUMS, `IBAN: ${IBAN}`], ONCE)])
    expect([...valuesOf(reading, 'amount', 'iban'), codesOf(reading)]).toEqual(['119.00', IBAN, []])
  })

  test('two accounts that both have right check digits are none', () => {
    const reading = chooseReading(page([`IBAN: ${IBAN}`]), [page([`IBAN: ${OTHER_IBAN}`])])
    expect([valueOf(reading, 'iban'), codesOf(reading)]).toEqual([null, [['contradicted', 'iban']]])
  })

  test('one that sees what has to be paid is enough to take no other total, one that sees a debit to pay nobody', () => {
    expect(valueOf(chooseReading(page(SUMS), [page([...SUMS, 'Zu zahlen'])]), 'amount')).toBe(null)
    const lines = [...SUMS, `IBAN: ${IBAN}`]
    const debited = page([...lines, 'Der Betrag wird per SEPA-Lastschrift eingezogen.'])
    expect(chooseReading(page(lines), [debited]).notPayable).toBe('direct_debit')
  })
})
