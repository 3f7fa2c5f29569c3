/** Bills in UN/CEFACT CII, by each profile of Factur-X, by XRechnung, and as ZUGFeRD 1. */
import { document, tag } from './markup.ts'
import { type BillModel, type Line, type Party, type PayeeAccount, amountText, netOf, totalsOf } from './model.ts'
import { WORDS } from './words.ts'

export const CII_PROFILES = {
  minimum: 'urn:factur-x.eu:1p0:minimum',
  'basic-wl': 'urn:factur-x.eu:1p0:basicwl',
  basic: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  en16931: 'urn:cen.eu:en16931:2017',
  extended: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
  xrechnung: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
  'zugferd-1': 'urn:ferd:CrossIndustryDocument:invoice:1p0:comfort',
} as const
export type CiiProfile = keyof typeof CII_PROFILES

/** Names of parts in ZUGFeRD 1, and since. */
const NAMES = {
  root: ['rsm:CrossIndustryDocument', 'rsm:CrossIndustryInvoice'],
  context: ['rsm:SpecifiedExchangedDocumentContext', 'rsm:ExchangedDocumentContext'],
  header: ['rsm:HeaderExchangedDocument', 'rsm:ExchangedDocument'],
  transaction: ['rsm:SpecifiedSupplyChainTradeTransaction', 'rsm:SupplyChainTradeTransaction'],
  agreement: ['ram:ApplicableSupplyChainTradeAgreement', 'ram:ApplicableHeaderTradeAgreement'],
  delivery: ['ram:ApplicableSupplyChainTradeDelivery', 'ram:ApplicableHeaderTradeDelivery'],
  settlement: ['ram:ApplicableSupplyChainTradeSettlement', 'ram:ApplicableHeaderTradeSettlement'],
  totals: ['ram:SpecifiedTradeSettlementMonetarySummation', 'ram:SpecifiedTradeSettlementHeaderMonetarySummation'],
  lineAgreement: ['ram:SpecifiedSupplyChainTradeAgreement', 'ram:SpecifiedLineTradeAgreement'],
  lineDelivery: ['ram:SpecifiedSupplyChainTradeDelivery', 'ram:SpecifiedLineTradeDelivery'],
  lineSettlement: ['ram:SpecifiedSupplyChainTradeSettlement', 'ram:SpecifiedLineTradeSettlement'],
  lineTotals: ['ram:SpecifiedTradeSettlementMonetarySummation', 'ram:SpecifiedTradeSettlementLineMonetarySummation'],
  rate: ['ram:ApplicablePercent', 'ram:RateApplicablePercent'],
} as const
type Names = (name: keyof typeof NAMES) => string
const STANDARD = 'urn:un:unece:uncefact:data:standard'

/** Writes the bill as far as the profile can express it. */
export function ciiOf(bill: BillModel, profile: CiiProfile): string {
  const isFirst = profile === 'zugferd-1'
  const names: Names = (name) => NAMES[name][isFirst ? 0 : 1]
  const hasLines = profile !== 'minimum' && profile !== 'basic-wl'
  return document(
    tag(
      names('root'),
      [
        tag(
          names('context'),
          tag('ram:GuidelineSpecifiedDocumentContextParameter', tag('ram:ID', CII_PROFILES[profile])),
        ),
        tag(names('header'), [
          tag('ram:ID', bill.number),
          tag('ram:TypeCode', bill.typeCode),
          dateOf('ram:IssueDateTime', bill.issueDate),
        ]),
        tag(names('transaction'), [
          hasLines ? bill.lines.map((line, index) => lineOf(bill, line, index, names)) : null,
          tag(names('agreement'), [
            partyOf('ram:SellerTradeParty', bill.seller),
            partyOf('ram:BuyerTradeParty', bill.buyer),
          ]),
          tag(
            names('delivery'),
            tag('ram:ActualDeliverySupplyChainEvent', dateOf('ram:OccurrenceDateTime', bill.deliveryDate)),
          ),
          tag(names('settlement'), settlementOf(bill, profile, names)),
        ]),
      ],
      {
        'xmlns:rsm': isFirst ? 'urn:ferd:CrossIndustryDocument:invoice:1p0' : `${STANDARD}:CrossIndustryInvoice:100`,
        'xmlns:ram': `${STANDARD}:ReusableAggregateBusinessInformationEntity:${isFirst ? 12 : 100}`,
        'xmlns:udt': `${STANDARD}:UnqualifiedDataType:${isFirst ? 15 : 100}`,
      },
    ),
  )
}

const dateOf = (name: string, date: string | null) =>
  tag(name, tag('udt:DateTimeString', date && date.replaceAll('-', ''), { format: '102' }))

const partyOf = (name: string, party: Party) =>
  tag(name, [
    tag('ram:Name', party.name),
    tag('ram:PostalTradeAddress', [
      tag('ram:PostcodeCode', party.postcode),
      tag('ram:LineOne', party.street),
      tag('ram:CityName', party.city),
      tag('ram:CountryID', party.country),
    ]),
    tag('ram:SpecifiedTaxRegistration', tag('ram:ID', party.taxNumber, { schemeID: 'FC' })),
    tag('ram:SpecifiedTaxRegistration', tag('ram:ID', party.taxId, { schemeID: 'VA' })),
  ])

const lineOf = (bill: BillModel, line: Line, index: number, names: Names) =>
  tag('ram:IncludedSupplyChainTradeLineItem', [
    tag('ram:AssociatedDocumentLineDocument', tag('ram:LineID', String(index + 1))),
    tag('ram:SpecifiedTradeProduct', tag('ram:Name', line.text)),
    tag(
      names('lineAgreement'),
      tag('ram:NetPriceProductTradePrice', tag('ram:ChargeAmount', amountText(line.price, bill.currency))),
    ),
    tag(names('lineDelivery'), tag('ram:BilledQuantity', String(line.quantity), { unitCode: 'C62' })),
    tag(names('lineSettlement'), [
      tag('ram:ApplicableTradeTax', [tag('ram:TypeCode', 'VAT'), tag(names('rate'), String(line.rate))]),
      tag(names('lineTotals'), tag('ram:LineTotalAmount', amountText(netOf(line), bill.currency))),
    ]),
  ])

function settlementOf(bill: BillModel, profile: CiiProfile, names: Names) {
  const isMinimum = profile === 'minimum'
  const payee = isMinimum || profile === 'zugferd-1' ? null : bill.payeeName
  const more = () => [
    meansOf(bill, profile),
    totalsOf(bill).taxes.map((one) =>
      tag('ram:ApplicableTradeTax', [
        tag('ram:CalculatedAmount', amountText(one.tax, bill.currency)),
        tag('ram:TypeCode', 'VAT'),
        tag('ram:BasisAmount', amountText(one.base, bill.currency)),
        tag(names('rate'), String(one.rate)),
      ]),
    ),
    tag('ram:SpecifiedTradePaymentTerms', [
      tag('ram:Description', bill.termDays ? WORDS[bill.language].terms(bill.termDays) : null),
      dateOf('ram:DueDateDateTime', bill.dueDate),
    ]),
  ]
  return [
    tag('ram:PaymentReference', isMinimum ? null : bill.reference),
    tag('ram:InvoiceCurrencyCode', bill.currency),
    tag('ram:PayeeTradeParty', tag('ram:Name', payee)),
    isMinimum ? null : more(),
    totals(bill, isMinimum, names),
  ]
}

function meansOf(bill: BillModel, profile: CiiProfile) {
  const accounts: (PayeeAccount | null)[] =
    bill.meansCode === '58' || bill.meansCode === '30' ? [...bill.accounts] : [null]
  const isLow = profile === 'basic-wl' || profile === 'basic'
  return accounts.map((account) =>
    tag(
      'ram:SpecifiedTradeSettlementPaymentMeans',
      [
        tag('ram:TypeCode', bill.meansCode),
        tag('ram:PayerPartyDebtorFinancialAccount', tag('ram:IBANID', bill.payerIban)),
        account &&
          tag('ram:PayeePartyCreditorFinancialAccount', [
            tag('ram:IBANID', account.iban),
            tag('ram:AccountName', isLow ? null : account.holder),
            tag('ram:ProprietaryID', account.number),
          ]),
        account && !isLow && tag('ram:PayeeSpecifiedCreditorFinancialInstitution', tag('ram:BICID', account.bic)),
      ].filter((part) => part !== false),
    ),
  )
}

/** Writes the totals; MINIMUM has sums alone, without what was paid before. */
function totals(bill: BillModel, isMinimum: boolean, names: Names) {
  const { lineTotal, net, tax, gross, payable } = totalsOf(bill)
  const amount = (name: string, minor: bigint) => tag(`ram:${name}`, amountText(minor, bill.currency))
  const unlessZero = (name: string, minor: bigint) => (minor === 0n || isMinimum ? null : amount(name, minor))
  return tag(names('totals'), [
    isMinimum ? null : amount('LineTotalAmount', lineTotal),
    unlessZero('ChargeTotalAmount', bill.charge),
    unlessZero('AllowanceTotalAmount', bill.allowance),
    amount('TaxBasisTotalAmount', net),
    tag('ram:TaxTotalAmount', amountText(tax, bill.currency), { currencyID: bill.currency }),
    unlessZero('RoundingAmount', bill.rounding),
    amount('GrandTotalAmount', gross),
    unlessZero('TotalPrepaidAmount', bill.prepaid),
    amount('DuePayableAmount', payable),
  ])
}
