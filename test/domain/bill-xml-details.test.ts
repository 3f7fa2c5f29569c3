/** Dates, amounts, references and accounts in the XML of a bill. */
import { describe, expect, test } from 'vitest'
import { FORMS, type Form, electronic } from '../../dev/sample-bills/electronic.ts'
import { amountText, netOf } from '../../dev/sample-bills/model.ts'
import { billOf } from '../../dev/sample-bills/random.ts'
import { FACTURAE, FATTURA_PA, SIMPLIFIED } from '../../dev/sample-bills/national.ts'
import * as changed from '../support/bills/changed.ts'

const { BOTH, PAYEE, account, expectFields, plain, read, readChanged, readWith } = changed
type Change = changed.Change

test('the day of an earlier bill is never that of this one', () => {
  const reference = {
    'ubl-peppol': [
      '<cac:AccountingSupplierParty>',
      '<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>OLD-1</cbc:ID><cbc:IssueDate>2020-01-02</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>$&',
    ],
    'cii-en16931': [
      '</ram:ApplicableHeaderTradeSettlement>',
      '<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>OLD-1</ram:IssuerAssignedID><ram:FormattedIssueDateTime><qdt:DateTimeString xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" format="102">20200102</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>$&',
    ],
  } as const
  const own = /<(cbc:IssueDate|ram:IssueDateTime)>.*?<\/\1>/
  for (const form of BOTH) {
    const dated = { issue_date: '2026-03-01', bill_number: plain().number }
    expect(readChanged(form, plain(), reference[form]).fields, form).toMatchObject(dated)
    expect(readChanged(form, plain(), [own, ''], reference[form]).fields, form).not.toHaveProperty('issue_date')
  }
})

test.each(BOTH)('what is due is the amount, and not the total before what was paid: %s', (form) => {
  const bill = plain({ prepaid: 10_000n })
  expect(readChanged(form, bill).fields.amount).toBe('19.00')
  const due = /<(cbc:PayableAmount|ram:DuePayableAmount).*?<\/\1>/ // the total alone says nothing after a part was paid
  expect(readChanged(form, bill, [due, '']).fields).not.toHaveProperty('amount')
})

describe('what is collected for others comes on top of the bill in the extension of XRechnung alone', () => {
  const customization = /(<cbc:CustomizationID>)[^<]*/
  const EXTENSION =
    'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0'
  const prepaid = (amount: string) =>
    `<cac:PrepaidPayment><cbc:ID>1</cbc:ID><cbc:PaidAmount currencyID="EUR">${amount}</cbc:PaidAmount></cac:PrepaidPayment>`
  const paid = (amounts: readonly string[]) => ['<cac:TaxTotal>', `${amounts.map(prepaid).join('')}$&`] as const
  const payable = (amount: string) => [/(PayableAmount[^>]*>)119\.00/, `$1${amount}`] as const
  const extended = [customization, `$1${EXTENSION}`] as const

  test.each(['30.00 = 149.00', '30.00 1.50 = 150.50', '= 119.00'])('%s', (row) => {
    const [amounts = '', sum = ''] = row.split(/ ?= /)
    const changes = amounts === '' ? [] : [paid(amounts.split(' ')), payable(sum)]
    expect(readChanged('ubl-xrechnung', plain(), extended, ...changes).fields.amount).toBe(sum)
  })

  test('a sum without it, or another form with it, does not add up', () => {
    const wrong = [['does_not_add_up', 'amount']]
    expect(readChanged('ubl-xrechnung', plain(), extended, paid(['30.00'])).doubts).toEqual(wrong)
    expect(readChanged('ubl-peppol', plain(), paid(['30.00']), payable('149.00')).doubts).toEqual(wrong)
    expect(readChanged('ubl-peppol', plain(), paid(['30.00'])).fields.amount).toBe('119.00')
  })
})

test('a reference is read without a way to pay', () => {
  const means = /<ram:SpecifiedTradeSettlementPaymentMeans>.*<\/ram:SpecifiedTradeSettlementPaymentMeans>/
  expect(readChanged('cii-en16931', plain(), [means, '']).fields.payment_reference).toBe('000123')
})

const withAccount = (currency: string, more: object) =>
  plain({ currency, accounts: [{ ...account, iban: null, ...more }] })

test.each<[Form, string, object, Change[]?]>([
  ['ubl-peppol', 'SEK', { number: '5051-8501', branch: 'SE:BANKGIRO' }],
  ['ubl-peppol', 'SEK', { number: '50518501', branch: 'SE:BANKGIRO' }],
  ['ubl-peppol', 'SEK', { number: '4-2', branch: 'SE:PLUSGIRO' }],
  ['ubl-peppol', 'SEK', { number: '28 65 43-4', branch: 'SE:Plusgiro' }],
  ['ubl-peppol', 'SEK', { number: '5051-8501', bic: 'BGABSESS' }],
  ['ubl-peppol', 'SEK', { number: '5051-8501' }],
  ['cii-en16931', 'SEK', { number: '5051-8501' }],
  ['ubl-peppol', 'DKK', { number: '12345678' }, [[/(Code>)58</, '$193<']]], // by its means
  ['ubl-peppol', 'CHF', { number: '01-39139-1' }],
])('a giro is no account of a bank in %s and %s: %j', (form, currency, more, changes = []) => {
  const { fields, doubts } = readChanged(form, withAccount(currency, more), ...changes)
  expectFields(fields, { account_number: undefined, bank_country_alpha2: undefined, payment_reference: '000123' })
  expect(doubts).toEqual([['giro_number', 'account_number']])
})

test('a giro is no account of a bank an account of a bank beside it is taken, and is the only one', () => {
  const giro = { ...account, iban: null, number: '5051-8501', branch: 'SE:BANKGIRO' }
  const { fields, doubts } = readChanged('ubl-peppol', plain({ currency: 'SEK', accounts: [giro, account] }))
  expect([fields.iban, doubts]).toEqual([PAYEE, []])
  const whole = readChanged('ubl-peppol', withAccount('SEK', { number: '9022-123 456 789' }))
  expect(whole.fields.account_number).toBe('9022123456789')
})

test('the country of an account is never that of its BIC alone', () => {
  const abroad = plain({ accounts: [{ ...account, iban: null, number: '0532013000', bic: 'COBADEFF' }] })
  for (const form of BOTH) {
    const { fields } = readChanged(form, abroad)
    expect(fields).toMatchObject({ account_number: '0532013000', swift_code: 'COBADEFF' })
    expect(fields).not.toHaveProperty('bank_country_alpha2')
  }
})

test.each([
  ['NL-8104.33.941.B01', 'NL810433941B01'],
  ['BE-0428.759.497', 'BE0428759497'],
  ['DE-136695976', 'DE136695976'],
  ['CHE-107.787.577', 'CHE-107.787.577'],
  ['12-3456789', '12-3456789'],
  ['DE 136 695 976', 'DE 136 695 976'],
])('a VAT number with a dash behind its country, %s, is %s', (written, value) => {
  const bill = plain({ seller: { ...plain().seller, taxId: written } })
  for (const form of BOTH) expect(readChanged(form, bill).fields.supplier_tax_id).toBe(value)
})

describe('lines and tax', () => {
  test.each(FORMS)('of a bill in %s are what it states', (form) => {
    const bill = billOf(12, 'fr')
    const { lineItems } = read(electronic(bill, form))
    const hasLines = form !== 'cii-minimum' && form !== 'cii-basic-wl'
    const lines = bill.lines.map((line) => ({
      description: line.text,
      quantity: String(line.quantity),
      unit: 'C62',
      unit_price: amountText(line.price, bill.currency),
      amount: amountText(netOf(line), bill.currency),
      tax_rate: String(line.rate),
    }))
    expect(lineItems).toEqual(hasLines ? lines : [])
  })

  test('of Italy and Spain are read, too; a simplified bill has no net lines', () => {
    const rows = (xml: string) => read(xml).lineItems?.map((item) => Object.values(item))
    const names = ['description', 'quantity', 'unit', 'unit_price', 'amount', 'tax_rate']
    expect(Object.keys(read(FATTURA_PA).lineItems?.[0] ?? {})).toEqual(names)
    expect(rows(FATTURA_PA)).toEqual([
      ['Tornitura', '10.00', 'ore', '80.00', '800.00', '22.00'],
      ['Trasporto', null, null, '200.00', '200.00', '22.00'],
    ])
    expect(rows(FACTURAE)).toEqual([
      ['Mecanizado', '8.0', 'HUR', '100.00', '800.00', '21.00'],
      ['Portes', '1.0', null, '200.00', '200.00', '21.00'],
    ])
    expect(rows(SIMPLIFIED)).toEqual([])
    expect(readWith(FATTURA_PA, ['<PrezzoTotale>800.00', '<PrezzoTotale>700.00']).reading.lineItems).toEqual([])
  })

  test.each(BOTH)('are left out if the sums of a bill in %s are wrong', (form) => {
    const { fields, reading } = readChanged(form, plain(), [/(PayableAmount[^>]*>)119\.00/, '$1118.00'])
    expect(fields).not.toHaveProperty('tax_total')
    expect(reading.lineItems).toEqual([])
  })

  test('a tax has the sign of the amount', () => {
    expect(readChanged('ubl-peppol', plain(), [/TypeCode>380/, 'TypeCode>381']).fields.tax_total).toBe('-19.00')
    expect(readChanged('ubl-peppol', plain()).fields.tax_total).toBe('19.00')
    const several = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">0.00</cbc:TaxAmount></cac:TaxTotal>'
    expect(readChanged('ubl-peppol', plain(), ['<cac:TaxTotal>', `${several}$&`]).fields.tax_total).toBe('19.00')
  })

  test('a price for several units is no price for one, and a long text is cut', () => {
    const price = /(<cac:Price>.*?)(<\/cac:Price>)/
    const basis = (of: string) => [price, `$1<cbc:BaseQuantity>${of}</cbc:BaseQuantity>$2`] as const
    const priced = (of: string) => readChanged('ubl-peppol', plain(), basis(of)).reading.lineItems?.[0]?.unit_price
    expect([priced('1.0'), priced('100')]).toEqual(['100.00', null])
    const [item] = readChanged('ubl-peppol', plain(), ['>Ware<', `>${'x'.repeat(900)}<`]).reading.lineItems ?? []
    expect(item?.description).toBe(`${'x'.repeat(499)}…`)
  })

  test('a thousand lines are kept, and none of more', () => {
    const line = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/
    const linesOf = (count: number) => {
      const bill = plain({ lines: [{ text: 'Ware', quantity: 1, price: 0n, rate: 19 }] })
      return readChanged('ubl-peppol', bill, [line, '$&'.repeat(count)]).reading.lineItems?.length
    }
    expect([linesOf(1000), linesOf(1001)]).toEqual([1000, 0])
  })
})
