/** Facturae of Spain, version 3.2.x. */
import type { Account } from './account.ts'
import { type Element, type StatedValue, all, one, onlyAt, textAt, textsAt } from '../../xml/element.ts'
import { type StatedItem, itemsOf } from './items.ts'
import { type Invoice, type PaymentMeans, type StatedTotals, NO_TOTALS } from './invoice.ts'
import { withCode, plainDate, withValue } from './values.ts'

/** Means of payment in UNTDID 4461: cash, debit, transfer, compensation, card. */
const MEANS: Readonly<Record<string, string>> = { '01': '10', '02': '59', '04': '30', '14': '97', '19': '48' }

export function invoicesOfFacturae(root: Element): Invoice[] {
  return all(root, 'Invoices/Invoice').map((invoice) => invoiceOf(root, invoice))
}

function invoiceOf(root: Element, invoice: Element): Invoice {
  const header = one(root, 'FileHeader')
  const factoring = one(header, 'FactoringAssignmentData')
  const seller = one(root, 'Parties/SellerParty')
  const number = textAt(invoice, 'InvoiceHeader/InvoiceNumber')
  const isByBuyer =
    textAt(header, 'InvoiceIssuerType')?.value === 'RE' ||
    textAt(invoice, 'InvoiceHeader/InvoiceDocumentType')?.value === 'AF'
  const installments = all(invoice, 'PaymentDetails/Installment')
  // a factor is paid at its own account
  const payable = [...all(factoring, 'PaymentDetails/Installment'), ...installments]
  return {
    typeCode: withCode(number, isByBuyer ? '389' : '380'),
    isCreditNote: false,
    number,
    issueDate: plainDate(textAt(invoice, 'InvoiceIssueData/IssueDate')),
    dueDates: installments.flatMap((one) => plainDate(textAt(one, 'InstallmentDueDate')) ?? []),
    terms: installments.flatMap((one) => textAt(one, 'CollectionAdditionalInformation') ?? []),
    notes: [
      ...textsAt(invoice, 'LegalLiterals/LegalReference'),
      ...textsAt(invoice, 'AdditionalData/InvoiceAdditionalInformation'),
    ],
    process: null,
    currency: textAt(invoice, 'InvoiceIssueData/InvoiceCurrencyCode'),
    isInOtherCurrency: false,
    supplierName: nameOf(seller),
    supplierCountry: null,
    supplierAddress: {}, // its countries have three letters
    taxId: textAt(seller, 'TaxIdentification/TaxIdentificationNumber'),
    payeeName: nameOf(one(factoring, 'Assignee')),
    reference: null,
    means: payable.map(meansOf),
    totals: totalsOf(invoice),
    items: itemsOf(all(invoice, 'Items/InvoiceLine'), itemOf),
    saysPrepaid: true,
  }
}

const UNITS: Readonly<Record<string, string>> = { '01': 'C62', '02': 'HUR', '03': 'KGM', '04': 'LTR' }

const itemOf = (line: Element): StatedItem => ({
  description: onlyAt(line, 'ItemDescription'),
  quantity: onlyAt(line, 'Quantity'),
  unit: UNITS[onlyAt(line, 'UnitOfMeasure')?.value ?? ''] ?? null,
  unitPrice: onlyAt(line, 'UnitPriceWithoutTax'),
  priceBasis: null,
  amount: onlyAt(line, 'GrossAmount'),
  taxRate: onlyAt(line, 'TaxesOutputs/Tax/TaxRate'),
})

function nameOf(party: Element | undefined): StatedValue | null {
  const person = one(party, 'Individual')
  const first = textAt(person, 'Name')
  const names = [first, textAt(person, 'FirstSurname'), textAt(person, 'SecondSurname')]
  const whole = names.flatMap((name) => (name ? [name.value] : [])).join(' ')
  return textAt(party, 'LegalEntity/CorporateName') ?? (first && withValue(first, whole))
}

/** Reads a means of payment; never AccountToBeDebited, which is the payer's. */
function meansOf(installment: Element): PaymentMeans {
  return {
    code: MEANS[textAt(installment, 'PaymentMeans')?.value ?? ''] ?? null,
    reference: textAt(installment, 'PaymentReconciliationReference'),
    accounts: all(installment, 'AccountToBeCredited').map((account): Account => ({
      iban: textAt(account, 'IBAN'),
      number: textAt(account, 'AccountNumber'),
      holder: null,
      bic: textAt(account, 'BIC'),
      branch: null,
      bankCode: textAt(account, 'BankCode'),
      bankName: null,
    })),
  }
}

/** Reads InvoiceTotals. The amount due is the total without what was paid or withheld. */
function totalsOf(invoice: Element): StatedTotals {
  const totals = one(invoice, 'InvoiceTotals')
  const total = (name: string) => textAt(totals, name)
  const off = (amounts: readonly StatedValue[]) => amounts.map((amount) => withValue(amount, `-${amount.value}`))
  return {
    ...NO_TOTALS,
    lines: all(invoice, 'Items/InvoiceLine').flatMap((line) => textAt(line, 'GrossAmount') ?? []),
    lineTotal: total('TotalGrossAmount'),
    allowances: total('TotalGeneralDiscounts'),
    charges: total('TotalGeneralSurcharges'),
    net: total('TotalGrossAmountBeforeTaxes'),
    taxes: all(invoice, 'TaxesOutputs/Tax').flatMap((tax) => [
      ...textsAt(tax, 'TaxAmount/TotalAmount'),
      ...textsAt(tax, 'EquivalenceSurchargeAmount/TotalAmount'),
    ]),
    tax: total('TotalTaxOutputs'),
    retained: total('TotalTaxesWithheld'),
    gross: total('InvoiceTotal'),
    prepaid: total('TotalPaymentsOnAccount'),
    withheld: total('AmountsWithheld/WithholdingAmount'),
    others: [
      ...textsAt(totals, 'TotalReimbursableExpenses'),
      ...textsAt(totals, 'TotalFinancialExpenses'),
      ...off(textsAt(totals, 'Subsidies/Subsidy/SubsidyAmount')),
      ...off(textsAt(totals, 'PaymentInKind/PaymentInKindAmount')),
    ],
    payable: total('TotalExecutableAmount'),
  }
}
