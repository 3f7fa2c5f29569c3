/** Swiss QR bill (SIX implementation guidelines 2.3): its references, and the text of its code. */
import type { PostalAddress } from '../party.ts'
import { transliterate } from '../transliterate.ts'
import type { InvoiceDocument } from './document.ts'

const [NAME_MAX, STREET_MAX, CODE_MAX, CITY_MAX, MESSAGE_MAX] = [70, 70, 16, 35, 140]
/** Most cents: 999,999,999.99. */
const CENTS_MAX = 99_999_999_999n
/** Letters of a code: Latin with its accents, and the sign of the euro. */
const WRITABLE = /^[ -~\u00a0-\u017f\u0218-\u021b\u20ac]*$/

/** Replaces signs that a code lacks, such as ’ – “, as the Swiss Payment Standards ask; letters stay as they are. */
const writableSigns = (text: string): string =>
  Array.from(text.normalize('NFC'), (sign) =>
    WRITABLE.test(sign) || /[\p{L}\p{N}\p{M}]/u.test(sign) ? sign : transliterate(sign),
  ).join('')

/** Party of a Swiss QR bill, whose address is structured. */
export type SwissParty = {
  readonly name: string
  readonly street: string
  readonly building: string
  readonly postalCode: string
  readonly city: string
  readonly country: string
}

export type SwissBill = {
  readonly iban: string
  readonly creditor: SwissParty
  readonly debtor: SwissParty | null
  readonly amount: string
  readonly currency: string
  readonly reference: Reference
  readonly message: string
}

type Reference = { readonly type: 'QRR' | 'SCOR' | 'NON'; readonly value: string }

/**
 * Fills in a Swiss QR bill; null unless 0.01 to 999,999,999.99 CHF or EUR are owed to an account in Switzerland or
 * Liechtenstein, by a seller with a postal address. A debtor that the code cannot write is left blank.
 */
export function swissBillOf(document: InvoiceDocument): SwissBill | null {
  const { currency, total: amount, number, account, seller, buyer, corrects } = document
  if (corrects || !account || !isOwedInSwitzerland(document)) return null
  const iban = bareIban(account.iban)
  const message = writableSigns(number)
  const creditor = partyOf(account.holder, seller.postal_address)
  const reference = referenceOf(number, iban)
  if (!creditor || !reference || !WRITABLE.test(message)) return null
  const debtor = partyOf(buyer.name, buyer.postal_address)
  return { iban, creditor, debtor, amount, currency, reference, message: message.slice(0, MESSAGE_MAX) }
}

const bareIban = (iban: string | null): string => iban?.replaceAll(/\s/g, '').toUpperCase() ?? ''

type Claim = Pick<InvoiceDocument, 'currency' | 'total'> & {
  readonly account: Pick<NonNullable<InvoiceDocument['account']>, 'iban' | 'holder'> | null
  readonly seller: Pick<InvoiceDocument['seller'], 'postal_address'>
}

/** Tells if a sum that a code holds is owed to an account in Switzerland or Liechtenstein. */
function isOwedInSwitzerland({ currency, total, account }: Claim): boolean {
  const cents = BigInt(total.replace('.', ''))
  const isSwiss = /^(CH|LI)[0-9]{7}[0-9A-Z]{12}$/.test(bareIban(account?.iban ?? null))
  return isSwiss && (currency === 'CHF' || currency === 'EUR') && cents > 0n && cents <= CENTS_MAX
}

/** Fields of the seller that keep a Swiss QR bill from its invoices. */
export const SWISS_FAULTS = ['swiss_account_holder', 'swiss_postal_address'] as const
type SwissFault = (typeof SWISS_FAULTS)[number]

/** Lists the fields that keep a code from a sum that is owed to a Swiss account. They are missing, or unwritable. */
export function swissFaultsOf(owed: Claim): SwissFault[] {
  const { account, seller } = owed
  if (!account || !isOwedInSwitzerland(owed)) return []
  const address = partyOf('-', seller.postal_address)
  return [
    ...(WRITABLE.test(writableSigns(account.holder)) ? [] : (['swiss_account_holder'] as const)),
    ...(address ? [] : (['swiss_postal_address'] as const)),
  ]
}

function partyOf(name: string, address: PostalAddress | null): SwissParty | null {
  if (!address) return null
  const [, street = address.line1, building = ''] = /^(.*\S)\s+([0-9]\S{0,15})$/.exec(address.line1) ?? []
  const cut = (text: string, max: number) =>
    Array.from(writableSigns(text.replaceAll(/\s+/g, ' ').trim()))
      .slice(0, max)
      .join('')
  const party = {
    name: cut(name, NAME_MAX),
    street: cut(street, STREET_MAX),
    building: writableSigns(building),
    postalCode: cut(address.postal_code, CODE_MAX),
    city: cut(address.city, CITY_MAX),
    country: address.country_code,
  }
  const isWhole =
    Object.values(party).every((text) => WRITABLE.test(text)) && party.name && party.postalCode && party.city
  return isWhole ? party : null
}

/** Institutions of accounts that take QR references alone. */
const [QR_FIRST, QR_LAST] = [30_000, 31_999]

function referenceOf(number: string, iban: string): Reference | null {
  const institution = Number(iban.slice(4, 9))
  if (institution >= QR_FIRST && institution <= QR_LAST) {
    const value = qrReferenceOf(number)
    return value === null ? null : { type: 'QRR', value }
  }
  const value = creditorReferenceOf(number)
  return value === null ? { type: 'NON', value: '' } : { type: 'SCOR', value }
}

const CREDITOR_MAX = 21

/** Makes the creditor reference of an invoice number (ISO 11649); null if it is too long. */
export function creditorReferenceOf(number: string): string | null {
  const text = number.toUpperCase().replaceAll(/[^0-9A-Z]/g, '')
  if (text === '' || text.length > CREDITOR_MAX) return null
  const digits = Array.from(`${text}RF00`, (sign) => parseInt(sign, 36)).join('')
  const check = 98n - (BigInt(digits) % 97n)
  return `RF${String(check).padStart(2, '0')}${text}`
}

const QR_DIGITS = 26
/** Carries of the recursive check digit, modulo 10. */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]

/** Makes the QR reference of the digits of an invoice number; null if it has none, or too many. */
export function qrReferenceOf(number: string): string | null {
  const text = number.replaceAll(/[^0-9]/g, '')
  if (text === '' || text.length > QR_DIGITS) return null
  const digits = text.padStart(QR_DIGITS, '0')
  const carry = Array.from(digits).reduce((sum, digit) => CARRIES[(sum + Number(digit)) % 10] ?? 0, 0)
  return `${digits}${(10 - carry) % 10}`
}

/** Lists the references under which payers of Swiss QR bills name an invoice. */
export const swissReferencesOf = (number: string): string[] =>
  [creditorReferenceOf(number), qrReferenceOf(number)].flatMap((one) => one ?? [])

/** Writes the text of the code, version 0200 in UTF-8. */
export function swissCodeOf(bill: SwissBill): string {
  const { iban, creditor, debtor, amount, currency, reference, message } = bill
  const party = (one: SwissParty | null) =>
    one ? ['S', one.name, one.street, one.building, one.postalCode, one.city, one.country] : Array<string>(7).fill('')
  return [
    'SPC',
    '0200',
    '1',
    iban,
    ...party(creditor),
    ...party(null), // the final creditor, which the guidelines keep for later
    amount,
    currency,
    ...party(debtor),
    reference.type,
    reference.value,
    message,
    'EPD',
  ].join('\n')
}
