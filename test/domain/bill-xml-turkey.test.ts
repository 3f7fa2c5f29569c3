/** UBL-TR 1.2 of Turkey: special taxes in the base of VAT, and tax that the payer withholds. */
import { expect, test } from 'vitest'
import { readWith } from '../support/bills/changed.ts'

const ns =
  'xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
const money = (name: string, amount: string) => `<cbc:${name} currencyID="TRY">${amount}</cbc:${name}>`
const taxes = (element: string, total: string, parts: readonly (readonly [code: string, amount: string])[]) =>
  `<cac:${element}>${money('TaxAmount', total)}${parts
    .map(
      ([code, amount]) =>
        `<cac:TaxSubtotal>${money('TaxAmount', amount)}<cac:TaxCategory><cac:TaxScheme><cbc:TaxTypeCode>${code}</cbc:TaxTypeCode></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`,
    )
    .join('')}</cac:${element}>`
const VAT = taxes('TaxTotal', '200.00', [['0015', '200.00']])
/** Special consumption tax of 100.00 in the base of VAT. */
const SPECIAL = taxes('TaxTotal', '320.00', [
  ['0071', '100.00'],
  ['0015', '220.00'],
])
const withheld = (amount: string, code: string) => taxes('WithholdingTaxTotal', amount, [[code, amount]])

const bill = (tax: string, [net, gross, payable]: readonly [string, string, string]) =>
  `<Invoice ${ns}><cbc:CustomizationID>TR1.2</cbc:CustomizationID><cbc:ID>ABC2026000000007</cbc:ID><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:InvoiceTypeCode>SATIS</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>TRY</cbc:DocumentCurrencyCode>${tax}<cac:LegalMonetaryTotal>${money('LineExtensionAmount', '1000.00')}${money('TaxExclusiveAmount', net)}${money('TaxInclusiveAmount', gross)}${money('PayableAmount', payable)}</cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID>${money('LineExtensionAmount', '1000.00')}</cac:InvoiceLine></Invoice>`

test.each([
  ['withholding', VAT + withheld('180.00', '601'), ['1000.00', '1200.00', '1020.00']],
  ['two of it', VAT + withheld('100.00', '601') + withheld('80.00', '602'), ['1000.00', '1200.00', '1020.00']],
  ['a special tax in the base of VAT', SPECIAL, ['1100.00', '1320.00', '1320.00']],
  ['a special tax beside the base', SPECIAL, ['1000.00', '1320.00', '1320.00']],
  ['both', SPECIAL + withheld('20.00', '601'), ['1100.00', '1320.00', '1300.00']],
] as const)('with %s it is read, as its sums prove the payable amount', (_, tax, sums) => {
  const { fields, doubts } = readWith(bill(tax, sums))
  expect([fields.amount, fields.currency, doubts]).toEqual([sums[2], 'TRY', []])
})

test.each([
  ['does not say that it withholds', VAT, ['1000.00', '1200.00', '1020.00']],
  ['does not subtract what it withholds', VAT + withheld('180.00', '601'), ['1000.00', '1200.00', '1200.00']],
  ['subtracts one of two', VAT + withheld('100.00', '1') + withheld('80.00', '2'), ['1000.00', '1200.00', '1100.00']],
  ['withholds no number', VAT + withheld('100.00', '1') + withheld('?', '2'), ['1000.00', '1200.00', '1100.00']],
  ['has a special tax outside its total', SPECIAL, ['1100.00', '1220.00', '1220.00']],
  ['has it twice', SPECIAL, ['1100.00', '1420.00', '1420.00']],
  ['has another base without a special tax', VAT, ['1100.00', '1200.00', '1200.00']],
] as const)('one that %s is in doubt', (_, tax, sums) => {
  const { fields, doubts } = readWith(bill(tax, sums))
  expect([fields.amount, doubts]).toEqual([undefined, [['does_not_add_up', 'amount']]])
})
