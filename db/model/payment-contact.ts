/** Who is paid, and where: contacts and their destinations. */
import * as v from 'valibot'
import { CONTACT_STATUSES } from './contact-flow.ts'
import { CountryCode, Handle } from './organization.ts'
import { PageQuery } from './page.ts'
import { TAGS } from './payment.ts'
import { email, nullableText, text, timestamp, uuid } from './text.ts'

const CONTACT_TYPES = ['business', 'individual'] as const
const MAX_DESTINATIONS = 20

/** Coordinates of a bank account beside country, currency and holder; which ones are needed depends on the country. */
const BANK_COORDINATES = [
  'iban',
  'swift_code',
  'account_number',
  'aba_code',
  'sort_code',
  'bsb_code',
  'ifsc_code',
  'cnaps',
  'bank_code',
  'branch_code',
  'bank_name',
] as const
type BankCoordinate = (typeof BANK_COORDINATES)[number]

const coordinates = <Schema>(schema: Schema): Record<BankCoordinate, Schema> =>
  // Every coordinate is a key, so the record is whole.
  Object.fromEntries(BANK_COORDINATES.map((name) => [name, schema])) as Record<BankCoordinate, Schema>

const ofDestination = {
  label: v.optional(v.nullable(text(1, 255))),
  default: v.optional(v.boolean(), false),
}
const NETWORKS = ['ethereum', 'bitcoin', 'tron', 'solana'] as const
const COINS = ['USDC', 'USDT', 'BTC', 'ETH'] as const

/** A destination as requests carry it. Bank and crypto are checked for their shape only. */
const NewDestination = v.variant('type', [
  v.object({ type: v.literal('svc_id'), ...ofDestination, svc_id: Handle }),
  v.object({
    type: v.literal('bank'),
    ...ofDestination,
    country_code: CountryCode,
    currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be three capital letters')),
    account_holder_name: text(1, 255),
    ...coordinates(v.optional(v.nullable(text(1, 64)))),
  }),
  v.object({
    type: v.literal('crypto'),
    ...ofDestination,
    network: v.picklist(NETWORKS),
    coin: v.picklist(COINS),
    address: text(1, 255),
    memo: v.optional(v.nullable(text(1, 255))),
  }),
])
export type NewDestination = v.InferOutput<typeof NewDestination>

/** Body of POST …/payment-contacts. At most one destination is marked as the default. */
export const NewPaymentContact = v.object({
  name: text(1, 255),
  type: v.picklist(CONTACT_TYPES),
  email: v.optional(v.nullable(email)),
  tag: v.optional(v.nullable(v.picklist(TAGS))),
  destinations: v.optional(
    v.pipe(
      v.array(NewDestination),
      v.maxLength(MAX_DESTINATIONS),
      v.check((list) => list.filter((destination) => destination.default).length <= 1, 'only one can be the default'),
    ),
    [],
  ),
})
export type NewPaymentContact = v.InferOutput<typeof NewPaymentContact>

const ofAnswer = { id: uuid, label: nullableText, default: v.boolean(), inserted_at: timestamp }

/** A destination as it is answered; `default` marks the one that is paid. */
const Destination = v.variant('type', [
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

/** A contact as every operation answers it, with its destinations, the first made first. */
export const PaymentContact = v.object({
  id: uuid,
  organization_id: uuid,
  name: v.string(),
  type: v.picklist(CONTACT_TYPES),
  email: nullableText,
  tag: v.nullable(v.picklist(TAGS)),
  status: v.picklist(CONTACT_STATUSES),
  approval_request_id: v.nullable(uuid),
  destinations: v.array(Destination),
  created_by: uuid,
  inserted_at: timestamp,
})
export type PaymentContact = v.InferOutput<typeof PaymentContact>

/** What is stored of a destination outside the service: its coordinates, null where not given. */
export function detailsOf(destination: NewDestination): Record<string, string | null> | null {
  switch (destination.type) {
    case 'svc_id':
      return null
    case 'bank': {
      const { country_code, currency, account_holder_name } = destination
      const given = BANK_COORDINATES.map((name) => [name, destination[name] ?? null])
      return { country_code, currency, account_holder_name, ...Object.fromEntries(given) }
    }
    case 'crypto': {
      const { network, coin, address, memo } = destination
      return { network, coin, address, memo: memo ?? null }
    }
  }
}

/** Filters of GET …/payment-contacts. */
export const PaymentContactFilters = v.object({
  ...PageQuery,
  q: v.optional(text(1, 255)),
  tag: v.optional(v.picklist(TAGS)),
  status: v.optional(v.picklist(CONTACT_STATUSES)),
})
export type PaymentContactFilters = v.InferOutput<typeof PaymentContactFilters>
