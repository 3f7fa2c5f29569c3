/**
 * A bill before it is written in any form: one model for all syntaxes, layouts and scans, and the truth that a reader
 * has to find.
 */
import { BILL_FIELDS, type BillField } from '../../domain/bills/fields.ts'
import type { NotPayable, UnreadableCode } from '../../domain/bills/reader.ts'
import { digitsOf } from '../../domain/money/currencies.ts'

export const LANGUAGES = ['de', 'en', 'fr', 'es', 'nl', 'it'] as const
export type Language = (typeof LANGUAGES)[number]

export type Party = {
  readonly name: string
  readonly street: string
  readonly postcode: string
  readonly city: string
  readonly country: string
  readonly taxId: string | null
  /** A second tax number, without the country. */
  readonly taxNumber: string | null
}

export type PayeeAccount = {
  readonly iban: string | null
  /** Account number without an IBAN, and the code of its bank or branch. */
  readonly number: string | null
  readonly branch: string | null
  readonly bic: string | null
  readonly holder: string | null
  readonly bankName: string | null
}

/** Amounts are in minor units, quantities whole, rates in percent. */
export type Line = { readonly text: string; readonly quantity: number; readonly price: bigint; readonly rate: number }

export type BillModel = {
  readonly language: Language
  readonly currency: string
  /** UNTDID 1001: 380 invoice, 381 credit note, 384 corrected invoice, 326, 386, 389, 325. */
  readonly typeCode: string
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string | null
  /** Payment term in days, in words only. */
  readonly termDays: number | null
  readonly deliveryDate: string | null
  readonly seller: Party
  readonly buyer: Party
  /** The payee, if it is not the seller. */
  readonly payeeName: string | null
  readonly lines: readonly Line[]
  /** Allowance on the whole bill, at the rate of the first line. */
  readonly allowance: bigint
  readonly charge: bigint
  readonly prepaid: bigint
  readonly rounding: bigint
  /** UNTDID 4461: 58 or 30 transfer, 59 or 49 direct debit, 48 card. */
  readonly meansCode: string
  readonly reference: string | null
  readonly accounts: readonly PayeeAccount[]
  /** The payer's account: of a direct debit, or as a distraction. */
  readonly payerIban: string | null
}

export type Totals = {
  readonly lineTotal: bigint
  readonly net: bigint
  readonly taxes: readonly { readonly rate: number; readonly base: bigint; readonly tax: bigint }[]
  readonly tax: bigint
  readonly gross: bigint
  readonly payable: bigint
}

export const netOf = ({ quantity, price }: Line): bigint => BigInt(quantity) * price

/** Totals; tax is rounded half up once for each rate. */
export function totalsOf(bill: BillModel): Totals {
  const sum = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
  const [first] = bill.lines
  const lineTotal = sum(bill.lines.map(netOf))
  const taxes = [...new Set(bill.lines.map(({ rate }) => rate))].map((rate) => {
    const ofDocument = rate === first?.rate ? bill.charge - bill.allowance : 0n
    const base = sum(bill.lines.filter((line) => line.rate === rate).map(netOf)) + ofDocument
    return { rate, base, tax: (base * BigInt(Math.round(rate * 10)) + 500n) / 1000n }
  })
  const net = lineTotal - bill.allowance + bill.charge
  const tax = sum(taxes.map((one) => one.tax))
  const gross = net + tax
  return { lineTotal, net, taxes, tax, gross, payable: gross - bill.prepaid + bill.rounding }
}

export function amountText(minor: bigint, currency: string): string {
  const scale = digitsOf(currency) ?? 2
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  return `${minor < 0n ? '-' : ''}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ''}`
}

/** The truth of a file, in the form of the corpus: see README.md. */
export type Truth = {
  /** Fields of the bill; null if absent from the file or in doubt there. Null as a whole if refused. */
  readonly fields: Readonly<Record<BillField, string | null>> | null
  readonly not_payable: NotPayable | null
  /** Reason of a refusal; null if it is read. */
  readonly refused: UnreadableCode | null
  /** Kind for reports, such as `ubl`, `scan` or `hostile`, with the language of the words. */
  readonly kind: string
  readonly language: Language
}

const isDebited = ({ meansCode }: BillModel): boolean => ['48', '49', '54', '55', '59'].includes(meansCode)

/** The fields of a file that holds its whole bill. */
export function fieldsOf(bill: BillModel): Record<BillField, string | null> {
  const isCredit = isMoneyWeGet(bill)
  const amount = amountText(totalsOf(bill).payable, bill.currency)
  const tax = amountText(totalsOf(bill).tax, bill.currency)
  const account = isDebited(bill) ? undefined : bill.accounts[0]
  // every field is a key
  const empty = Object.fromEntries(BILL_FIELDS.map((field) => [field, null])) as Record<BillField, string | null>
  return {
    ...empty,
    amount: isCredit ? `-${amount}` : amount,
    currency: bill.currency,
    tax_total: isCredit && totalsOf(bill).tax !== 0n ? `-${tax}` : tax,
    bill_number: bill.number,
    supplier_name: bill.seller.name,
    supplier_tax_id: bill.seller.taxId ?? bill.seller.taxNumber,
    payment_reference: bill.reference,
    issue_date: bill.issueDate,
    due_date: dueDateOf(bill),
    ...(bill.payeeName === null && addressOf(bill.seller)),
    ...(account && bankDetailsOf(account, bill)),
  }
}

export const addressOf = ({ street, postcode, city, country }: Party): Partial<Record<BillField, string>> => ({
  address_street: street,
  address_postal_code: postcode,
  address_town: city,
  address_country: country,
})

function dueDateOf({ dueDate, termDays, issueDate }: BillModel): string | null {
  if (dueDate !== null || termDays === null) return dueDate
  return new Date(Date.parse(`${issueDate}T00:00:00Z`) + termDays * 86_400_000).toISOString().slice(0, 10)
}

function bankDetailsOf(account: PayeeAccount, bill: BillModel): Partial<Record<BillField, string | null>> {
  return {
    iban: account.iban,
    account_number: account.number,
    ...(account.branch !== null && { [bill.currency === 'GBP' ? 'sort_code' : 'aba_code']: account.branch }),
    swift_code: account.bic,
    bank_name: account.bankName,
    account_holder_name: account.holder ?? bill.payeeName,
    bank_country_alpha2: account.iban?.slice(0, 2) ?? (bill.currency === 'GBP' ? 'GB' : 'US'),
  }
}

/** Credit notes, and bills that their buyer issued. */
const isMoneyWeGet = ({ typeCode }: BillModel): boolean => typeCode === '381' || typeCode === '389'

export function notPayableOf(bill: BillModel): NotPayable | null {
  if (isMoneyWeGet(bill)) return 'credit_note'
  if (bill.typeCode === '325') return 'pro_forma'
  if (bill.meansCode === '49' || bill.meansCode === '59') return 'direct_debit'
  if (isDebited(bill)) return 'card'
  const { gross, payable } = totalsOf(bill)
  return payable === 0n && gross !== 0n ? 'paid' : null
}
