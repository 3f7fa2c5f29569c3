/** Payments in QR codes: Swiss QR bills (IG QR-bill 2.3, Swico S1) and EPC069-12. They are exact. */
import { daysAfter, isOnCalendar } from '../../domain/instants.ts'
import { ADDRESS_FIELDS, type BillField } from '../../domain/bills/fields.ts'
import { type Doubt, type ReadField, type Reading, valueOf } from '../../domain/bills/reader.ts'
import { hasReferenceCheckDigits } from './references.ts'
import { doubt, verifyFields } from './verified.ts'

export type Code = {
  readonly bytes: Uint8Array
  readonly page: number
  readonly box: readonly [x: number, y: number, width: number, height: number]
}

type Values = Partial<Record<BillField, string>>
type Payment = { readonly method: 'swiss-qr' | 'epc-qr'; readonly values: Values }

/** Fields that a page may know better: the code names the payee, who may be another. */
const OF_PAGE: readonly BillField[] = ['supplier_name', 'supplier_tax_id']
/** Fields that are compared here, since they tell no bills apart. */
const COMPARED: readonly BillField[] = ['payment_reference', 'issue_date', 'due_date']

/**
 * Reads the payment codes of a file; undefined without any. A field that differs between codes is in doubt. Supplier
 * and tax id are the codes' only if no other reading names them; for reference and dates the codes win, with a doubt.
 */
export function codesRead(codes: readonly Code[], others: readonly Reading[]): Reading | undefined {
  const found: ReadField[] = []
  const malformed: Doubt[] = []
  let method: Payment['method'] | undefined
  for (const { bytes, page, box } of codes) {
    const payment = paymentOf(bytes)
    if (!payment) continue
    method ??= payment.method
    if (payment.values === null) malformed.push(doubt('malformed', ['iban', 'amount', 'payment_reference']))
    for (const [field, value] of Object.entries(payment.values ?? {})) {
      if (OF_PAGE.includes(field as BillField) && others.some((one) => valueOf(one, field as BillField))) continue
      found.push({ field: field as BillField, value, page, box, text: value, confidence: 1 })
    }
  }
  if (!method) return undefined
  const { fields, doubts } = verifyFields(found)
  const reading = { method, fields, doubts: [...malformed, ...doubts], notPayable: null }
  const contradicted = COMPARED.filter((field) => {
    const own = bare(valueOf(reading, field))
    return own !== '' && others.some((one) => ![own, ''].includes(bare(valueOf(one, field))))
  })
  return contradicted.length === 0
    ? reading
    : { ...reading, doubts: [...reading.doubts, doubt('contradicted', contradicted)] }
}

const bare = (text: string | undefined): string => (text ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase()

/** Reads a payment code; values are null if it breaks its rules, the result undefined for other codes. */
function paymentOf(bytes: Uint8Array): Payment | { method: Payment['method']; values: null } | undefined {
  const begins = Buffer.from(bytes.subarray(0, 3)).toString('latin1')
  if (begins === 'SPC') return { method: 'swiss-qr', values: swissOf(linesOf(bytes, 'utf-8')) }
  if (begins === 'BCD') return { method: 'epc-qr', values: epcOf(bytes) }
  return undefined
}

function linesOf(bytes: Uint8Array, charset: string): string[] {
  return new TextDecoder(charset).decode(bytes).split(/\r\n|\n|\r/)
}

const AT = {
  version: 1,
  coding: 2,
  iban: 3,
  addressType: 4,
  name: 5,
  street: 6,
  amount: 18,
  currency: 19,
  type: 27,
  reference: 28,
  end: 30,
  info: 31,
}
const QR_IBAN = /^(?:CH|LI)\d\d3[01]\d{3}/

function swissOf(lines: readonly string[]): Values | null {
  const line = (at: number) => lines[at]?.trim() ?? ''
  const [iban, reference] = [line(AT.iban).replaceAll(' ', ''), line(AT.reference).replaceAll(' ', '')]
  const isKnown = /^02\d\d$/.test(line(AT.version)) && line(AT.coding) === '1' && line(AT.end) === 'EPD'
  const isRight =
    /^(?:CH|LI)[0-9A-Z]{19}$/.test(iban) &&
    /^(?:CHF|EUR)$/.test(line(AT.currency)) &&
    isReference(line(AT.type), reference, QR_IBAN.test(iban))
  if (!isKnown || !isRight) return null
  return present({
    iban,
    account_holder_name: line(AT.name),
    supplier_name: line(AT.name),
    amount: line(AT.amount),
    currency: line(AT.currency),
    payment_reference: reference,
    ...swissAddressOf(lines),
    ...swicoOf(line(AT.info)),
  })
}

/** Reads the address of the creditor, if it is structured: street, number, postal code, town, country. */
function swissAddressOf(lines: readonly string[]): Values {
  if (lines[AT.addressType]?.trim() !== 'S') return {}
  const [street = '', number = '', postalCode = '', town = '', country = ''] = lines
    .slice(AT.street, AT.street + ADDRESS_FIELDS.length)
    .map((line) => line.trim())
  return {
    address_street: street,
    address_building_number: number,
    address_postal_code: postalCode,
    address_town: town,
    address_country: country,
  }
}

/** Checks the kind of reference. A QR-IBAN has a QR reference, another IBAN a creditor one (ISO 11649) or none. */
function isReference(type: string, reference: string, isQrIban: boolean): boolean {
  switch (type) {
    case 'QRR':
      return isQrIban && /^\d{27}$/.test(reference) && hasReferenceCheckDigits(reference, 'CH') === true
    case 'SCOR':
      return !isQrIban && reference.startsWith('RF') && hasReferenceCheckDigits(reference, 'CH') === true
    default:
      return type === 'NON' && !isQrIban && reference === ''
  }
}

/** Reads Swico's bill information: number, date, tax id, and days without a discount. */
function swicoOf(info: string): Values {
  if (!info.startsWith('//S1/')) return {}
  const parts = info.slice(4).split(/(?<!\\)\/(\d\d)(?<!\\)\//)
  const tags = new Map<string, string>()
  for (let at = 1; at + 1 < parts.length; at += 2) {
    tags.set(parts[at] ?? '', (parts[at + 1] ?? '').replaceAll(/\\([/\\])/g, '$1'))
  }
  const issued = tags.get('11')?.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3') ?? ''
  const [, days] = /(?:^|;)0:(\d{1,3})(?:;|$)/.exec(tags.get('40') ?? '') ?? []
  const isDay = issued.length === 10 && isOnCalendar(issued)
  return present({
    bill_number: tags.get('10') ?? '',
    issue_date: isDay ? issued : '',
    due_date: isDay && days ? daysAfter(issued, Number(days)) : '',
    supplier_tax_id: /^\d{9}$/.test(tags.get('30') ?? '') ? `CHE${tags.get('30')}` : '',
  })
}

const CHARSETS = [
  'utf-8',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-10',
  'iso-8859-15',
]

function epcOf(bytes: Uint8Array): Values | null {
  const charset = CHARSETS[Number(linesOf(bytes, 'iso-8859-1')[2]) - 1]
  if (!charset) return null
  const [, version, , kind, bic = '', name = '', iban = '', money = '', , structured = '', text = ''] = linesOf(
    bytes,
    charset,
  ).map((line) => line.trim())
  const [, amount = ''] = /^EUR(\d{1,9}(?:\.\d{1,2})?)$/.exec(money) ?? []
  const isKnown = /^00[12]$/.test(version ?? '') && /^(?:SCT|INST)$/.test(kind ?? '')
  const isRight = structured === '' || hasReferenceCheckDigits(structured, undefined) !== false
  if (!isKnown || !isRight || iban === '' || (money !== '' && amount === '') || (structured && text)) return null
  return present({
    iban: iban.replaceAll(' ', ''),
    swift_code: bic,
    account_holder_name: name,
    supplier_name: name,
    amount,
    currency: 'EUR',
    payment_reference: structured || text,
  })
}

const present = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
