/** What XML says of dates, sums, references and accounts beside what it says of the bill. */
import { describe, expect, test } from 'vitest'
import { BOTH, PAYEE, account, plain, readChanged } from '../support/bills/changed.ts'

describe('the day of an earlier bill is never that of this one', () => {
  const earlier = { 'ubl-peppol': '2020-01-02', 'cii-en16931': '20200102' }
  const reference = {
    'ubl-peppol': [
      '<cac:AccountingSupplierParty>',
      `<cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>OLD-1</cbc:ID><cbc:IssueDate>${earlier['ubl-peppol']}</cbc:IssueDate></cac:InvoiceDocumentReference></cac:BillingReference>$&`,
    ],
    'cii-en16931': [
      '</ram:ApplicableHeaderTradeSettlement>',
      `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>OLD-1</ram:IssuerAssignedID><ram:FormattedIssueDateTime><qdt:DateTimeString xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" format="102">${earlier['cii-en16931']}</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>$&`,
    ],
  } as const

  test.each(BOTH)('%s', (form) => {
    const own =
      form === 'ubl-peppol' ? /<cbc:IssueDate>.*?<\/cbc:IssueDate>/ : /<ram:IssueDateTime>.*?<\/ram:IssueDateTime>/
    const { fields } = readChanged(form, plain(), reference[form])
    expect(fields).toMatchObject({ issue_date: '2026-03-01', bill_number: plain().number })
    expect(readChanged(form, plain(), [own, ''], reference[form]).fields).not.toHaveProperty('issue_date')
  })
})

describe('what is due is the amount, and not the total before what was paid', () => {
  test.each(BOTH)('%s', (form) => {
    expect(readChanged(form, plain({ prepaid: 10_000n })).fields.amount).toBe('19.00')
    // a total without what is due says nothing if a part was paid
    const due =
      form === 'ubl-peppol'
        ? /<cbc:PayableAmount.*?<\/cbc:PayableAmount>/
        : /<ram:DuePayableAmount>.*?<\/ram:DuePayableAmount>/
    expect(readChanged(form, plain({ prepaid: 10_000n }), [due, '']).fields).not.toHaveProperty('amount')
  })
})

describe('what is collected for others comes on top of the bill in the extension of XRechnung alone', () => {
  const customization = /(<cbc:CustomizationID>)[^<]*/
  const EXTENSION =
    'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0'
  const paid = (amounts: readonly string[]) =>
    [
      '<cac:TaxTotal>',
      `${amounts.map((one) => `<cac:PrepaidPayment><cbc:ID>1</cbc:ID><cbc:PaidAmount currencyID="EUR">${one}</cbc:PaidAmount></cac:PrepaidPayment>`).join('')}$&`,
    ] as const
  const payable = (amount: string) => [/(PayableAmount[^>]*>)119\.00/, `$1${amount}`] as const
  const extended = [customization, `$1${EXTENSION}`] as const

  test.each([
    [['30.00'], '149.00'],
    [['30.00', '1.50'], '150.50'],
    [[], '119.00'],
  ])('%s', (amounts, sum) => {
    const changes = amounts.length > 0 ? [paid(amounts), payable(sum)] : []
    expect(readChanged('ubl-xrechnung', plain(), extended, ...changes).fields.amount).toBe(sum)
  })

  test('a sum without it, or another form with it, does not add up', () => {
    expect(readChanged('ubl-xrechnung', plain(), extended, paid(['30.00'])).doubts).toEqual([
      ['does_not_add_up', 'amount'],
    ])
    expect(readChanged('ubl-peppol', plain(), paid(['30.00']), payable('149.00')).doubts).toEqual([
      ['does_not_add_up', 'amount'],
    ])
    expect(readChanged('ubl-peppol', plain(), paid(['30.00'])).fields.amount).toBe('119.00')
  })
})

test('a reference is read without a way to pay', () => {
  const means = /<ram:SpecifiedTradeSettlementPaymentMeans>.*<\/ram:SpecifiedTradeSettlementPaymentMeans>/
  expect(readChanged('cii-en16931', plain(), [means, '']).fields.payment_reference).toBe('000123')
})

describe('a giro is no account of a bank', () => {
  const swedish = (more: object) => plain({ currency: 'SEK', accounts: [{ ...account, iban: null, ...more }] })

  test.each([
    [{ number: '5051-8501', branch: 'SE:BANKGIRO' }],
    [{ number: '50518501', branch: 'SE:BANKGIRO' }],
    [{ number: '4-2', branch: 'SE:PLUSGIRO' }],
    [{ number: '28 65 43-4', branch: 'SE:Plusgiro' }],
    [{ number: '5051-8501', bic: 'BGABSESS' }],
    [{ number: '5051-8501' }],
  ])('%j', (more) => {
    const { fields, doubts } = readChanged('ubl-peppol', swedish(more))
    expect(fields).not.toHaveProperty('account_number')
    expect(fields).not.toHaveProperty('bank_country_alpha2')
    expect(fields.payment_reference).toBe('000123')
    expect(doubts).toEqual([['giro_number', 'account_number']])
  })

  test('nor in CII, nor by its means, nor in Switzerland', () => {
    expect(readChanged('cii-en16931', swedish({ number: '5051-8501' })).doubts).toEqual([
      ['giro_number', 'account_number'],
    ])
    const danish = plain({ currency: 'DKK', accounts: [{ ...account, iban: null, number: '12345678' }] })
    expect(readChanged('ubl-peppol', danish, [/(Code>)58</, '$193<']).doubts).toEqual([
      ['giro_number', 'account_number'],
    ])
    const swiss = plain({ currency: 'CHF', accounts: [{ ...account, iban: null, number: '01-39139-1' }] })
    expect(readChanged('ubl-peppol', swiss).doubts).toEqual([['giro_number', 'account_number']])
  })

  test('an account of a bank beside it is taken, and is the only one', () => {
    const both = plain({
      currency: 'SEK',
      accounts: [{ ...account, iban: null, number: '5051-8501', branch: 'SE:BANKGIRO' }, account],
    })
    const { fields, doubts } = readChanged('ubl-peppol', both)
    expect([fields.iban, doubts]).toEqual([PAYEE, []])
    const whole = swedish({ number: '9022-123 456 789' })
    expect(readChanged('ubl-peppol', whole).fields.account_number).toBe('9022123456789')
  })
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
