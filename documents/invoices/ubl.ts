/** Invoice in UBL 2.1, as EN 16931 and XRechnung 3.0 use it. */
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

const NAMESPACE = 'urn:oasis:names:specification:ubl:schema:xsd'
const rootOf = (name: 'Invoice' | 'CreditNote'): string =>
  `<${name} xmlns="${NAMESPACE}:${name}-2" xmlns:cac="${NAMESPACE}:CommonAggregateComponents-2" xmlns:cbc="${NAMESPACE}:CommonBasicComponents-2">`

/** Writes the document. A credit note has a root and lines of its own, and its terms instead of a due date. */
export function ublOf(
  document: InvoiceDocument,
  specification: Specification,
  files: readonly AttachedFile[] = [],
): string {
  const { corrects } = document
  const root = corrects ? 'CreditNote' : 'Invoice'
  return xmlOf(
    [
      rootOf(root),
      leaf('cbc:CustomizationID', SPECIFICATIONS[specification]),
      leaf('cbc:ProfileID', PROCESS),
      leaf('cbc:ID', document.number),
      leaf('cbc:IssueDate', document.issue_date),
      leaf('cbc:DueDate', corrects ? null : document.due_date),
      leaf(`cbc:${root}TypeCode`, typeOf(document)),
      leaf('cbc:Note', codeNote(noteOf(document))),
      leaf('cbc:DocumentCurrencyCode', document.currency),
      leaf('cbc:BuyerReference', document.buyer.buyer_reference),
      group(
        'cac:InvoicePeriod',
        leaf('cbc:StartDate', document.period?.from),
        leaf('cbc:EndDate', document.period?.to),
      ),
      leaf('cac:OrderReference/cbc:ID', document.order_number),
      group(
        'cac:BillingReference/cac:InvoiceDocumentReference',
        leaf('cbc:ID', corrects?.number),
        leaf('cbc:IssueDate', corrects?.issue_date),
      ),
      ...files.map(attachmentIn),
      sellerOf(document),
      buyerOf(document),
      deliveryIn(document),
      paymentMeansOf(document),
      corrects
        ? leaf('cac:PaymentTerms/cbc:Note', creditWords(document).terms)
        : leafOfLines('cac:PaymentTerms/cbc:Note', paymentTermsOf(document, specification)),
      ...allowanceChargesOf(document).map((one) => allowanceCharge(one, document.currency)),
      ...totalsOf(document),
      ...document.lines.map((line, index) => lineOf(document, line, index)),
      `</${root}>`,
    ].join(''),
  )
}

/** Marks a note with `#`, which would count as coded (BR-CL-08), as general information. */
const codeNote = (note: string): string => (note.includes('#') ? `#AAI#${note}` : note)

const attachmentIn = (file: AttachedFile): string =>
  group(
    'cac:AdditionalDocumentReference',
    leaf('cbc:ID', file.filename),
    leaf('cbc:DocumentDescription', file.description),
    binaryOf('cac:Attachment/cbc:EmbeddedDocumentBinaryObject', file),
  )

function sellerOf(document: InvoiceDocument): string {
  const { seller } = document
  return group(
    'cac:AccountingSupplierParty/cac:Party',
    leaf('cbc:EndpointID', seller.contact_email, { schemeID: MAIL }),
    leaf('cac:PartyIdentification/cbc:ID', sellerIdOf(document)),
    addressIn('cac:PostalAddress', seller.postal_address),
    taxScheme(vatIdsOf(document).seller, 'VAT'),
    taxScheme(seller.tax_id, 'FC'),
    leaf('cac:PartyLegalEntity/cbc:RegistrationName', seller.name),
    group(
      'cac:Contact',
      leaf('cbc:Name', seller.contact_name),
      leaf('cbc:Telephone', seller.contact_phone ?? seller.phone),
      leaf('cbc:ElectronicMail', seller.contact_email),
    ),
  )
}

function buyerOf(document: InvoiceDocument): string {
  const { buyer } = document
  const [mail = null] = buyer.emails
  return group(
    'cac:AccountingCustomerParty/cac:Party',
    leaf('cbc:EndpointID', mail, { schemeID: MAIL }),
    leaf('cac:PartyIdentification/cbc:ID', buyer.tax_id),
    addressIn('cac:PostalAddress', buyer.postal_address),
    taxScheme(vatIdsOf(document).buyer, 'VAT'),
    leaf('cac:PartyLegalEntity/cbc:RegistrationName', buyer.name),
    group('cac:Contact', leaf('cbc:Telephone', buyer.phone), leaf('cbc:ElectronicMail', mail)),
  )
}

const addressIn = (path: string, address: PostalAddress | null): string =>
  group(
    path,
    leaf('cbc:StreetName', address?.line1),
    leaf('cbc:AdditionalStreetName', address?.line2),
    leaf('cbc:CityName', address?.city),
    leaf('cbc:PostalZone', address?.postal_code),
    leaf('cac:Country/cbc:IdentificationCode', address?.country_code),
  )

const taxScheme = (id: string | null, scheme: 'VAT' | 'FC'): string =>
  id === null ? '' : group('cac:PartyTaxScheme', leaf('cbc:CompanyID', id), leaf('cac:TaxScheme/cbc:ID', scheme))

function deliveryIn(document: InvoiceDocument): string {
  const { date, address } = deliveryOf(document)
  const place = addressIn('cac:DeliveryLocation/cac:Address', address)
  return group('cac:Delivery', leaf('cbc:ActualDeliveryDate', date), place)
}

function paymentMeansOf(document: InvoiceDocument): string {
  const { account, number } = document
  const id = account?.iban ?? account?.account_number
  if (!account || !id) return ''
  return group(
    'cac:PaymentMeans',
    leaf('cbc:PaymentMeansCode', meansOf(document)),
    leaf('cbc:PaymentID', number),
    group(
      'cac:PayeeFinancialAccount',
      leaf('cbc:ID', id),
      leaf('cbc:Name', account.holder),
      // BT-86 is a BIC, or the code of a bank or branch in its country
      leaf('cac:FinancialInstitutionBranch/cbc:ID', account.bic ?? account.routing_codes[0]?.value),
    ),
  )
}

function allowanceCharge(one: AllowanceCharge, currencyID: string): string {
  const { isCharge, reason, percentage, base, amount, tax } = one
  return group(
    'cac:AllowanceCharge',
    leaf('cbc:ChargeIndicator', String(isCharge)),
    leaf('cbc:AllowanceChargeReason', reason),
    leaf('cbc:MultiplierFactorNumeric', percentage),
    leaf('cbc:Amount', amount, { currencyID }),
    leaf('cbc:BaseAmount', percentage === null ? null : base, { currencyID }),
    // BR-O-06, BR-O-07
    tax === null
      ? ''
      : taxCategory('cac:TaxCategory', tax.tax_category, tax.tax_category === 'O' ? null : tax.tax_percentage),
  )
}

const taxCategory = (name: string, category: string, rate: string | null): string =>
  group(name, leaf('cbc:ID', category), leaf('cbc:Percent', rate), VAT)

function totalsOf(document: InvoiceDocument): string[] {
  const { currency } = document
  const sums = sumsOf(document)
  const amount = (name: string, value: string | null) => leaf(name, value, { currencyID: currency })
  return [
    group(
      'cac:TaxTotal',
      amount('cbc:TaxAmount', document.tax_total),
      ...document.taxes.map((tax) => {
        const { text, code } = reasonOf(tax)
        return group(
          'cac:TaxSubtotal',
          amount('cbc:TaxableAmount', tax.base),
          amount('cbc:TaxAmount', tax.amount),
          group(
            'cac:TaxCategory',
            leaf('cbc:ID', tax.tax_category),
            leaf('cbc:Percent', tax.tax_percentage),
            leaf('cbc:TaxExemptionReasonCode', code),
            leaf('cbc:TaxExemptionReason', text),
            VAT,
          ),
        )
      }),
    ),
    group(
      'cac:LegalMonetaryTotal',
      amount('cbc:LineExtensionAmount', sums.lines),
      amount('cbc:TaxExclusiveAmount', document.net_total),
      amount('cbc:TaxInclusiveAmount', document.total),
      amount('cbc:AllowanceTotalAmount', sums.discounts),
      amount('cbc:ChargeTotalAmount', sums.charges),
      amount('cbc:PayableAmount', document.total),
    ),
  ]
}

const VAT = leaf('cac:TaxScheme/cbc:ID', 'VAT')

function lineOf(document: InvoiceDocument, line: InvoiceDocument['lines'][number], index: number): string {
  const { corrects, currency: currencyID } = document
  // BR-O-05
  const rate = line.tax_category === 'O' ? null : line.tax_percentage
  return group(
    corrects ? 'cac:CreditNoteLine' : 'cac:InvoiceLine',
    leaf('cbc:ID', String(index + 1)),
    leaf(corrects ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', line.quantity, { unitCode: unitOf(line) }),
    leaf('cbc:LineExtensionAmount', line.total, { currencyID }),
    ...lineAllowanceChargesOf(document, line).map((one) => allowanceCharge(one, currencyID)),
    group(
      'cac:Item',
      leaf('cbc:Name', line.description),
      taxCategory('cac:ClassifiedTaxCategory', line.tax_category, rate),
    ),
    leaf('cac:Price/cbc:PriceAmount', line.price, { currencyID }),
  )
}
