/** FatturaPA of Italy up to version 1.2.x, ordinary and simplified. */
import { daysAfter } from '../../../domain/instants.ts'
import { decimalOf, product, roundHalfAway, tenTo, toFixedText } from '../../../domain/money/decimal.ts'
import { addsUp, sumOf } from '../../../domain/bills/totals.ts'
import { isDate } from '../verified.ts'
import type { Account } from './account.ts'
import { type Element, type StatedValue, all, one, onlyAt, textAt, textsAt } from '../../xml/element.ts'
import { type StatedItem, itemsOf } from './items.ts'
import { type Invoice, type PaymentMeans, type StatedTotals, NO_TOTALS } from './invoice.ts'
import { withCode, plainDate, plainDecimal, withValue } from './values.ts'

const GENERAL = 'DatiGenerali/DatiGeneraliDocumento'
const CREDIT_NOTES = new Set(['TD04', 'TD08'])
/** Documents of a buyer for its own tax, about a bill that it has anyway: they claim nothing. */
const FOR_TAX = new Set('TD16 TD17 TD18 TD19 TD20 TD21 TD22 TD23 TD27 TD28 TD29'.split(' '))
/** Means of payment in UNTDID 4461. What a bank or the post collects is debited. */
const MEANS: Readonly<Record<string, string>> = {
  MP01: '10',
  MP05: '58',
  MP08: '48',
  ...Object.fromEntries('MP09 MP10 MP11 MP12 MP16 MP17 MP19 MP20 MP21'.split(' ').map((code) => [code, '59'])),
  MP22: '97',
}

export function invoicesOfFatturaPa(root: Element): Invoice[] {
  const header = one(root, 'FatturaElettronicaHeader')
  return all(root, 'FatturaElettronicaBody').map((body) => invoiceOf(header, body))
}

function invoiceOf(header: Element | undefined, body: Element): Invoice {
  const seller = one(header, 'CedentePrestatore')
  const general = one(body, GENERAL)
  const payments = all(body, 'DatiPagamento/DettaglioPagamento')
  const type = textAt(general, 'TipoDocumento')
  const isByBuyer = textAt(header, 'SoggettoEmittente')?.value === 'CC'
  return {
    typeCode: withCode(type, FOR_TAX.has(type?.value ?? '') ? '325' : isByBuyer ? '389' : '380'),
    isCreditNote: CREDIT_NOTES.has(type?.value ?? ''),
    number: textAt(general, 'Numero'),
    issueDate: plainDate(textAt(general, 'Data')),
    dueDates: payments.flatMap((payment) => dueDateOf(payment) ?? []),
    terms: [],
    notes: textsAt(general, 'Causale'),
    process: null,
    currency: textAt(general, 'Divisa'),
    isInOtherCurrency: false,
    supplierName: nameOf(one(seller, 'DatiAnagrafici/Anagrafica') ?? seller),
    supplierCountry: textAt(seller, 'Sede/Nazione')?.value ?? null,
    supplierAddress: addressOf(one(seller, 'Sede')),
    taxId: taxIdOf(one(seller, 'DatiAnagrafici') ?? seller),
    payeeName: null,
    reference: null,
    means: payments.map(meansOf),
    totals: totalsOf(general, body, payments),
    items: linesOf(general, body),
    saysPrepaid: true,
    // whether the sums by rate are those after the discount is not said
    isInconsistent:
      all(general, 'ScontoMaggiorazione').length > 0 &&
      textAt(general, 'ImportoTotaleDocumento') === null &&
      payments.every((payment) => textAt(payment, 'ImportoPagamento') === null),
  }
}

const addressOf = (seat: Element | undefined): Invoice['supplierAddress'] => ({
  address_street: onlyAt(seat, 'Indirizzo'),
  address_building_number: onlyAt(seat, 'NumeroCivico'),
  address_postal_code: onlyAt(seat, 'CAP'),
  address_town: onlyAt(seat, 'Comune'),
  address_country: onlyAt(seat, 'Nazione'),
})

function nameOf(party: Element | undefined): StatedValue | null {
  const company = textAt(party, 'Denominazione')
  const surname = textAt(party, 'Cognome')
  return company ?? (surname && withValue(surname, `${textAt(party, 'Nome')?.value ?? ''} ${surname.value}`.trim()))
}

function taxIdOf(party: Element | undefined): StatedValue | null {
  const country = textAt(party, 'IdFiscaleIVA/IdPaese')?.value ?? ''
  const code = textAt(party, 'IdFiscaleIVA/IdCodice')
  if (!code) return textAt(party, 'CodiceFiscale')
  return code.value.startsWith(country) ? code : withValue(code, `${country}${code.value}`)
}

/** Reads the due date, or counts the days from the date that the terms name. */
function dueDateOf(payment: Element): StatedValue | null {
  const day = plainDate(textAt(payment, 'DataScadenzaPagamento'))
  const from = plainDate(textAt(payment, 'DataRiferimentoTerminiPagamento'))
  const days = textAt(payment, 'GiorniTerminiPagamento')
  if (day || !from || !days) return day
  return isDate(from.value) && /^\d{1,3}$/.test(days.value)
    ? withValue(days, daysAfter(from.value, Number(days.value)))
    : null
}

/** Reads a means of payment. ABI and CAB are within the IBAN. */
function meansOf(payment: Element): PaymentMeans {
  const iban = textAt(payment, 'IBAN')
  const account: Account = {
    iban,
    number: null,
    holder: textAt(payment, 'Beneficiario'),
    bic: textAt(payment, 'BIC'),
    branch: null,
    bankCode: null,
    bankName: textAt(payment, 'IstitutoFinanziario'),
  }
  return {
    code: MEANS[textAt(payment, 'ModalitaPagamento')?.value ?? ''] ?? null,
    reference: textAt(payment, 'CodicePagamento'),
    accounts: iban ? [account] : [],
  }
}

/**
 * Reads the sums by rate, which make the total, with stamp duty and rounding. The amount due excludes tax that the
 * buyer pays to the state: on income, and for public bodies (EsigibilitaIVA S).
 */
function totalsOf(general: Element | undefined, body: Element, payments: readonly Element[]): StatedTotals {
  const simple = all(body, 'DatiBeniServizi').flatMap((line) => textAt(line, 'Importo') ?? [])
  const simpleTaxes = textsAt(body, 'DatiBeniServizi/DatiIVA/Imposta')
  if (simple.length > 0) {
    return { ...NO_TOTALS, taxes: simpleTaxes.length === simple.length ? simpleTaxes : [], gross: sum(simple) }
  }
  const rates = all(body, 'DatiBeniServizi/DatiRiepilogo')
  const bases = rates.flatMap((rate) => textAt(rate, 'ImponibileImporto') ?? [])
  const taxes = rates.flatMap((rate) => textAt(rate, 'Imposta') ?? [])
  const toState = [
    ...textsAt(general, 'DatiRitenuta/ImportoRitenuta'),
    ...rates
      .filter((rate) => textAt(rate, 'EsigibilitaIVA')?.value === 'S')
      .flatMap((rate) => textAt(rate, 'Imposta') ?? []),
  ]
  const total = textAt(general, 'ImportoTotaleDocumento')
  const base = sum(bases)
  const tax = sum(taxes)
  const discounts = base && tax ? discountsIn(general, sum([base, tax])) : []
  const extra = total && base && tax ? extraIn(total, [base, tax], [...discounts, ...optionalIn(general)]) : null
  const stated: StatedTotals = {
    ...NO_TOTALS,
    lineTotal: base,
    charges: extra,
    net: extra ? sum([...bases, extra]) : base,
    taxes,
    tax,
    gross: total ?? sum([...bases, ...taxes]),
    withheld: sum(toState),
  }
  const amounts = payments.flatMap((payment) => textAt(payment, 'ImportoPagamento') ?? [])
  const due = dueOf(stated)
  // of a total before its discount, the payments say what is left
  const paid = payableOf(due, amounts)
  const left = due && discounts.length > 0 && !extra ? sum([due, ...discounts]) : null
  const isLess = left !== null && payableOf(left, amounts)?.value === left.value && paid?.value !== due?.value
  return isLess ? { ...stated, others: discounts, payable: payableOf(left, amounts) } : { ...stated, payable: paid }
}

/** Reads discounts (`-`) and surcharges of the whole. A percentage is that of the total with tax. */
function discountsIn(general: Element | undefined, whole: StatedValue | null): StatedValue[] {
  return all(general, 'ScontoMaggiorazione').flatMap((one) => {
    const rate = textAt(one, 'Percentuale')
    const stated = textAt(one, 'Importo') ?? (rate && whole && partOf(whole, rate))
    const amount = stated && plainDecimal(stated.value)
    if (!stated || amount === null) return []
    return [withValue(stated, textAt(one, 'Tipo')?.value === 'MG' ? amount : `-${amount}`.replace('--', ''))]
  })
}

/** Computes a percentage of an amount, in cents; null if one is no number. */
function partOf(amount: StatedValue, rate: StatedValue): StatedValue | null {
  const [whole, percent] = [plainDecimal(amount.value), plainDecimal(rate.value)]
  if (whole === null || percent === null) return null
  const { digits, scale } = decimalOf(product(whole, percent))
  return withValue(rate, toFixedText({ digits: roundHalfAway(digits, tenTo(scale)), scale: 2 }))
}

/** Reads lines that make the sums by rate, with pension funds, expenses and rounding; none of a simplified bill. */
function linesOf(general: Element | undefined, body: Element): readonly StatedItem[] {
  const items = itemsOf(all(body, 'DatiBeniServizi/DettaglioLinee'), (line) => ({
    description: onlyAt(line, 'Descrizione'),
    quantity: onlyAt(line, 'Quantita'),
    unit: onlyAt(line, 'UnitaMisura')?.value ?? null,
    unitPrice: onlyAt(line, 'PrezzoUnitario'),
    priceBasis: null,
    amount: onlyAt(line, 'PrezzoTotale'),
    taxRate: onlyAt(line, 'AliquotaIVA'),
  }))
  const numbers = (amounts: readonly StatedValue[]) => amounts.map(({ value }) => plainDecimal(value) ?? '')
  const parts = numbers([
    ...items.flatMap(({ amount }) => amount ?? []),
    ...textsAt(general, 'DatiCassaPrevidenziale/ImportoContributoCassa'),
    ...textsAt(body, 'DatiBeniServizi/DatiRiepilogo/SpeseAccessorie'),
    ...textsAt(body, 'DatiBeniServizi/DatiRiepilogo/Arrotondamento'),
  ])
  const bases = numbers(textsAt(body, 'DatiBeniServizi/DatiRiepilogo/ImponibileImporto'))
  const isRight = ![...parts, ...bases].includes('') && addsUp({ ...NO_TOTALS, lines: parts, lineTotal: sumOf(bases) })
  return isRight ? items : []
}

const optionalIn = (general: Element | undefined): StatedValue[] => [
  ...textsAt(general, 'DatiBollo/ImportoBollo'),
  ...textsAt(general, 'Arrotondamento'),
]

/** Finds the optional amounts that complete a total; null if it needs none, or none helps. */
function extraIn(
  total: StatedValue,
  parts: readonly StatedValue[],
  optional: readonly StatedValue[],
): StatedValue | null {
  const isRight = (more: readonly StatedValue[]) => {
    const made = sum([...parts, ...more])
    const amount = plainDecimal(total.value)
    return amount !== null && made !== null && addsUp({ ...NO_TOTALS, net: made.value, tax: '0', gross: amount })
  }
  const choices = [[], ...optional.map((only) => [only]), optional]
  const [first] = choices.filter(isRight)
  return first && first.length > 0 ? sum(first) : null
}

/** Computes the total without what the buyer pays to the state. */
const dueOf = ({ gross, withheld }: StatedTotals): StatedValue | null =>
  gross && sum([gross, ...(withheld ? [withValue(withheld, `-${withheld.value}`)] : [])])

/** Sums the payments, or takes the one amount that all alternatives name. */
function payableOf(due: StatedValue | null, amounts: readonly StatedValue[]): StatedValue | null {
  const [first, ...others] = amounts
  const isEach = others.length > 0 && amounts.every((amount) => sum([amount])?.value === due?.value)
  return isEach && first ? first : sum(amounts)
}

/** Sums amounts, at the path of the first; null without any. Answers the first if one is no number. */
function sum(amounts: readonly StatedValue[]): StatedValue | null {
  const [first] = amounts
  const numbers = amounts.map(({ value }) => plainDecimal(value))
  if (!first || numbers.includes(null)) return first ?? null
  return withValue(first, sumOf(numbers.filter((number) => number !== null)))
}
