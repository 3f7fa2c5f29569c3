/** UBL 2.1 Invoice and CreditNote, as in Peppol BIS Billing 3 and XRechnung. */
import type { Account } from './account.ts'
import { type Element, type StatedValue, all, one, onlyAt, readStated, textAt, textsAt } from '../../xml/element.ts'
import { type StatedItem, itemsOf } from './items.ts'
import type { Invoice, PaymentMeans, StatedTotals } from './invoice.ts'
import { sumOf } from '../../../domain/bills/totals.ts'
import { plainDate, plainDecimal, withValue } from './values.ts'

export function invoiceOfUbl(root: Element): Invoice {
  const supplier = one(root, 'AccountingSupplierParty/Party')
  const payable = one(root, 'LegalMonetaryTotal/PayableAmount')
  const payableCurrency = payable?.attributes.get('currencyID')
  const currency = textAt(root, 'DocumentCurrencyCode') ?? currencyOf(payable)
  return {
    typeCode: textAt(root, 'InvoiceTypeCode') ?? textAt(root, 'CreditNoteTypeCode'),
    isCreditNote: root.name === 'CreditNote',
    number: textAt(root, 'ID'),
    issueDate: plainDate(textAt(root, 'IssueDate')),
    dueDates: dueDatesOf(root),
    terms: textsAt(root, 'PaymentTerms/Note'),
    notes: [...textsAt(root, 'Note'), ...all(root, 'PaymentMeans').flatMap(meansInWords)],
    process: textAt(root, 'ProfileID'),
    currency,
    isInOtherCurrency: payableCurrency !== undefined && currency !== null && payableCurrency !== currency.value,
    supplierName: nameOf(supplier),
    supplierCountry: textAt(supplier, 'PostalAddress/Country/IdentificationCode')?.value ?? null,
    supplierAddress: addressOf(one(supplier, 'PostalAddress')),
    taxId: taxIdOf(supplier),
    payeeName: nameOf(one(root, 'PayeeParty')),
    reference: null,
    means: all(root, 'PaymentMeans').map(meansOf),
    totals: totalsOf(root, currency?.value ?? null),
    items: itemsOf(linesOf(root), itemOf),
    saysPrepaid: true,
  }
}

const currencyOf = (amount: Element | undefined): StatedValue | null => {
  const value = amount?.attributes.get('currencyID')
  const at = readStated(amount)
  return value && at ? { value, path: `${at.path}/@currencyID` } : null
}

/** The registered name (BT-27), else the trading name. A party may have several of each. */
const nameOf = (party: Element | undefined): StatedValue | null =>
  textsAt(party, 'PartyLegalEntity/RegistrationName')[0] ?? textsAt(party, 'PartyName/Name')[0] ?? null

/** Reads the address (BG-5); its second line belongs to no member. */
const addressOf = (address: Element | undefined): Invoice['supplierAddress'] => ({
  address_street: onlyAt(address, 'StreetName'),
  address_building_number: onlyAt(address, 'BuildingNumber'),
  address_postal_code: onlyAt(address, 'PostalZone'),
  address_town: onlyAt(address, 'CityName'),
  address_country: onlyAt(address, 'Country/IdentificationCode'),
})

/** Reads the VAT number (BT-31), else that of the tax office (BT-32). */
function taxIdOf(party: Element | undefined): StatedValue | null {
  const schemes = all(party, 'PartyTaxScheme')
  const isVat = (scheme: Element) => textAt(scheme, 'TaxScheme/ID')?.value.toUpperCase() === 'VAT'
  const [first] = [...schemes.filter(isVat), ...schemes].flatMap((scheme) => textAt(scheme, 'CompanyID') ?? [])
  return first ?? null
}

function dueDatesOf(root: Element): StatedValue[] {
  const dates = [
    'DueDate',
    'PaymentMeans/PaymentDueDate',
    'PaymentTerms/PaymentDueDate',
    'PaymentTerms/InstallmentDueDate',
  ]
  const [first = []] = dates.map((path) => textsAt(root, path)).filter((found) => found.length > 0)
  return first.flatMap((date) => plainDate(date) ?? [])
}

/** Reads a means of payment. Of a Danish giro slip (OIOUBL), PaymentID is the kind, InstructionID the reference. */
function meansOf(means: Element): PaymentMeans {
  const isSlip = all(means, 'CreditAccount').length > 0
  return {
    code: textAt(means, 'PaymentMeansCode')?.value ?? null,
    reference: textsAt(means, isSlip ? 'InstructionID' : 'PaymentID')[0] ?? null,
    accounts: [
      ...all(means, 'PayeeFinancialAccount').map(accountOf),
      ...textsAt(means, 'CreditAccount/AccountID').map(creditorOf),
    ],
  }
}

const creditorOf = (number: StatedValue): Account => ({
  iban: null,
  number,
  holder: null,
  bic: null,
  branch: { ...number, value: 'DK:FIK' },
  bankCode: null,
  bankName: null,
})

/** Lists what a means of payment says in words (BT-82). */
function meansInWords(means: Element): StatedValue[] {
  const code = readStated(one(means, 'PaymentMeansCode'))
  const name = one(means, 'PaymentMeansCode')?.attributes.get('name')
  const named = code && name ? [{ value: name, path: `${code.path}/@name` }] : []
  return [...named, ...textsAt(means, 'InstructionNote')]
}

/** Reads the payee's account; never PaymentMandate/PayerFinancialAccount, which is the payer's. */
function accountOf(account: Element): Account {
  const id = one(account, 'ID')
  const isIban = id?.attributes.get('schemeID')?.toUpperCase() === 'IBAN'
  const institution = 'FinancialInstitutionBranch/FinancialInstitution'
  return {
    iban: isIban ? readStated(id) : null,
    number: isIban ? null : readStated(id),
    holder: textAt(account, 'Name'),
    bic: null,
    branch: textAt(account, 'FinancialInstitutionBranch/ID') ?? textAt(account, `${institution}/ID`),
    bankCode: null,
    bankName: textAt(account, `${institution}/Name`) ?? textAt(account, 'FinancialInstitutionBranch/Name'),
  }
}

const linesOf = (root: Element): Element[] => all(root, root.name === 'CreditNote' ? 'CreditNoteLine' : 'InvoiceLine')

function itemOf(line: Element): StatedItem {
  const [quantity] = [...all(line, 'InvoicedQuantity'), ...all(line, 'CreditedQuantity')]
  return {
    description: onlyAt(line, 'Item/Name') ?? onlyAt(line, 'Item/Description'),
    quantity: readStated(quantity),
    unit: quantity?.attributes.get('unitCode') ?? null,
    unitPrice: onlyAt(line, 'Price/PriceAmount'),
    priceBasis: onlyAt(line, 'Price/BaseQuantity'),
    amount: onlyAt(line, 'LineExtensionAmount'),
    taxRate: onlyAt(line, 'Item/ClassifiedTaxCategory/Percent'),
  }
}

/** Tells whether it is XRechnung's extension: its PrepaidPayment is collected for others (BG-DEX-09, BR-DEX-09). */
const isExtended = (root: Element): boolean =>
  textAt(root, 'CustomizationID')?.value.includes('extension:xrechnung') ?? false

/** Tells whether it is OIOUBL of Denmark, where TaxExclusiveAmount is the tax. */
const isOioubl = (root: Element): boolean => textAt(root, 'CustomizationID')?.value.startsWith('OIOUBL') ?? false

/** VAT among the kinds of tax of UBL-TR of Turkey. */
const KDV = '0015'
/** Tells whether it is UBL-TR with a special tax. TaxExclusiveAmount may have it inside, as the base of VAT. */
const hasSpecialTax = (root: Element): boolean =>
  (textAt(root, 'CustomizationID')?.value.startsWith('TR1') ?? false) &&
  textsAt(root, 'TaxTotal/TaxSubtotal/TaxCategory/TaxScheme/TaxTypeCode').some(({ value }) => value !== KDV)

/** Sums up amounts of one kind; one that is no number stands for all, and is none. */
function sumIn(amounts: readonly StatedValue[]): StatedValue | null {
  const [first] = amounts
  const parts = amounts.flatMap(({ value }) => plainDecimal(value) ?? [])
  if (!first || parts.length === amounts.length) return first ? withValue(first, sumOf(parts)) : null
  return amounts.find(({ value }) => plainDecimal(value) === null) ?? null
}

function netIn(total: (name: string) => StatedValue | null): StatedValue | null {
  const [lines, allowances, charges] = ['LineExtensionAmount', 'AllowanceTotalAmount', 'ChargeTotalAmount'].map(total)
  const parts = [lines, charges].map((part) => (part ? plainDecimal(part.value) : '0'))
  const less = allowances ? plainDecimal(allowances.value) : '0'
  if (!lines || less === null || parts.includes(null)) return null
  return withValue(lines, sumOf([...parts.filter((part) => part !== null), `-${less}`.replace('--', '')]))
}

/** Reads amounts in the document's currency; tax may be repeated in the tax office's. */
function totalsOf(root: Element, currency: string | null): StatedTotals {
  const totals = one(root, 'LegalMonetaryTotal')
  const isOwn = (amount: Element | undefined) => (amount?.attributes.get('currencyID') ?? currency) === currency
  const own = (from: Element | undefined, path: string) =>
    all(from, path)
      .filter(isOwn)
      .flatMap((at) => readStated(at) ?? [])
  const total = (name: string) => textAt(totals, name)
  const [tax = null, ...otherTaxes] = own(root, 'TaxTotal/TaxAmount')
  return {
    lines: linesOf(root).flatMap((line) => textAt(line, 'LineExtensionAmount') ?? []),
    lineTotal: total('LineExtensionAmount'),
    allowances: total('AllowanceTotalAmount'),
    charges: total('ChargeTotalAmount'),
    net: isOioubl(root) || hasSpecialTax(root) ? netIn(total) : total('TaxExclusiveAmount'),
    taxes: own(root, 'TaxTotal/TaxSubtotal/TaxAmount'),
    // several are of several kinds of tax, each with its total
    tax: otherTaxes.length > 0 ? null : tax,
    retained: null,
    gross: total('TaxInclusiveAmount'),
    prepaid: total('PrepaidAmount'),
    withheld: sumIn(own(root, 'WithholdingTaxTotal/TaxAmount')),
    rounding: total('PayableRoundingAmount'),
    others: isExtended(root) ? own(root, 'PrepaidPayment/PaidAmount') : [],
    payable: total('PayableAmount'),
  }
}
