/** Where a contact is paid: a service ID, a bank account or a wallet. Coordinates never change. */
import * as v from 'valibot'
import { BANK_COORDINATES, needsOf } from './bank-requirements.ts'
import { CountryCode, Handle } from '../organizations/organization.ts'
import { PageQuery, currencyFilter } from '../pagination.ts'
import { SVC_ID_CURRENCY } from '../payments/payment.ts'
import { line, nullableText, quoted, timestamp, uuid } from '../text.ts'

export const DESTINATION_TYPES = ['svc_id', 'bank', 'crypto'] as const
export type DestinationType = (typeof DESTINATION_TYPES)[number]
export const MAX_DESTINATIONS = 20

type BankCoordinate = (typeof BANK_COORDINATES)[number]

const coordinates = <Schema>(schema: Schema): Record<BankCoordinate, Schema> =>
  // Every coordinate is a key, so the record is whole.
  Object.fromEntries(BANK_COORDINATES.map((name) => [name, schema])) as Record<BankCoordinate, Schema>

const label = v.optional(v.nullable(line(1, 255)))
const ofDestination = { label, default: v.optional(v.boolean(), false) }
const NETWORKS = ['ethereum', 'bitcoin', 'tron', 'solana'] as const
const COINS = ['USDC', 'USDT', 'BTC', 'ETH'] as const

/** A destination as requests carry it. */
export const NewDestination = v.variant('type', [
  v.object({ type: v.literal('svc_id'), ...ofDestination, svc_id: Handle }),
  v.object({
    type: v.literal('bank'),
    ...ofDestination,
    country_code: CountryCode,
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be three capital letters')),
    account_holder_name: line(1, 255),
    ...coordinates(v.optional(v.nullable(line(1, 64)))),
  }),
  v.object({
    type: v.literal('crypto'),
    ...ofDestination,
    network: v.picklist(NETWORKS),
    coin: v.picklist(COINS),
    address: line(1, 255),
    memo: v.optional(v.nullable(line(1, 255))),
  }),
])
export type NewDestination = v.InferOutput<typeof NewDestination>

/** What is kept, sealed, of a destination outside the service; null if not given. */
export type Coordinates = Readonly<Record<string, string | null>>

const IMMUTABLE = [
  'type',
  'svc_id',
  'country_code',
  'currency',
  'account_holder_name',
  ...BANK_COORDINATES,
  'network',
  'coin',
  'address',
  'memo',
] as const

/** Body of PATCH /payment-destinations/{id}. A coordinate in it, whatever its value, is refused: code `immutable`. */
export const DestinationChange = v.pipe(
  v.looseObject({ label, default: v.optional(v.boolean()) }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const name of IMMUTABLE.filter((key) => Object.hasOwn(dataset.value, key))) {
      const { value } = dataset
      addIssue({
        message: 'immutable',
        path: [{ type: 'object', origin: 'value', input: value, key: name, value: value[name] }],
      })
    }
  }),
)
export type DestinationChange = v.InferOutput<typeof DestinationChange>

const ofAnswer = {
  id: uuid,
  payment_contact_id: uuid,
  label: nullableText,
  default: v.boolean(),
  becomes_default: v.boolean(),
  status: v.picklist(['active', 'pending_approval']),
  approval_request_id: v.nullable(uuid),
  inserted_at: timestamp,
  duplicate_of: v.nullable(v.array(uuid)),
}

/**
 * A destination as it is answered; `default` marks the one that is paid, `becomes_default` the one that is as soon as
 * its approval is given. `iban`, `account_number`, `address` and `memo` are masked but where one destination is asked
 * for, or made. There `duplicate_of` names the destinations of other contacts that are the same account; it is null
 * where nobody looked.
 */
export const Destination = v.variant('type', [
  v.object({ type: v.literal('svc_id'), ...ofAnswer, svc_id: v.string() }),
  v.object({
    type: v.literal('bank'),
    ...ofAnswer,
    country_code: v.string(),
    currency: v.string(),
    account_holder_name: v.string(),
    ...coordinates(nullableText),
  }),
  v.object({
    type: v.literal('crypto'),
    ...ofAnswer,
    network: v.string(),
    coin: v.string(),
    address: v.string(),
    memo: nullableText,
  }),
])
export type Destination = v.InferOutput<typeof Destination>

/** Filters of GET …/destinations. */
export const DestinationFilters = v.object({
  ...PageQuery,
  type: v.optional(v.picklist(DESTINATION_TYPES)),
  currency: v.optional(currencyFilter),
})
export type DestinationFilters = v.InferOutput<typeof DestinationFilters>

/** What is kept of a destination outside the service: its coordinates, null if not given. */
export function coordinatesIn(destination: NewDestination): Coordinates | null {
  switch (destination.type) {
    case 'svc_id':
      return null
    case 'bank': {
      const { country_code, currency, account_holder_name } = destination
      const given: Record<string, string | null> = { country_code, currency, account_holder_name }
      for (const name of BANK_COORDINATES) given[name] = destination[name] ?? null
      return given
    }
    case 'crypto': {
      const { network, coin, address, memo } = destination
      return { network, coin, address, memo: memo ?? null }
    }
  }
}

/** What the destination takes: the currency of the account, the coin of the wallet. */
export function currencyOf(destination: NewDestination): string {
  if (destination.type === 'svc_id') return SVC_ID_CURRENCY
  return destination.type === 'bank' ? destination.currency : destination.coin
}

const MASKED: ReadonlySet<string> = new Set(['iban', 'account_number', 'address', 'memo'])
const SHOWN = 4

/** Of an account number the last four characters, of a short one the last half: enough to tell it from others. */
export const mask = (value: string): string => {
  const characters = Array.from(value)
  return `…${characters.slice(characters.length - Math.min(SHOWN, characters.length >> 1)).join('')}`
}

/** The coordinates without those that a payment could be sent by. */
export const masked = (given: Coordinates): Coordinates =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value !== null && MASKED.has(name) ? mask(value) : value]),
  )

/**
 * What tells the account from others to who approves it, masked: of a bank account what it is paid by, the account
 * number if country and currency need one, else the IBAN; of a wallet its address.
 */
export function accountOf(given: Coordinates): string | null {
  const [, value] = accountIn(given)
  return value ? mask(value) : null
}

/** What an account is named by, and what that is called. */
function accountIn(given: Coordinates): [kind: string, value: string | null | undefined] {
  const { country_code: country, currency, iban, account_number: number, address } = given
  if (address) return ['address', address]
  const byNumber = needsOf(country ?? '', currency ?? '')?.needs.includes('account_number')
  return iban && !(byNumber && number) ? ['IBAN', iban] : ['account', number]
}

/** Who is paid at a destination, as a summary says it: the holder and the end of the account, or the service ID. */
export function payeeInWords(svcId: string | null, given: Coordinates | null): string {
  if (!given) return `service ID ${svcId ?? '…'}`
  const { account_holder_name: holder, network, coin, memo } = given
  const account = `${accountIn(given)[0]} ${accountOf(given) ?? '…'}`
  if (holder) return `${quoted(holder)}, ${account}`
  return `${coin} on ${network}, ${account}${memo ? `, memo ${mask(memo)}` : ''}`
}

/** What a partner pays by: what names the account today, and nothing beside it. */
export function payable(given: Coordinates): Coordinates {
  const { country_code: country, currency } = given
  const wanted = needsOf(country ?? '', currency ?? '')
  const named = new Set<string>(['country_code', 'currency', ...(wanted ? [...wanted.needs, ...wanted.takes] : [])])
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && (!wanted || named.has(name))),
  )
}
