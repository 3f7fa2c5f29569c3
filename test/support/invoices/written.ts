/** The terms (BT) of an invoice's XML, in either syntax. */
import { parseXml } from '../../../documents/xml/document.ts'
import { type Element, all, textAt } from '../../../documents/xml/element.ts'

export type Written = ReturnType<typeof writtenIn>

const said = (from: Element | undefined, path: string): string | null => textAt(from, path)?.value ?? null
const first = (from: Element | undefined, path: string): Element | undefined => all(from, path)[0]

/** Reads the terms. Throws UnreadableBill for malformed XML. */
export function writtenIn(xml: Uint8Array) {
  const root = parseXml(xml)
  return { ...(root.name === 'CrossIndustryInvoice' ? inCii(root) : inUbl(root)), empty: emptyIn(root) }
}

/** Finds empty elements; CII requires a delivery, even an empty one. */
const emptyIn = ({ name, children, text }: Element): string[] =>
  children.length === 0 && text.trim() === '' && name !== 'ApplicableHeaderTradeDelivery'
    ? [name]
    : children.flatMap(emptyIn)

/** Splits off the code, which UBL puts before the note: any three characters between the first two `#`. */
function noteIn(note: string) {
  const code = /^[^#]*#([^#]{3})#/.exec(note)?.[1] ?? null
  return { noteCode: code, note: note.replace(`#${code}#`, '') || null }
}

/** A discount or charge of a line, or of the whole invoice, which has a tax. */
export type WrittenAdjustment = {
  readonly isCharge: string | null
  readonly reason: string | null
  readonly percentage: string | null
  readonly base: string | null
  readonly amount: string | null
  readonly category: string | null
  readonly rate: string | null
}

function inUbl(root: Element) {
  const adjustmentsIn = (from: Element | undefined): WrittenAdjustment[] =>
    all(from, 'AllowanceCharge').map((one) => ({
      isCharge: said(one, 'ChargeIndicator'),
      reason: said(one, 'AllowanceChargeReason'),
      percentage: said(one, 'MultiplierFactorNumeric'),
      base: said(one, 'BaseAmount'),
      amount: said(one, 'Amount'),
      category: said(one, 'TaxCategory/ID'),
      rate: said(one, 'TaxCategory/Percent'),
    }))
  const addressIn = (address: Element | undefined) =>
    address === undefined
      ? null
      : ['StreetName', 'AdditionalStreetName', 'PostalZone', 'CityName', 'Country/IdentificationCode'].map((name) =>
          said(address, name),
        )
  const partyIn = (party: Element | undefined) => {
    const idBy = (scheme: string) => all(party, 'PartyTaxScheme').find((one) => said(one, 'TaxScheme/ID') === scheme)
    return {
      name: said(party, 'PartyLegalEntity/RegistrationName'),
      id: said(party, 'PartyIdentification/ID'),
      vatId: said(idBy('VAT'), 'CompanyID'),
      taxId: said(idBy('FC'), 'CompanyID'),
      address: addressIn(first(party, 'PostalAddress')),
      endpoint: said(party, 'EndpointID'),
      contact: ['Name', 'Telephone', 'ElectronicMail'].map((name) => said(party, `Contact/${name}`)),
    }
  }
  const totals = first(root, 'LegalMonetaryTotal')
  const quantity = root.name === 'CreditNote' ? 'CreditedQuantity' : 'InvoicedQuantity'
  return {
    specification: said(root, 'CustomizationID'),
    process: said(root, 'ProfileID'),
    number: said(root, 'ID'),
    issued: said(root, 'IssueDate'),
    due: said(root, 'DueDate'),
    typeCode: said(root, `${root.name}TypeCode`),
    currency: said(root, 'DocumentCurrencyCode'),
    ...noteIn(said(root, 'Note') ?? ''),
    buyerReference: said(root, 'BuyerReference'),
    order: said(root, 'OrderReference/ID'),
    period: [said(root, 'InvoicePeriod/StartDate'), said(root, 'InvoicePeriod/EndDate')],
    terms: first(root, 'PaymentTerms/Note')?.text ?? null,
    adjustments: adjustmentsIn(root),
    seller: partyIn(first(root, 'AccountingSupplierParty/Party')),
    buyer: partyIn(first(root, 'AccountingCustomerParty/Party')),
    delivered: said(root, 'Delivery/ActualDeliveryDate'),
    deliveredTo: addressIn(first(root, 'Delivery/DeliveryLocation/Address')),
    means: all(root, 'PaymentMeans').map((means) => ({
      code: said(means, 'PaymentMeansCode'),
      reference: said(means, 'PaymentID'),
      account: said(means, 'PayeeFinancialAccount/ID'),
      holder: said(means, 'PayeeFinancialAccount/Name'),
      bic: said(means, 'PayeeFinancialAccount/FinancialInstitutionBranch/ID'),
    })),
    taxes: all(root, 'TaxTotal/TaxSubtotal').map((tax) => ({
      category: said(tax, 'TaxCategory/ID'),
      rate: said(tax, 'TaxCategory/Percent'),
      base: said(tax, 'TaxableAmount'),
      amount: said(tax, 'TaxAmount'),
      reason: said(tax, 'TaxCategory/TaxExemptionReason'),
      reasonCode: said(tax, 'TaxCategory/TaxExemptionReasonCode'),
    })),
    totals: {
      lines: said(totals, 'LineExtensionAmount'),
      discounts: said(totals, 'AllowanceTotalAmount'),
      charges: said(totals, 'ChargeTotalAmount'),
      net: said(totals, 'TaxExclusiveAmount'),
      tax: said(root, 'TaxTotal/TaxAmount'),
      gross: said(totals, 'TaxInclusiveAmount'),
      payable: said(totals, 'PayableAmount'),
    },
    lines: all(root, `${root.name}Line`).map((line) => ({
      id: said(line, 'ID'),
      name: said(line, 'Item/Name'),
      quantity: said(line, quantity),
      unit: first(line, quantity)?.attributes.get('unitCode') ?? null,
      price: said(line, 'Price/PriceAmount'),
      total: said(line, 'LineExtensionAmount'),
      adjustments: adjustmentsIn(line),
      category: said(line, 'Item/ClassifiedTaxCategory/ID'),
      rate: said(line, 'Item/ClassifiedTaxCategory/Percent'),
    })),
  }
}

function inCii(root: Element): ReturnType<typeof inUbl> {
  const adjustmentsIn = (from: Element | undefined): WrittenAdjustment[] =>
    all(from, 'SpecifiedTradeAllowanceCharge').map((one) => ({
      isCharge: said(one, 'ChargeIndicator/Indicator'),
      reason: said(one, 'Reason'),
      percentage: said(one, 'CalculationPercent'),
      base: said(one, 'BasisAmount'),
      amount: said(one, 'ActualAmount'),
      category: said(one, 'CategoryTradeTax/CategoryCode'),
      rate: said(one, 'CategoryTradeTax/RateApplicablePercent'),
    }))
  const dateIn = (from: Element | undefined, path: string) =>
    said(from, `${path}/DateTimeString`)?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') ?? null
  const addressIn = (address: Element | undefined) =>
    address === undefined
      ? null
      : ['LineOne', 'LineTwo', 'PostcodeCode', 'CityName', 'CountryID'].map((name) => said(address, name))
  const partyIn = (party: Element | undefined) => {
    const idBy = (scheme: string) =>
      all(party, 'SpecifiedTaxRegistration').find((one) => first(one, 'ID')?.attributes.get('schemeID') === scheme)
    const contact = first(party, 'DefinedTradeContact')
    return {
      name: said(party, 'Name'),
      id: said(party, 'ID'),
      vatId: said(idBy('VA'), 'ID'),
      taxId: said(idBy('FC'), 'ID'),
      address: addressIn(first(party, 'PostalTradeAddress')),
      endpoint: said(party, 'URIUniversalCommunication/URIID'),
      contact: [
        'PersonName',
        'TelephoneUniversalCommunication/CompleteNumber',
        'EmailURIUniversalCommunication/URIID',
      ].map((name) => said(contact, name)),
    }
  }
  const transaction = first(root, 'SupplyChainTradeTransaction')
  const agreement = first(transaction, 'ApplicableHeaderTradeAgreement')
  const delivery = first(transaction, 'ApplicableHeaderTradeDelivery')
  const settlement = first(transaction, 'ApplicableHeaderTradeSettlement')
  const totals = first(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  return {
    specification: said(root, 'ExchangedDocumentContext/GuidelineSpecifiedDocumentContextParameter/ID'),
    process: said(root, 'ExchangedDocumentContext/BusinessProcessSpecifiedDocumentContextParameter/ID'),
    number: said(root, 'ExchangedDocument/ID'),
    issued: dateIn(root, 'ExchangedDocument/IssueDateTime'),
    due: dateIn(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime'),
    typeCode: said(root, 'ExchangedDocument/TypeCode'),
    currency: said(settlement, 'InvoiceCurrencyCode'),
    noteCode: said(root, 'ExchangedDocument/IncludedNote/SubjectCode'),
    note: said(root, 'ExchangedDocument/IncludedNote/Content'),
    buyerReference: said(agreement, 'BuyerReference'),
    order: said(agreement, 'BuyerOrderReferencedDocument/IssuerAssignedID'),
    period: ['StartDateTime', 'EndDateTime'].map((name) => dateIn(settlement, `BillingSpecifiedPeriod/${name}`)),
    terms: first(settlement, 'SpecifiedTradePaymentTerms/Description')?.text ?? null,
    adjustments: adjustmentsIn(settlement),
    seller: partyIn(first(agreement, 'SellerTradeParty')),
    buyer: partyIn(first(agreement, 'BuyerTradeParty')),
    delivered: dateIn(delivery, 'ActualDeliverySupplyChainEvent/OccurrenceDateTime'),
    deliveredTo: addressIn(first(delivery, 'ShipToTradeParty/PostalTradeAddress')),
    means: all(settlement, 'SpecifiedTradeSettlementPaymentMeans').map((means) => {
      const account = first(means, 'PayeePartyCreditorFinancialAccount')
      return {
        code: said(means, 'TypeCode'),
        reference: said(settlement, 'PaymentReference'),
        account: said(account, 'IBANID') ?? said(account, 'ProprietaryID'),
        holder: said(account, 'AccountName'),
        bic: said(means, 'PayeeSpecifiedCreditorFinancialInstitution/BICID'),
      }
    }),
    taxes: all(settlement, 'ApplicableTradeTax').map((tax) => ({
      category: said(tax, 'CategoryCode'),
      rate: said(tax, 'RateApplicablePercent'),
      base: said(tax, 'BasisAmount'),
      amount: said(tax, 'CalculatedAmount'),
      reason: said(tax, 'ExemptionReason'),
      reasonCode: said(tax, 'ExemptionReasonCode'),
    })),
    totals: {
      lines: said(totals, 'LineTotalAmount'),
      discounts: said(totals, 'AllowanceTotalAmount'),
      charges: said(totals, 'ChargeTotalAmount'),
      net: said(totals, 'TaxBasisTotalAmount'),
      tax: said(totals, 'TaxTotalAmount'),
      gross: said(totals, 'GrandTotalAmount'),
      payable: said(totals, 'DuePayableAmount'),
    },
    lines: all(transaction, 'IncludedSupplyChainTradeLineItem').map((line) => ({
      id: said(line, 'AssociatedDocumentLineDocument/LineID'),
      name: said(line, 'SpecifiedTradeProduct/Name'),
      quantity: said(line, 'SpecifiedLineTradeDelivery/BilledQuantity'),
      unit: first(line, 'SpecifiedLineTradeDelivery/BilledQuantity')?.attributes.get('unitCode') ?? null,
      price: said(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount'),
      total: said(line, 'SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
      adjustments: adjustmentsIn(first(line, 'SpecifiedLineTradeSettlement')),
      category: said(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/CategoryCode'),
      rate: said(line, 'SpecifiedLineTradeSettlement/ApplicableTradeTax/RateApplicablePercent'),
    })),
  }
}
