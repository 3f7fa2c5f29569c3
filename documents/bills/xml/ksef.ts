/** FA(2) and FA(3) of KSeF, the national system of Poland. */
import { daysAfter } from '../../../domain/instants.ts'
import { type Totals, addsUp, sumOf } from '../../../domain/bills/totals.ts'
import type { Doubt } from '../../../domain/bills/reader.ts'
import { isDate } from '../verified.ts'
import type { Account } from './account.ts'
import { type Element, type StatedValue, all, one, onlyAt, textAt, textsAt } from '../../xml/element.ts'
import { itemsOf } from './items.ts'
import { type Invoice, type PaymentMeans, type StatedTotals, NO_TOTALS } from './invoice.ts'
import { withCode, plainDate, plainDecimal, withValue } from './values.ts'

/** Kinds of bills: of all, of the rest behind advances, simplified; received advances; corrections of each. */
const [WHOLE, REST, ADVANCES, CORRECTIONS] = [
  new Set(['VAT', 'UPR']),
  new Set(['ROZ']),
  new Set(['ZAL', 'KOR_ZAL']),
  new Set(['KOR', 'KOR_ROZ', 'KOR_ZAL']),
]
/** Sums of net amounts and of taxes by rate; `P_14_1W` is a tax in zloty beside one in another currency. */
const NETS = '1 2 3 4 5 6_1 6_2 6_3 7 8 9 10 11'.split(' ').map((rate) => `P_13_${rate}`)
const TAXES = '1 2 3 4 5'.split(' ').map((rate) => `P_14_${rate}`)

/** Means of payment in UNTDID 4461: cash, card, voucher, cheque, credit, transfer, mobile. */
const MEANS: Readonly<Record<string, string>> = { 1: '10', 2: '48', 3: '10', 4: '20', 6: '30', 7: '68' }
/** Other means in words: direct debit, compensation, card, cash. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/polecenie\s+zap[lł]aty/iu, '59'],
  [/kompensat|potr[aą]ceni/iu, '97'],
  [/\bkart[aąyę]/iu, '48'],
  [/got[oó]wk|pobrani/iu, '10'],
]
/** Cash, instant payment, set-off: the account that stands beside them is that of other bills. */
const AT_ONCE = new Set(['10', '68', '97'])
const SPLIT_PAYMENT: Doubt = {
  code: 'unconfirmed',
  fields: ['amount'],
  message: 'the bill asks for split payment in Poland (mechanizm podzielonej płatności), which a usual transfer is not',
}
const IS_FACTOR = '1'
const YES = '1'

export function invoicesOfKsef(root: Element): Invoice[] {
  return all(root, 'Fa').map((bill) => invoiceOf(root, bill))
}

function invoiceOf(root: Element, bill: Element): Invoice {
  const seller = one(root, 'Podmiot1')
  const number = textAt(bill, 'P_2')
  const payment = one(bill, 'Platnosc')
  const due = dueOf(bill, payment)
  const says = (path: string) => textAt(bill, path)?.value === YES
  return {
    typeCode: withCode(number, says('Adnotacje/P_17') ? '389' : '380'),
    isCreditNote: false,
    number,
    issueDate: plainDate(textAt(bill, 'P_1')),
    dueDates: all(payment, 'TerminPlatnosci').flatMap((term) => dueDateOf(term, textAt(bill, 'P_1')) ?? []),
    terms: [],
    notes: [
      ...all(bill, 'DodatkowyOpis').flatMap(noteOf),
      ...textsAt(root, 'Stopka/Informacje/StopkaFaktury'),
      ...textsAt(payment, 'OpisPlatnosci'),
    ],
    process: null,
    currency: textAt(bill, 'KodWaluty'),
    isInOtherCurrency: false,
    supplierName: textAt(seller, 'DaneIdentyfikacyjne/Nazwa'),
    supplierCountry: 'PL',
    supplierAddress: addressOf(one(seller, 'Adres')),
    taxId: taxIdOf(seller),
    payeeName: nameOfFactor(root),
    reference: null,
    means: payment ? [meansOf(payment)] : [],
    totals: due.totals,
    items: WHOLE.has(kindOf(bill)) ? itemsOf(all(bill, 'FaWiersz'), itemOf) : [],
    saysPrepaid: true,
    isInconsistent: due.isInconsistent,
    isPaid:
      ADVANCES.has(kindOf(bill)) ||
      (!WHOLE.has(kindOf(bill)) && isZero(due.totals.gross)) ||
      textAt(payment, 'Zaplacono')?.value === YES ||
      textAt(payment, 'ZnacznikZaplatyCzesciowej')?.value === '2',
    doubts: says('Adnotacje/P_18A') ? [SPLIT_PAYMENT] : [],
  }
}

const kindOf = (bill: Element): string => textAt(bill, 'RodzajFaktury')?.value ?? ''

/** Reads a remark about the bill, in words; none about a line. */
function noteOf(remark: Element): StatedValue[] {
  const value = textAt(remark, 'Wartosc')
  if (!value || textAt(remark, 'NrWiersza')) return []
  return [withValue(value, `${textAt(remark, 'Klucz')?.value ?? ''}: ${value.value}`)]
}

const itemOf = (line: Element) => ({
  description: onlyAt(line, 'P_7'),
  quantity: onlyAt(line, 'P_8B'),
  unit: onlyAt(line, 'P_8A')?.value ?? null,
  unitPrice: onlyAt(line, 'P_9A'),
  priceBasis: null,
  amount: onlyAt(line, 'P_11'),
  taxRate: onlyAt(line, 'P_12'),
})

function taxIdOf(seller: Element | undefined): StatedValue | null {
  const prefix = textAt(seller, 'PrefiksPodatnika')?.value ?? ''
  const number = textAt(seller, 'DaneIdentyfikacyjne/NIP')
  return number && (number.value.startsWith(prefix) ? number : withValue(number, `${prefix}${number.value}`))
}

/** Reads an address of two lines, if the second one is a postal code and a town. */
function addressOf(address: Element | undefined): Invoice['supplierAddress'] {
  const country = { address_country: onlyAt(address, 'KodKraju') }
  const second = onlyAt(address, 'AdresL2')
  const [, code, town] = /^(\d{2}-\d{3}),? (\p{L}.*)$/u.exec(second?.value ?? '') ?? []
  if (!second || !code || !town || country.address_country?.value !== 'PL') return country
  return {
    ...country,
    address_street: onlyAt(address, 'AdresL1'),
    address_postal_code: withValue(second, code),
    address_town: withValue(second, town),
  }
}

/** Finds the factor, to which the claim was assigned. */
function nameOfFactor(root: Element): StatedValue | null {
  const [factor] = all(root, 'Podmiot3').filter((party) => textAt(party, 'Rola')?.value === IS_FACTOR)
  return textAt(factor, 'DaneIdentyfikacyjne/Nazwa')
}

/** Reads the due date, or counts the days from the issue of the bill. FA(2) says the terms in words. */
function dueDateOf(term: Element, issued: StatedValue | null): StatedValue | null {
  const [day, count] = [plainDate(textAt(term, 'Termin')), textAt(term, 'TerminOpis/Ilosc')]
  const unit = textAt(term, 'TerminOpis/Jednostka')?.value ?? ''
  const event = textAt(term, 'TerminOpis/ZdarzeniePoczatkowe')?.value ?? ''
  const isCounted = /^(dni|dzie[nń]|days?)\.?$/iu.test(unit) && /wystawieni/iu.test(event)
  if (day || !count || !issued || !isCounted) return day
  return isDate(issued.value) && /^\d{1,3}$/.test(count.value)
    ? withValue(count, daysAfter(issued.value, Number(count.value)))
    : null
}

/** Reads how the bill is paid, and the accounts, those of a factor first. What is paid at once names none. */
function meansOf(payment: Element): PaymentMeans {
  const words = textAt(payment, 'OpisPlatnosci')?.value ?? ''
  const [, inWords] = WORDS.find(([word]) => word.test(words)) ?? []
  const code = MEANS[textAt(payment, 'FormaPlatnosci')?.value ?? ''] ?? inWords ?? null
  const accounts = [...all(payment, 'RachunekBankowyFaktora'), ...all(payment, 'RachunekBankowy')].map(accountOf)
  return { code, reference: null, accounts: AT_ONCE.has(code ?? '') ? [] : accounts }
}

/** Reads an account; 26 digits are a national number, an IBAN without its country. */
function accountOf(account: Element): Account {
  const number = textAt(account, 'NrRB')
  const digits = number?.value.replaceAll(/[\s-]/gu, '') ?? ''
  const bankName = textAt(account, 'NazwaBanku')
  return {
    iban: number && /^\d{26}$/.test(digits) ? withValue(number, `PL${digits}`) : null,
    number,
    // an account that a bank keeps for itself, to collect claims
    holder: textAt(account, 'RachunekWlasnyBanku') ? bankName : null,
    bic: textAt(account, 'SWIFT'),
    branch: null,
    bankCode: null,
    bankName,
  }
}

type Due = { readonly totals: StatedTotals; readonly isInconsistent: boolean }

/**
 * Reads what is due: P_15, with charges and deductions (DoZaplaty), without what was paid before. P_15 of a correction
 * is the difference, which the lines before and after it have to show if it is claimed.
 */
function dueOf(bill: Element, payment: Element | undefined): Due {
  const kind = kindOf(bill)
  const stated = (names: readonly string[]) => names.flatMap((name) => textAt(bill, name) ?? [])
  const [nets, taxes, gross] = [stated(NETS), stated(TAXES), textAt(bill, 'P_15')]
  const [net] = nets
  const sums: StatedTotals = {
    ...NO_TOTALS,
    net: net ? withValue(net, sumOfStated(nets)) : null,
    taxes,
    tax: net ? withValue(taxes[0] ?? net, sumOfStated(taxes)) : null,
    gross,
  }
  const isShown = showsLines(bill, sums)
  const isClaimed = !(gross?.value ?? '').startsWith('-') && !isZero(gross)
  const isUnproven = CORRECTIONS.has(kind) && isClaimed && isShown !== true
  const isKnown = [WHOLE, REST, ADVANCES, CORRECTIONS].some((kinds) => kinds.has(kind))
  const { isInconsistent, ...due } = settle(bill, payment, sums)
  return { totals: due.totals, isInconsistent: isInconsistent || isShown === false || isUnproven || !isKnown }
}

/** Tells whether the lines make the sums; null where they do not have to, or do not say. */
function showsLines(bill: Element, { net, gross }: StatedTotals): boolean | null {
  const kind = kindOf(bill)
  const lines = all(bill, 'FaWiersz')
  if (lines.length === 0 || !(WHOLE.has(kind) || CORRECTIONS.has(kind))) return null
  const totals = [['P_11', net] as const, ['P_11A', gross] as const]
  for (const [name, total] of totals) {
    const amounts = lines.flatMap((line) => differenceAt(line, name) ?? [])
    const sum = total && plainDecimal(total.value)
    if (amounts.length < lines.length || !sum) continue
    return addsUp({ ...(NO_TOTALS satisfies Totals), lines: amounts, lineTotal: sum })
  }
  return null
}

/** Reads an amount of a line, negative as it was before a correction. */
function differenceAt(line: Element, name: string): string | null {
  const amount = plainDecimal(textAt(line, name)?.value ?? '')
  if (amount === null || textAt(line, 'StanPrzed')?.value !== YES) return amount
  return sumOfDifference('0', amount)
}

/** Adds charges and takes off deductions and what was paid before. */
function settle(bill: Element, payment: Element | undefined, sums: StatedTotals): Due {
  const settlement = one(bill, 'Rozliczenie')
  const isPaidInParts = textAt(payment, 'ZnacznikZaplatyCzesciowej')?.value === '2'
  const before = [
    ...(isPaidInParts ? [] : textsAt(payment, 'ZaplataCzesciowa/KwotaZaplatyCzesciowej')),
    ...(ADVANCES.has(kindOf(bill)) ? [] : textsAt(bill, 'ZaliczkaCzesciowa/P_15Z')),
  ]
  if (settlement) {
    const charges = partsOf(settlement, 'Obciazenia/Kwota', 'SumaObciazen')
    const deductions = partsOf(settlement, 'Odliczenia/Kwota', 'SumaOdliczen')
    const back = textAt(settlement, 'DoRozliczenia')
    const payable = textAt(settlement, 'DoZaplaty') ?? (back && withValue(back, `-${back.value}`))
    const others = [...charges.stated, ...deductions.stated.map((one) => withValue(one, `-${one.value}`))]
    const isStated = payable !== null || others.every(({ value }) => Number(value) === 0)
    const isWhole = charges.isWhole && deductions.isWhole && before.length === 0
    return { totals: { ...sums, others, payable }, isInconsistent: !isStated || !isWhole }
  }
  const [first] = before
  const [prepaid, gross] = [sumOfStated(before), plainDecimal(sums.gross?.value ?? '')]
  if (!first || !sums.gross || gross === null) return { totals: sums, isInconsistent: false }
  const rest = sumOfDifference(gross, prepaid)
  const totals = { ...sums, prepaid: withValue(first, prepaid), payable: withValue(sums.gross, rest) }
  return { totals, isInconsistent: rest.startsWith('-') }
}

/** Reads charges or deductions, and tells whether they are their sum. */
function partsOf(settlement: Element, parts: string, total: string) {
  const [amounts, sum] = [textsAt(settlement, parts), textAt(settlement, total)]
  const lines = amounts.flatMap(({ value }) => plainDecimal(value) ?? [])
  const lineTotal = sum && plainDecimal(sum.value)
  const isWhole = lines.length === amounts.length && (!lineTotal || sumOf(lines) === sumOf([lineTotal]))
  return { stated: sum ? [sum] : amounts, isWhole: isWhole || amounts.length === 0 }
}

const isZero = (amount: StatedValue | null): boolean => amount !== null && /^[+-]?0*(\.0*)?$/.test(amount.value)

const sumOfStated = (amounts: readonly StatedValue[]): string => {
  const numbers = amounts.map(({ value }) => plainDecimal(value))
  // what is no number makes no sum either
  return numbers.includes(null) ? (amounts[0]?.value ?? '') : sumOf(numbers.filter((number) => number !== null))
}

const sumOfDifference = (from: string, amount: string): string =>
  sumOf([from, amount.startsWith('-') ? amount.slice(1) : `-${amount}`])
