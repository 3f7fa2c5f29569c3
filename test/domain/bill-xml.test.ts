import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml } from '../../documents/bills/xml/read.ts'
import * as changed from '../support/bills/changed.ts'
import { FORMS, type Form, electronic, electronicTruth } from '../../dev/sample-bills/electronic.ts'
import { type BillModel, LANGUAGES } from '../../dev/sample-bills/model.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { always } from '../support/property.ts'

const { BOTH, PAYEE, PAYER, account, expectFields, fieldsOf, plain, read, readChanged } = changed

/** The fields of a truth that are not null. */
const said = (fields: Readonly<Record<string, string | null>> | null) =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== null))

const codes = {
  typeCode: fc.constantFrom('380', '381', '384', '326', '386', '389', '325'),
  meansCode: fc.constantFrom('58', '30', '59', '49', '48'),
}
const bills: fc.Arbitrary<BillModel> = fc
  .tuple(fc.nat(2 ** 32 - 1), fc.constantFrom(...LANGUAGES), fc.record(codes, { requiredKeys: [] }))
  .map((given) => billOf(...given))

test.each(FORMS)('whatever a bill says in %s is read exactly, and nothing else', (form: Form) =>
  always(40, bills, (bill) => {
    const reading = read(electronic(bill, form))
    const { fields, not_payable: notPayable } = electronicTruth(bill, form)
    expect(fieldsOf(reading)).toEqual(said(fields))
    expect([reading.notPayable, reading.doubts]).toEqual([notPayable, []])
  }),
)

type Fields = Record<string, string | undefined>
type Row = [title: string, given: Partial<BillModel>, changes: changed.Change[], wanted: Fields, doubts?: string[][]]

/** Reads a bill with changes: these fields must be read, these doubts must be told. */
function expectRead(form: Form, [, given, changes, wanted, doubts = []]: Row): void {
  const reading = readChanged(form, plain(given), ...changes)
  expectFields(reading.fields, wanted)
  expect(reading.doubts).toEqual(doubts)
}

const PAYABLE = /(PayableAmount[^>]*>)119\.00/
const TAXES = /((?:TaxSubtotal.*?<cbc:TaxAmount|<ram:CalculatedAmount)[^>]*>)19\.00/
const LINES = /((?:InvoiceLine>.*?<cbc:LineExtensionAmount|<ram:LineTotalAmount)[^>]*>)100\.00/
const BASIS = /((?:TaxExclusiveAmount|TaxBasisTotalAmount)[^>]*>)100\.00/
const NUMBER = new RegExp(`<(c..|r..):ID>${plain().number}</...:ID>`)
const WRONG: [Fields, string[][]] = [
  { amount: undefined, bill_number: plain().number },
  [['does_not_add_up', 'amount']],
]
const IN_DAYS = { dueDate: null, termDays: 30 }
const TWO = { accounts: [account, { ...account, iban: PAYER }] }
const OTHER_BIC = { accounts: [{ ...account, bic: 'COBADEFXXX' }] }
const ZEROS = { number: '000042', reference: '00000123' }

describe.each(BOTH)('%s', (form) => {
  test('the account is the payee’s, however near the payer’s stands', () => {
    expect(readChanged(form, plain({ payerIban: PAYER })).fields.iban).toBe(PAYEE)
    expect(readChanged(form, plain({ payerIban: PAYER, accounts: [] })).fields).not.toHaveProperty('iban')
  })

  test.each<Row>([
    ['a wrong sum is told', {}, [[PAYABLE, '$1118.00']], ...WRONG],
    ['so are wrong taxes', {}, [[TAXES, '$120.00']], ...WRONG],
    ['a line that is not summed', {}, [[LINES, '$190.00']], ...WRONG],
    ['an amount that is no number', {}, [[BASIS, '$11e2']], ...WRONG],
    ['what is payable is not off by a hundredth', {}, [[PAYABLE, '$1119.01']], ...WRONG],
    ['nor by less', {}, [[PAYABLE, '$1119.004']], ...WRONG],
    ['and has no comma', {}, [[PAYABLE, '$1119,00']], ...WRONG],
    ['another sum may be off', {}, [[TAXES, '$119.01']], { amount: '119.00' }],
    ['numbers are read as XML Schema writes them', {}, [[PAYABLE, '$1 +0119.0 ']], { amount: '119.00' }],
    ['what was paid and rounded is in the amount', { prepaid: 1900n, rounding: -1n }, [], { amount: '99.99' }],
    ['the first of several accounts is taken, and told', TWO, [], { iban: PAYEE }, [['several_accounts', 'iban']]],
    ['the same account twice is one', { accounts: [account, account] }, [], { iban: PAYEE }],
    ['a BIC that is none', OTHER_BIC, [], { iban: PAYEE, swift_code: undefined }, [['malformed', 'swift_code']]],
    ['days of terms count from the date of the bill', IN_DAYS, [], { due_date: '2026-03-31' }],
    ['not with a discount', IN_DAYS, [['ohne Abzug', '3 % Skonto']], { due_date: undefined }],
    ['not with other days', IN_DAYS, [['ohne Abzug', 'oder 14 Tagen']], { due_date: undefined }],
    ['not from another day', IN_DAYS, [['ohne Abzug', 'nach Erhalt']], { due_date: undefined }],
    ['leading zeros stay', ZEROS, [], { bill_number: '000042', payment_reference: '00000123' }],
    ['another namespace', {}, [[NUMBER, '<x:ID xmlns:x="urn:o">o</x:ID>$&']], { bill_number: plain().number }],
  ])('%s', (...row) => expectRead(form, row))

  test('a bill of which all was paid before is not payable', () => {
    const { fields, reading } = readChanged(form, plain({ prepaid: 11_900n }))
    expect([fields.amount, reading.notPayable]).toEqual(['0.00', 'paid'])
  })

  test('an IBAN with wrong check digits is left out, never taken for another number', () => {
    const { fields, doubts } = readChanged(form, plain(), [PAYEE, 'DE02120300000000202052'])
    expectFields(fields, { iban: undefined, account_number: undefined })
    expect(doubts).toEqual([['wrong_check_digits', 'iban']])
  })

  test('dates that no calendar has, and currencies that nobody has, stay empty', () => {
    const date = form === 'ubl-peppol' ? '2026-03-31' : '20260331'
    const { fields, doubts } = readChanged(form, plain(), [date, date.replace('31', '32')], [/EUR</, 'EUX<'])
    expectFields(fields, { due_date: undefined, currency: undefined })
    expect(doubts).toContainEqual(['no_such_date', 'due_date'])
  })

  test('an order is no bill', () =>
    expect(() => readChanged(form, plain(), [/TypeCode>380/, 'TypeCode>220'])).toThrow('is an order'))

  test('two elements for one thing are refused: who shows the bill may show the other one', () =>
    expect(() => readChanged(form, plain(), [NUMBER, '$&<$1:ID>other</$1:ID>'])).toThrow('more than one ID'))
})

const EUROS = /(PayableAmount currencyID=")EUR/
const TERMS = /<ram:SpecifiedTradePaymentTerms>.*<\/ram:SpecifiedTradePaymentTerms>/
const parted = TERMS.exec(electronic(plain(), 'cii-extended'))?.[0].replace('20260331', '20260430')
const FOREIGN = '<ram:TaxTotalAmount currencyID="DKK">141.60</ram:TaxTotalAmount>'
const FOREIGN_UBL = '<cac:TaxTotal><cbc:TaxAmount currencyID="DKK">141.60</cbc:TaxAmount></cac:TaxTotal>'
const BRITISH = { currency: 'GBP', accounts: [{ ...account, iban: null, number: '00319268', branch: '60-16-13' }] }
const MEANS = /<cac:PaymentMeans>.*<\/cac:PaymentMeans>/
const meansOf = (_: unknown, at: number) => `<cac:PaymentMeans><cbc:PaymentID>${at}</cbc:PaymentID></cac:PaymentMeans>`
const MANY = Array.from({ length: 5000 }, meansOf).join('')
const ATTACHED = `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf">${'QUJD'.repeat(1_000_000)}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`

const CONTRADICTED = [['contradicted', 'payment_reference']]
const GB = { account_number: '00319268', sort_code: '601613', bank_country_alpha2: 'GB' }

test.each<Row>([
  [
    'an amount in another currency than the bill’s is left out with its currency',
    {},
    [[EUROS, '$1USD']],
    { amount: undefined, currency: undefined },
    [['contradicted', 'amount', 'currency']],
  ],
  ['an account number without an IBAN has the code of its country', BRITISH, [], GB],
  ['of many references none is taken', {}, [[MEANS, MANY]], { payment_reference: undefined }, CONTRADICTED],
  ['a tax in the currency of its office', {}, [['<cac:TaxTotal>', `${FOREIGN_UBL}$&`]], { amount: '119.00' }],
  ['a date may have an offset', {}, [[/(IssueDate>)2026-03-01/, '$12026-03-01+01:00']], { issue_date: '2026-03-01' }],
  ['an attached file is not opened', {}, [['<cac:AccountingSupplierParty>', `${ATTACHED}$&`]], { amount: '119.00' }],
])('in UBL %s', (...row) => expectRead('ubl-peppol', row))

test('in CII a tax in the currency of its office is not summed, and several due dates leave the date empty', () => {
  expectRead('cii-en16931', [
    '',
    {},
    [[/<ram:TaxTotalAmount.*?<\/ram:TaxTotalAmount>/, `${FOREIGN}$&`]],
    { amount: '119.00' },
  ])
  const doubts = [['several_due_dates', 'due_date']]
  expectRead('cii-extended', ['', {}, [[TERMS, `$&${parted}`]], { due_date: undefined }, doubts])
})

test('XML within a PDF is told from a file of its own', () => {
  const method = (form: Form, from: 'file' | 'pdf') => readXml(Buffer.from(electronic(plain(), form)), from).method
  const methods = ['ubl ubl', 'ubl ubl', ...Array<string>(6).fill('cii factur-x'), 'zugferd-1 zugferd-1']
  expect(FORMS.map((form) => `${method(form, 'file')} ${method(form, 'pdf')}`)).toEqual(methods)
})

test('an envelope of Peppol’s network holds one bill', () => {
  const bill = electronic(plain(), 'ubl-peppol').replace(/^.*\n/, '')
  const ns = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader'
  const envelope = (inside: string) =>
    `<s:StandardBusinessDocument xmlns:s="${ns}"><s:StandardBusinessDocumentHeader/>${inside}</s:StandardBusinessDocument>`
  expect(fieldsOf(read(envelope(bill))).bill_number).toBe(plain().number)
  expect(() => read(envelope(bill + bill))).toThrow('does not hold one document')
})

test('every field says which element it was read from', () => {
  const iban = read(electronic(plain(), 'ubl-peppol')).fields.find(({ field }) => field === 'iban')
  const text = '/Invoice/PaymentMeans/PayeeFinancialAccount/ID'
  expect(iban).toEqual({ field: 'iban', value: PAYEE, page: null, box: null, text, confidence: 1 })
})
