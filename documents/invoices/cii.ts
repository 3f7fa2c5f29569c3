/** Invoice in UN/CEFACT CII (D16B), as Factur-X, ZUGFeRD 2 and XRechnung use it. */
import { creditWords } from '../../domain/invoice-documents/credit-note-words.ts'
import type { InvoiceDocument } from '../../domain/invoice-documents/document.ts'
import { sumsOf } from '../../domain/invoice-documents/sums.ts'
import type { PostalAddress } from '../../domain/party.ts'
import {
  MAIL,
  PROCESS,
  SPECIFICATIONS,
  type AllowanceCharge,
  type AttachedFile,
  type Specification,
  allowanceChargesOf,
  binaryOf,
  deliveryOf,
  group,
  leaf,
  leafOfLines,
  lineAllowanceChargesOf,
  meansOf,
  noteOf,
  paymentTermsOf,
  reasonOf,
  sellerIdOf,
  typeOf,
  unitOf,
  vatIdsOf,
  xmlOf,
} from './terms.ts'

const NAMESPACE = 'urn:un:unece:uncefact:data:standard'
const ROOT = `<rsm:CrossIndustryInvoice xmlns:rsm="${NAMESPACE}:CrossIndustryInvoice:100" xmlns:ram="${NAMESPACE}:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${NAMESPACE}:UnqualifiedDataType:100">`

/** Writes the document; missingFor() has refused an incomplete invoice before. */
export const ciiOf = (
  document: InvoiceDocument,
  specification: Specification,
  files: readonly AttachedFile[] = [],
): string =>
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
        ...document.lines.map((line, index) => lineOf(document, line, index)),
        agreementOf(document, files),
        deliveryIn(document),
        settlementOf(document, specification),
      ),
      '</rsm:CrossIndustryInvoice>',
    ].join(''),
  )

const dateIn = (path: string, date: string | null): string =>
  leaf(`${path}/udt:DateTimeString`, date && date.replaceAll('-', ''), { format: '102' })

const lineOf = (document: InvoiceDocument, line: InvoiceDocument['lines'][number], index: number): string =>
  group(
    'ram:IncludedSupplyChainTradeLineItem',
    leaf('ram:AssociatedDocumentLineDocument/ram:LineID', String(index + 1)),
    leaf('ram:SpecifiedTradeProduct/ram:Name', line.description),
    leaf('ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount', line.price),
    leaf('ram:SpecifiedLineTradeDelivery/ram:BilledQuantity', line.quantity, { unitCode: unitOf(line) }),
    group(
      'ram:SpecifiedLineTradeSettlement',
      group(
        'ram:ApplicableTradeTax',
        leaf('ram:TypeCode', 'VAT'),
        leaf('ram:CategoryCode', line.tax_category),
        // BR-O-05
        leaf('ram:RateApplicablePercent', line.tax_category === 'O' ? null : line.tax_percentage),
      ),
      ...lineAllowanceChargesOf(document, line).map(allowanceCharge),
      leaf('ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount', line.total),
    ),
  )

const allowanceCharge = ({ isCharge, reason, percentage, base, amount, tax }: AllowanceCharge): string =>
  group(
    'ram:SpecifiedTradeAllowanceCharge',
    leaf('ram:ChargeIndicator/udt:Indicator', String(isCharge)),
    leaf('ram:CalculationPercent', percentage),
    leaf('ram:BasisAmount', percentage === null ? null : base),
    leaf('ram:ActualAmount', amount),
    leaf('ram:Reason', reason),
    group(
      'ram:CategoryTradeTax',
      leaf('ram:TypeCode', tax && 'VAT'),
      leaf('ram:CategoryCode', tax?.tax_category),
      // BR-O-06, BR-O-07
      leaf('ram:RateApplicablePercent', tax?.tax_category === 'O' ? null : tax?.tax_percentage),
    ),
  )

function agreementOf(document: InvoiceDocument, files: readonly AttachedFile[]): string {
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
    leaf('ram:BuyerOrderReferencedDocument/ram:IssuerAssignedID', document.order_number),
    ...files.map(attachmentIn),
  )
}

const attachmentIn = (file: AttachedFile): string =>
  group(
    'ram:AdditionalReferencedDocument',
    leaf('ram:IssuerAssignedID', file.filename),
    leaf('ram:TypeCode', SUPPORTING),
    leaf('ram:Name', file.description),
    binaryOf('ram:AttachmentBinaryObject', file),
  )

/** Related document, of UNTDID 1001. */
const SUPPORTING = '916'

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

function settlementOf(document: InvoiceDocument, specification: Specification): string {
  const { period } = document
  const sums = sumsOf(document)
  return group(
    'ram:ApplicableHeaderTradeSettlement',
    leaf('ram:PaymentReference', document.number),
    leaf('ram:InvoiceCurrencyCode', document.currency),
    paymentMeansOf(document),
    ...document.taxes.map(taxIn),
    group(
      'ram:BillingSpecifiedPeriod',
      dateIn('ram:StartDateTime', period?.from ?? null),
      dateIn('ram:EndDateTime', period?.to ?? null),
    ),
    ...allowanceChargesOf(document).map(allowanceCharge),
    document.corrects
      ? leaf('ram:SpecifiedTradePaymentTerms/ram:Description', creditWords(document).terms)
      : group(
          'ram:SpecifiedTradePaymentTerms',
          leafOfLines('ram:Description', paymentTermsOf(document, specification)),
          dateIn('ram:DueDateDateTime', document.due_date),
        ),
    group(
      'ram:SpecifiedTradeSettlementHeaderMonetarySummation',
      leaf('ram:LineTotalAmount', sums.lines),
      leaf('ram:ChargeTotalAmount', sums.charges),
      leaf('ram:AllowanceTotalAmount', sums.discounts),
      leaf('ram:TaxBasisTotalAmount', document.net_total),
      leaf('ram:TaxTotalAmount', document.tax_total, { currencyID: document.currency }),
      leaf('ram:GrandTotalAmount', document.total),
      leaf('ram:DuePayableAmount', document.total),
    ),
    referenceIn(document),
  )
}

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

function taxIn(tax: InvoiceDocument['taxes'][number]): string {
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
}

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
