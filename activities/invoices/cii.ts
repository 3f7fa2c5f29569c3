/** Invoice in UN/CEFACT CII (D16B), as Factur-X, ZUGFeRD 2 and XRechnung use it. */
import { creditWords } from '../../domain/credit-notes/words.ts'
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import type { PostalAddress } from '../../domain/party.ts'
import {
  MAIL,
  ONE,
  PROCESS,
  SPECIFICATIONS,
  type Specification,
  deliveryOf,
  group,
  leaf,
  meansOf,
  noteOf,
  reasonOf,
  sellerIdOf,
  typeOf,
  vatIdsOf,
  xmlOf,
} from './terms.ts'

const NAMESPACE = 'urn:un:unece:uncefact:data:standard'
const ROOT = `<rsm:CrossIndustryInvoice xmlns:rsm="${NAMESPACE}:CrossIndustryInvoice:100" xmlns:ram="${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${NAMESPACE}:UnqualifiedDataType:100">`

/** Writes the document; missingFor() has refused an incomplete invoice before. */
export const ciiOf = (document: InvoiceDocument, specification: Specification): string =>
  xmlOf(
    [
      ROOT,
      group(
        'rsm:ExchangedDocumentContext',
        leaf('ram:BusinessProcessSpecifiedDocumentContextParameter/ram:ID', PROCESS),
        leaf('ram:GuidelineSpecifiedDocumentContextParameter/ram:ID', SPECIFICATIONS[specification]),
      ),
      group(
        'rsm:ExchangedDocument',
        leaf('ram:ID', document.number),
        leaf('ram:TypeCode', typeOf(document)),
        dateIn('ram:IssueDateTime', document.issue_date),
        leaf('ram:IncludedNote/ram:Content', noteOf(document)),
      ),
      group(
        'rsm:SupplyChainTradeTransaction',
        ...document.lines.map(lineOf),
        agreementOf(document),
        deliveryIn(document),
        settlementOf(document),
      ),
      '</rsm:CrossIndustryInvoice>',
    ].join(''),
  )

const dateIn = (path: string, date: string | null): string =>
  leaf(`${path}/udt:DateTimeString`, date && date.replaceAll('-', ''), { format: '102' })

const lineOf = (line: InvoiceDocument['lines'][number], index: number): string =>
  group(
    'ram:IncludedSupplyChainTradeLineItem',
    leaf('ram:AssociatedDocumentLineDocument/ram:LineID', String(index + 1)),
    leaf('ram:SpecifiedTradeProduct/ram:Name', line.description),
    leaf('ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount', line.price),
    leaf('ram:SpecifiedLineTradeDelivery/ram:BilledQuantity', line.quantity, { unitCode: ONE }),
    group(
      'ram:SpecifiedLineTradeSettlement',
      group(
        'ram:ApplicableTradeTax',
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', line.tax_category),
        // BR-O-05
        leaf('ram:RateApplicablePercent', line.tax_category === 'O' ? null : line.tax_percentage),
      ),
      leaf('ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount', line.total),
    ),
  )

function agreementOf(document: InvoiceDocument): string {
  const { seller, buyer } = document
  const ids = vatIdsOf(document)
  const [mail = null] = buyer.emails
  return group(
    'ram:ApplicableHeaderTradeAgreement',
    leaf('ram:BuyerReference', buyer.buyer_reference),
    group(
      'ram:SellerTradeParty',
      leaf('ram:ID', sellerIdOf(document)),
      leaf('ram:Name', seller.name),
      contactOf(seller.contact_name, seller.contact_phone ?? seller.phone, seller.contact_email),
      addressIn(seller.postal_address),
      endpointOf(seller.contact_email),
      leaf('ram:SpecifiedTaxRegistration/ram:ID', ids.seller, { schemeID: 'VA' }),
      leaf('ram:SpecifiedTaxRegistration/ram:ID', seller.tax_id, { schemeID: 'FC' }),
    ),
    group(
      'ram:BuyerTradeParty',
      leaf('ram:ID', buyer.tax_id),
      leaf('ram:Name', buyer.name),
      contactOf(null, buyer.phone, mail),
      addressIn(buyer.postal_address),
      endpointOf(mail),
      leaf('ram:SpecifiedTaxRegistration/ram:ID', ids.buyer, { schemeID: 'VA' }),
    ),
  )
}

const contactOf = (name: string | null, phone: string | null, mail: string | null): string =>
  group(
    'ram:DefinedTradeContact',
    leaf('ram:PersonName', name),
    leaf('ram:TelephoneUniversalCommunication/ram:CompleteNumber', phone),
    leaf('ram:EmailURIUniversalCommunication/ram:URIID', mail),
  )

const addressIn = (address: PostalAddress | null): string =>
  group(
    'ram:PostalTradeAddress',
    leaf('ram:PostcodeCode', address?.postal_code),
    leaf('ram:LineOne', address?.line1),
    leaf('ram:LineTwo', address?.line2),
    leaf('ram:CityName', address?.city),
    leaf('ram:CountryID', address?.country_code),
  )

const endpointOf = (mail: string | null): string =>
  leaf('ram:URIUniversalCommunication/ram:URIID', mail, { schemeID: MAIL })

/** Writes the delivery, even an empty one: the schema requires it. */
function deliveryIn(document: InvoiceDocument): string {
  const { date, address } = deliveryOf(document)
  const inside = [
    group('ram:ShipToTradeParty', addressIn(address)),
    dateIn('ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime', date),
  ].join('')
  return `<ram:ApplicableHeaderTradeDelivery>${inside}</ram:ApplicableHeaderTradeDelivery>`
}

const settlementOf = (document: InvoiceDocument): string =>
  group(
    'ram:ApplicableHeaderTradeSettlement',
    leaf('ram:PaymentReference', document.number),
    leaf('ram:InvoiceCurrencyCode', document.currency),
    paymentMeansOf(document),
    ...document.taxes.map((tax) => {
      const { text, code } = reasonOf(tax)
      return group(
        'ram:ApplicableTradeTax',
        leaf('ram:CalculatedAmount', tax.amount),
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:ExemptionReason', text),
        leaf('ram:BasisAmount', tax.base),
        leaf('ram:CategoryCode', tax.tax_category),
        leaf('ram:ExemptionReasonCode', code),
        leaf('ram:RateApplicablePercent', tax.tax_percentage),
      )
    }),
    document.corrects
      ? leaf('ram:SpecifiedTradePaymentTerms/ram:Description', creditWords(document).terms)
      : dateIn('ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime', document.due_date),
    group(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      leaf('ram:LineTotalAmount', document.net_total),
      leaf('ram:TaxBasisTotalAmount', document.net_total),
      leaf('ram:TaxTotalAmount', document.tax_total, { currencyID: document.currency }),
      leaf('ram:GrandTotalAmount', document.total),
      leaf('ram:DuePayableAmount', document.total),
    ),
    referenceIn(document),
  )

const QUALIFIED = 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100'

/** Writes BG-3, the invoice that a credit note takes back from. */
const referenceIn = ({ corrects }: InvoiceDocument): string =>
  group(
    'ram:InvoiceReferencedDocument',
    leaf('ram:IssuerAssignedID', corrects?.number),
    leaf('ram:FormattedIssueDateTime/qdt:DateTimeString', corrects?.issue_date.replaceAll('-', ''), {
      'xmlns:qdt': QUALIFIED,
      format: '102',
    }),
  )

function paymentMeansOf(document: InvoiceDocument): string {
  const { account } = document
  if (!account?.iban && !account?.account_number) return ''
  return group(
    'ram:SpecifiedTradeSettlementPaymentMeans',
    leaf('ram:TypeCode', meansOf(document)),
    group(
      'ram:PayeePartyCreditorFinancialAccount',
      leaf('ram:IBANID', account.iban),
      leaf('ram:AccountName', account.holder),
      leaf('ram:ProprietaryID', account.iban ? null : account.account_number),
    ),
    leaf('ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID', account.bic),
  )
}
