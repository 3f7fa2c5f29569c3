/** OIOUBL 2.02 of Denmark: UBL whose TaxExclusiveAmount is the tax, paid to a bank, an IBAN or by a giro slip. */
import { expect, test } from 'vitest'
import { type Change, readWith } from '../support/bills/changed.ts'

const ns =
  'xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"'
const dk = (means: string) =>
  `<Invoice ${ns}><cbc:UBLVersionID>2.0</cbc:UBLVersionID><cbc:CustomizationID>OIOUBL-2.02</cbc:CustomizationID><cbc:ProfileID schemeID="urn:oioubl:id:profileid-1.2" schemeAgencyID="320">Procurement-BilSim-1.0</cbc:ProfileID><cbc:ID>A00095678</cbc:ID><cbc:CopyIndicator>false</cbc:CopyIndicator><cbc:IssueDate>2026-03-01</cbc:IssueDate><cbc:InvoiceTypeCode listAgencyID="320" listID="urn:oioubl:codelist:invoicetypecode-1.1">380</cbc:InvoiceTypeCode><cbc:DocumentCurrencyCode>DKK</cbc:DocumentCurrencyCode><cac:AccountingSupplierParty><cac:Party><cbc:EndpointID schemeID="DK:CVR">DK16356706</cbc:EndpointID><cac:PartyName><cbc:Name>Tavleverandøren</cbc:Name></cac:PartyName><cac:PostalAddress><cbc:StreetName>Leverandørvej</cbc:StreetName><cbc:BuildingNumber>11</cbc:BuildingNumber><cbc:CityName>Dyssegård</cbc:CityName><cbc:PostalZone>2870</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DK</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID schemeID="DK:SE">DK16356706</cbc:CompanyID><cac:TaxScheme><cbc:ID schemeAgencyID="320" schemeID="urn:oioubl:id:taxschemeid-1.1">63</cbc:ID><cbc:Name>Moms</cbc:Name></cac:TaxScheme></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>Tavleverandøren</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:AccountingSupplierParty>${means}<cac:PaymentTerms><cbc:ID>1</cbc:ID><cbc:PaymentMeansID>1</cbc:PaymentMeansID><cbc:Amount currencyID="DKK">6312.50</cbc:Amount></cac:PaymentTerms><cac:TaxTotal><cbc:TaxAmount currencyID="DKK">1262.50</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID="DKK">5050.00</cbc:TaxableAmount><cbc:TaxAmount currencyID="DKK">1262.50</cbc:TaxAmount></cac:TaxSubtotal></cac:TaxTotal><cac:LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="DKK">5000.00</cbc:LineExtensionAmount><cbc:TaxExclusiveAmount currencyID="DKK">1262.50</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount currencyID="DKK">6312.50</cbc:TaxInclusiveAmount><cbc:ChargeTotalAmount currencyID="DKK">50.00</cbc:ChargeTotalAmount><cbc:PayableAmount currencyID="DKK">6312.50</cbc:PayableAmount></cac:LegalMonetaryTotal><cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount currencyID="DKK">5000.00</cbc:LineExtensionAmount></cac:InvoiceLine></Invoice>`
const means = (code: string, channel: string, rest: string) =>
  dk(
    `<cac:PaymentMeans><cbc:ID>1</cbc:ID><cbc:PaymentMeansCode>${code}</cbc:PaymentMeansCode><cbc:PaymentDueDate>2026-03-31</cbc:PaymentDueDate><cbc:PaymentChannelCode>${channel}</cbc:PaymentChannelCode>${rest}</cac:PaymentMeans>`,
  )
const BANK =
  '<cac:PayeeFinancialAccount><cbc:ID>1234567890</cbc:ID><cac:FinancialInstitutionBranch><cbc:ID>1234</cbc:ID></cac:FinancialInstitutionBranch></cac:PayeeFinancialAccount>'
const IBAN = '<cac:PayeeFinancialAccount><cbc:ID>DK5000400440116243</cbc:ID></cac:PayeeFinancialAccount>'
const SLIP =
  '<cbc:InstructionID>123456789012345</cbc:InstructionID><cbc:PaymentID>71</cbc:PaymentID><cac:CreditAccount><cbc:AccountID>87654321</cbc:AccountID></cac:CreditAccount>'

test.each<[string, string, object, string[][]]>([
  ['a bank', means('42', 'DK:BANK', BANK), { account_number: '1234567890', bank_code: '1234' }, []],
  ['an IBAN', means('31', 'IBAN', IBAN), { iban: 'DK5000400440116243' }, []],
  [
    'a slip',
    means('93', 'DK:FIK', SLIP),
    { payment_reference: '123456789012345' },
    [['giro_number', 'account_number']],
  ],
])('of %s it is read', (_, xml, account, doubts) => {
  const read = readWith(xml)
  expect(read.fields).toMatchObject({
    bill_number: 'A00095678',
    issue_date: '2026-03-01',
    due_date: '2026-03-31',
    currency: 'DKK',
    amount: '6312.50',
    tax_total: '1262.50',
    supplier_tax_id: 'DK16356706',
    ...account,
  })
  expect(read.doubts).toEqual(doubts)
})

test.each<[string, Change[]]>([
  ['a payable amount that is not the total', [['6312.50</cbc:PayableAmount>', '6313.50</cbc:PayableAmount>']]],
  [
    'a total that is not net and tax',
    [
      ['>6312.50</cbc:TaxIn', '>6412.50</cbc:TaxIn'],
      ['>6312.50</cbc:Pay', '>6412.50</cbc:Pay'],
    ],
  ],
])('%s is in doubt', (_, changes) => {
  const { fields, doubts } = readWith(means('31', 'IBAN', IBAN), ...changes)
  expect([fields.amount, doubts]).toEqual([undefined, [['does_not_add_up', 'amount']]])
})
