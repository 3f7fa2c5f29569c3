/** UN/CEFACT Cross Industry Invoice: Factur-X, ZUGFeRD 2, XRechnung; and ZUGFeRD 1, which has other names. */
import type { Account } from './account.ts'
import { type Element, type StatedValue, all, one, onlyAt, readStated, textAt, textsAt } from '../../xml/element.ts'
import { type StatedItem, itemsOf } from './items.ts'
import type { Invoice, PaymentMeans, StatedTotals } from './invoice.ts'
import { unDate } from './values.ts'

type Names = {
  readonly header: string
  readonly agreement: string
  readonly settlement: string
  readonly totals: string
  readonly line: string
  readonly lineTotal: string
  readonly linePrice: string
  readonly lineQuantity: string
  readonly lineTax: string
}

export const CII: Names = {
  header: 'ExchangedDocument',
  agreement: 'SupplyChainTradeTransaction/ApplicableHeaderTradeAgreement',
  settlement: 'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement',
  totals: 'SpecifiedTradeSettlementHeaderMonetarySummation',
  line: 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem',
  lineTotal: 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount',
  linePrice: 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice',
  lineQuantity: 'SpecifiedLineTradeDelivery/BilledQuantity',
  lineTax: 'SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent',
}

export const ZUGFERD_1: Names = {
  header: 'HeaderExchangedDocument',
  agreement: 'SpecifiedSupplyChainTradeTransaction/ApplicableSupplyChainTradeAgreement',
  settlement: 'SpecifiedSupplyChainTradeTransaction/ApplicableSupplyChainTradeSettlement',
  totals: 'SpecifiedTradeSettlementMonetarySummation',
  line: 'SpecifiedSupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem',
  lineTotal: 'SpecifiedSupplyChainTradeSettlement/SpecifiedTradeSettlementMonetarySummation/LineTotalAmount',
  linePrice: 'SpecifiedSupplyChainTradeAgreement/NetPriceProductTradePrice',
  lineQuantity: 'SpecifiedSupplyChainTradeDelivery/BilledQuantity',
  lineTax: 'SpecifiedSupplyChainTradeSettlement/ApplicableTradeTax/ApplicablePercent',
}

export function invoiceOfCii(root: Element, names: Names): Invoice {
  const header = one(root, names.header)
  const settlement = one(root, names.settlement)
  const seller = one(root, `${names.agreement}/SellerTradeParty`)
  const currency = textAt(settlement, 'InvoiceCurrencyCode')
  const payable = all(settlement, `${names.totals}/DuePayableAmount`)
  return {
    typeCode: textAt(header, 'TypeCode'),
    isCreditNote: false,
    number: textAt(header, 'ID'),
    issueDate: unDate(one(header, 'IssueDateTime')),
    dueDates: all(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime').flatMap((date) => unDate(date) ?? []),
    terms: textsAt(settlement, 'SpecifiedTradePaymentTerms/Description'),
    notes: [
      ...textsAt(header, 'IncludedNote/Content'),
      ...textsAt(settlement, 'SpecifiedTradeSettlementPaymentMeans/Information'),
    ],
    process: textsAt(root.children[0], 'BusinessProcessSpecifiedDocumentContextParameter/ID')[0] ?? null,
    currency,
    isInOtherCurrency: payable.length > 0 && !payable.some((amount) => isIn(currency, amount)),
    supplierName: textAt(seller, 'Name') ?? textAt(seller, 'SpecifiedLegalOrganization/TradingBusinessName'),
    supplierCountry: textAt(seller, 'PostalTradeAddress/CountryID')?.value ?? null,
    supplierAddress: addressOf(one(seller, 'PostalTradeAddress')),
    taxId: taxIdOf(seller),
    payeeName: textAt(settlement, 'PayeeTradeParty/Name'),
    reference: textAt(settlement, 'PaymentReference'),
    means: all(settlement, 'SpecifiedTradeSettlementPaymentMeans').map(meansOf),
    totals: totalsOf(root, settlement, names, currency),
    items: itemsOf(all(root, names.line).filter(counts), (line) => itemOf(line, names)),
    saysPrepaid: !profileOf(root).endsWith(':minimum'),
  }
}

/** Reads BT-24: the first parameter of the context, whatever its generation calls that. */
const profileOf = ({ children }: Element): string =>
  textsAt(children[0], 'GuidelineSpecifiedDocumentContextParameter/ID')[0]?.value.toLowerCase() ?? ''

const isIn = (currency: StatedValue | null, amount: Element): boolean =>
  (amount.attributes.get('currencyID') ?? currency?.value) === currency?.value

/** Reads the address (BG-5): its first line is the street. */
const addressOf = (address: Element | undefined): Invoice['supplierAddress'] => ({
  address_street: onlyAt(address, 'StreetName') ?? onlyAt(address, 'LineOne'),
  address_building_number: onlyAt(address, 'BuildingNumber'),
  address_postal_code: onlyAt(address, 'PostcodeCode'),
  address_town: onlyAt(address, 'CityName'),
  address_country: onlyAt(address, 'CountryID'),
})

/** Reads the VAT number (BT-31, scheme VA), else that of the tax office (BT-32). */
function taxIdOf(seller: Element | undefined): StatedValue | null {
  const ids = all(seller, 'SpecifiedTaxRegistration/ID')
  const isVat = (id: Element) => id.attributes.get('schemeID') === 'VA'
  const [first] = [...ids.filter(isVat), ...ids].flatMap((id) => readStated(id) ?? [])
  return first ?? null
}

/** Reads the payee's means; never PayerPartyDebtorFinancialAccount, which is the payer's. */
function meansOf(means: Element): PaymentMeans {
  const institution = one(means, 'PayeeSpecifiedCreditorFinancialInstitution')
  return {
    code: textAt(means, 'TypeCode')?.value ?? null,
    reference: null,
    accounts: all(means, 'PayeePartyCreditorFinancialAccount').map((account): Account => ({
      iban: textAt(account, 'IBANID'),
      number: textAt(account, 'ProprietaryID'),
      holder: textAt(account, 'AccountName'),
      bic: textAt(institution, 'BICID'),
      branch: null,
      bankCode: textAt(institution, 'GermanBankleitzahlID'),
      bankName: textAt(institution, 'Name'),
    })),
  }
}

/** Reads amounts in the document's currency; each may be repeated in another one. */
function totalsOf(
  root: Element,
  settlement: Element | undefined,
  names: Names,
  currency: StatedValue | null,
): StatedTotals {
  const own = (from: Element | undefined, path: string) =>
    all(from, path)
      .filter((amount) => isIn(currency, amount))
      .flatMap((amount) => readStated(amount) ?? [])
  const total = (name: string) => own(settlement, `${names.totals}/${name}`)[0] ?? null
  return {
    lines: all(root, names.line)
      .filter(counts)
      .flatMap((line) => own(line, names.lineTotal)),
    lineTotal: total('LineTotalAmount'),
    allowances: total('AllowanceTotalAmount'),
    charges: total('ChargeTotalAmount'),
    net: total('TaxBasisTotalAmount'),
    taxes: own(settlement, 'ApplicableTradeTax/CalculatedAmount'),
    tax: total('TaxTotalAmount'),
    retained: null,
    gross: total('GrandTotalAmount'),
    prepaid: total('TotalPrepaidAmount'),
    withheld: null,
    rounding: total('RoundingAmount'),
    others: [],
    payable: total('DuePayableAmount'),
  }
}

function itemOf(line: Element, names: Names): StatedItem {
  const [quantity] = all(line, names.lineQuantity)
  return {
    description: onlyAt(line, 'SpecifiedTradeProduct/Name'),
    quantity: readStated(quantity),
    unit: quantity?.attributes.get('unitCode') ?? null,
    unitPrice: onlyAt(line, `${names.linePrice}/ChargeAmount`),
    priceBasis: onlyAt(line, `${names.linePrice}/BasisQuantity`),
    amount: onlyAt(line, names.lineTotal),
    taxRate: onlyAt(line, names.lineTax),
  }
}

/** Tells whether a line is summed: headings and information are not (Factur-X EXTENDED). */
const counts = (line: Element): boolean =>
  !['GROUP', 'INFORMATION'].includes(textAt(line, 'AssociatedDocumentLineDocument/LineStatusReasonCode')?.value ?? '')
