import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readXml } from '../../activities/bills/xml/read.ts'
import { BOTH, PAYEE, PAYER, account, fieldsOf, plain, read, readChanged } from '../support/bills/changed.ts'
import { FORMS, type Form, electronic, electronicTruth } from '../support/bills/electronic.ts'
import { type BillModel, LANGUAGES } from '../support/bills/model.ts'
import { billOf } from '../support/bills/random.ts'
import { always } from '../support/property.ts'

/** The fields of a truth that are not null. */
const said = (fields: Readonly<Record<string, string | null>> | null) =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== null))

const bills: fc.Arbitrary<BillModel> = fc
  .record({
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    language: fc.constantFrom(...LANGUAGES),
    given: fc.record(
      {
        typeCode: fc.constantFrom('380', '381', '384', '326', '386', '389', '325'),
        meansCode: fc.constantFrom('58', '30', '59', '49', '48'),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ seed, language, given }) => billOf(seed, language, given))

test.each(FORMS)('whatever a bill says in %s is read exactly, and nothing else', (form: Form) =>
  always(40, bills, (bill) => {
    const reading = read(electronic(bill, form))
    const truth = electronicTruth(bill, form)
    expect(fieldsOf(reading)).toEqual(said(truth.fields))
    expect(reading.notPayable).toBe(truth.not_payable)
    expect(reading.doubts).toEqual([])
  }),
)

describe.each(BOTH)('%s', (form) => {
  test('the account is the payee’s, however near the payer’s stands', () => {
    expect(readChanged(form, plain({ payerIban: PAYER })).fields.iban).toBe(PAYEE)
    expect(readChanged(form, plain({ payerIban: PAYER, accounts: [] })).fields).not.toHaveProperty('iban')
  })

  test.each([
    ['a wrong sum', /(PayableAmount[^>]*>)119\.00/, '118.00'],
    ['wrong taxes', /((?:TaxSubtotal.*?<cbc:TaxAmount|<ram:CalculatedAmount)[^>]*>)19\.00/, '20.00'],
    [
      'a line that is not summed',
      /((?:InvoiceLine>.*?<cbc:LineExtensionAmount|<ram:LineTotalAmount)[^>]*>)100\.00/,
      '90.00',
    ],
    ['an amount that is no number', /((?:TaxExclusiveAmount|TaxBasisTotalAmount)[^>]*>)100\.00/, '1e2'],
  ])('with %s the amount stays empty, and the doubt is told', (_, from, to) => {
    const { fields, doubts } = readChanged(form, plain(), [from, `$1${to}`])
    expect(fields).not.toHaveProperty('amount')
    expect(fields.bill_number).toBe(plain().number)
    expect(doubts).toEqual([['does_not_add_up', 'amount']])
  })

  test('sums may be off by a hundredth for each part that was rounded, but not what is payable', () => {
    const off = /((?:TaxSubtotal.*?<cbc:TaxAmount|<ram:CalculatedAmount)[^>]*>)19\.00/
    expect(readChanged(form, plain(), [off, '$119.01']).fields.amount).toBe('119.00')
    expect(readChanged(form, plain(), [/(PayableAmount[^>]*>)119\.00/, '$1119.01']).fields).not.toHaveProperty('amount')
  })

  test('what was paid before and what is rounded is in the amount', () => {
    expect(readChanged(form, plain({ prepaid: 1900n, rounding: -1n })).fields.amount).toBe('99.99')
    const { fields, reading } = readChanged(form, plain({ prepaid: 11_900n }))
    expect([fields.amount, reading.notPayable]).toEqual(['0.00', 'paid'])
  })

  test('an IBAN with wrong check digits is left out, never taken for another number', () => {
    const { fields, doubts } = readChanged(form, plain(), [PAYEE, 'DE02120300000000202052'])
    expect(fields).not.toHaveProperty('iban')
    expect(fields).not.toHaveProperty('account_number')
    expect(doubts).toEqual([['wrong_check_digits', 'iban']])
  })

  test('of several accounts of the payee the first is taken, and told to be one of several', () => {
    const bill = plain({ accounts: [account, { ...account, iban: PAYER }] })
    const { fields, doubts } = readChanged(form, bill)
    expect(fields.iban).toBe(PAYEE)
    expect(doubts).toEqual([['several_accounts', 'iban']])
    expect(readChanged(form, plain({ accounts: [account, account] })).doubts).toEqual([])
  })

  test('dates that no calendar has, and currencies that nobody has, stay empty', () => {
    const date = form === 'ubl-peppol' ? '2026-03-31' : '20260331'
    const { fields, doubts } = readChanged(form, plain(), [date, date.replace('31', '32')], [/EUR</, 'EUX<'])
    expect(fields).not.toHaveProperty('due_date')
    expect(fields).not.toHaveProperty('currency')
    expect(doubts).toContainEqual(['no_such_date', 'due_date'])
  })

  test('a due date that terms say in words counts from the date of the bill, unless they say more', () => {
    const bill = plain({ dueDate: null, termDays: 30 })
    expect(readChanged(form, bill).fields.due_date).toBe('2026-03-31')
    expect(readChanged(form, bill, ['ohne Abzug', '3 % Skonto']).fields).not.toHaveProperty('due_date')
    expect(readChanged(form, bill, ['ohne Abzug', 'oder 14 Tagen']).fields).not.toHaveProperty('due_date')
    expect(readChanged(form, bill, ['ohne Abzug', 'nach Erhalt']).fields).not.toHaveProperty('due_date')
  })

  test('numbers keep their leading zeros', () => {
    const { fields } = readChanged(form, plain({ number: '000042', reference: '00000123' }))
    expect([fields.bill_number, fields.payment_reference]).toEqual(['000042', '00000123'])
  })

  test('numbers are read as XML Schema writes them, and never rounded', () => {
    const payable = /(PayableAmount[^>]*>)119\.00/
    expect(readChanged(form, plain(), [payable, '$1 +0119.0 ']).fields.amount).toBe('119.00')
    expect(readChanged(form, plain(), [payable, '$1119.004']).fields).not.toHaveProperty('amount')
    expect(readChanged(form, plain(), [payable, '$1119,00']).fields).not.toHaveProperty('amount')
  })

  test('an order is no bill', () =>
    expect(() => readChanged(form, plain(), [/TypeCode>380/, 'TypeCode>220'])).toThrow('is an order'))

  test('two elements for one thing are refused: who shows the bill may show the other one', () => {
    const number = new RegExp(`<(c..|r..):ID>${plain().number}</...:ID>`)
    expect(() => readChanged(form, plain(), [number, '$&<$1:ID>other</$1:ID>'])).toThrow('more than one ID')
  })

  test('elements of other namespaces are not read', () => {
    const other = '<x:ID xmlns:x="urn:other">other</x:ID>'
    const number = new RegExp(`<(c..|r..):ID>${plain().number}</...:ID>`)
    expect(readChanged(form, plain(), [number, `${other}$&`]).fields.bill_number).toBe(plain().number)
  })
})

test('an amount in another currency than the bill’s is left out with its currency', () => {
  const { fields, doubts } = readChanged('ubl-peppol', plain(), [/(PayableAmount currencyID=")EUR/, '$1USD'])
  expect(fields).not.toHaveProperty('amount')
  expect(fields).not.toHaveProperty('currency')
  expect(doubts).toEqual([['contradicted', 'amount', 'currency']])
})

test('several due dates of parts leave the date empty', () => {
  const due = /<ram:SpecifiedTradePaymentTerms>.*<\/ram:SpecifiedTradePaymentTerms>/
  const terms = electronic(plain(), 'cii-extended').match(due)?.[0] ?? ''
  const { fields, doubts } = readChanged('cii-extended', plain(), [due, `$&${terms.replace('20260331', '20260430')}`])
  expect(fields).not.toHaveProperty('due_date')
  expect(doubts).toEqual([['several_due_dates', 'due_date']])
})

test('account numbers without an IBAN come with the code of their country', () => {
  const british = { ...account, iban: null, number: '00319268', branch: '60-16-13' }
  const bill = plain({ currency: 'GBP', accounts: [british] })
  expect(readChanged('ubl-peppol', bill).fields).toMatchObject({
    account_number: '00319268',
    sort_code: '601613',
    bank_country_alpha2: 'GB',
  })
})

test('of two references without an account none is taken, however many there are', () => {
  const means = (reference: string) =>
    `<cac:PaymentMeans><cbc:PaymentID>${reference}</cbc:PaymentID></cac:PaymentMeans>`
  const many = Array.from({ length: 5000 }, (_, index) => means(String(index))).join('')
  const { fields, doubts } = readChanged('ubl-peppol', plain(), [/<cac:PaymentMeans>.*<\/cac:PaymentMeans>/, many])
  expect(fields).not.toHaveProperty('payment_reference')
  expect(doubts).toEqual([['contradicted', 'payment_reference']])
})

test('a BIC that is none is left out, and told', () => {
  const bill = plain({ accounts: [{ ...account, bic: 'COBADEFXXX' }] })
  for (const form of BOTH) {
    const { fields, doubts } = readChanged(form, bill)
    expect(fields).not.toHaveProperty('swift_code')
    expect(fields.iban).toBe(PAYEE)
    expect(doubts).toEqual([['malformed', 'swift_code']])
  }
})

test('what stands in the currency of the tax office beside the own one is not summed', () => {
  const total = /<ram:TaxTotalAmount.*?<\/ram:TaxTotalAmount>/
  const foreign = '<ram:TaxTotalAmount currencyID="DKK">141.60</ram:TaxTotalAmount>'
  expect(readChanged('cii-en16931', plain(), [total, `${foreign}$&`]).fields.amount).toBe('119.00')
  const more = '<cac:TaxTotal><cbc:TaxAmount currencyID="DKK">141.60</cbc:TaxAmount></cac:TaxTotal>'
  expect(readChanged('ubl-peppol', plain(), ['<cac:TaxTotal>', `${more}$&`]).fields.amount).toBe('119.00')
})

test('a date may have the offset of where the bill was made, and stays that day', () => {
  const date = /(IssueDate>)2026-03-01/
  expect(readChanged('ubl-peppol', plain(), [date, '$12026-03-01+01:00']).fields.issue_date).toBe('2026-03-01')
})

test('XML within a PDF is told from a file of its own', () => {
  const method = (form: Form, from: 'file' | 'pdf') => readXml(Buffer.from(electronic(plain(), form)), from).method
  expect(FORMS.map((form) => [method(form, 'file'), method(form, 'pdf')].join(' '))).toEqual([
    'ubl ubl',
    'ubl ubl',
    ...Array.from({ length: 6 }, () => 'cii factur-x'),
    'zugferd-1 zugferd-1',
  ])
})

test('an envelope of Peppol’s network holds one bill', () => {
  const bill = electronic(plain(), 'ubl-peppol').replace(/^.*\n/, '')
  const ns = 'http://www.unece.org/cefact/namespaces/StandardBusinessDocumentHeader'
  const envelope = (inside: string) =>
    `<s:StandardBusinessDocument xmlns:s="${ns}"><s:StandardBusinessDocumentHeader/>${inside}</s:StandardBusinessDocument>`
  expect(fieldsOf(read(envelope(bill))).bill_number).toBe(plain().number)
  expect(() => read(envelope(bill + bill))).toThrow('does not hold one document')
})

test('a file that is attached within the bill is neither read nor opened', () => {
  const attached = `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf">${'QUJD'.repeat(1_000_000)}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`
  const { fields } = readChanged('ubl-peppol', plain(), ['<cac:AccountingSupplierParty>', `${attached}$&`])
  expect(fields.amount).toBe('119.00')
})

test('every field says which element it was read from', () => {
  const iban = read(electronic(plain(), 'ubl-peppol')).fields.find(({ field }) => field === 'iban')
  expect(iban).toEqual({
    field: 'iban',
    value: PAYEE,
    page: null,
    box: null,
    text: '/Invoice/PaymentMeans/PayeeFinancialAccount/ID',
    confidence: 1,
  })
})
