/** Destinations of contacts: a service ID, a bank account or a wallet. Coordinates never change. */
import * as v from 'valibot'
import { CallBack } from '../account-changes/change.ts'
import { BANK_COORDINATES, BankCurrency, needsOf } from './bank-requirements.ts'
import { CountryCode, Handle } from '../organizations/organization.ts'
import { AddressRequirements, NewPayeeAddress, PayeeAddress } from './payee-address.ts'
import { PageQuery, currencyFilter } from '../pagination.ts'
import { PayeeCheck } from '../payee-checks/payee-check.ts'
import { ExternalEntries, ExternalFilters, NewExternalEntries } from '../external.ts'
import { SVC_ID_CURRENCY } from '../money/currencies.ts'
import type { Rail } from '../rails.ts'
import { model, line, maybe, nullableText, quoteName, timestamp, uuid, describe } from '../text.ts'

export const DESTINATION_TYPES = ['svc_id', 'bank', 'crypto'] as const
export type DestinationType = (typeof DESTINATION_TYPES)[number]
export const MAX_DESTINATIONS = 20

type BankCoordinate = (typeof BANK_COORDINATES)[number]

const coordinates = <Schema>(schema: Schema): Record<BankCoordinate, Schema> =>
  // Every coordinate is a key, so the record is whole.
  Object.fromEntries(BANK_COORDINATES.map((name) => [name, schema])) as Record<BankCoordinate, Schema>

const label = v.optional(v.nullable(line(1, 255)))
const ofDestination = { label, default: v.optional(v.boolean(), false), ...NewExternalEntries }
const NETWORKS = ['ethereum', 'bitcoin', 'tron', 'solana'] as const
const COINS = ['USDC', 'USDT', 'BTC', 'ETH'] as const

export const NewDestination = v.pipe(
  v.variant('type', [
    model('NewSvcIdDestination', { type: v.literal('svc_id'), ...ofDestination, svc_id: Handle }),
    model('NewBankDestination', {
      type: v.literal('bank'),
      ...ofDestination,
      country_code: CountryCode,
      currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be three capital letters')),
      account_holder_name: line(1, 255),
      ...coordinates(v.optional(v.nullable(line(1, 64)))),
      payee_address: describe(
        maybe(NewPayeeAddress),
        'Address of the payee for this account, instead of that of the contact.',
      ),
    }),
    model('NewCryptoDestination', {
      type: v.literal('crypto'),
      ...ofDestination,
      network: v.picklist(NETWORKS),
      coin: v.picklist(COINS),
      address: describe(line(1, 255), 'Address on the network.'),
      memo: v.optional(v.nullable(line(1, 255))),
    }),
  ]),
  v.title('NewPaymentDestination'),
)
export type NewDestination = v.InferOutput<typeof NewDestination>

const checks = { check_payee: v.optional(v.boolean(), false) }
/** Body of POST /payment-destinations/validate: a destination, and if the bank is asked about its holder. */
export const DestinationToValidate = v.pipe(
  v.variant('type', [
    model('SvcIdDestinationToValidate', { ...NewDestination.options[0].entries, ...checks }),
    model('BankDestinationToValidate', { ...NewDestination.options[1].entries, ...checks }),
    model('CryptoDestinationToValidate', { ...NewDestination.options[2].entries, ...checks }),
  ]),
  v.title('PaymentDestinationToValidate'),
)

/** The sealed data of a destination outside the service; null if not given. */
export type Coordinates = Readonly<Record<string, string | null>>

const IMMUTABLE = [...new Set(NewDestination.options.flatMap(({ entries }) => Object.keys(entries)))].filter(
  (name) => !Object.hasOwn(ofDestination, name),
)

/** Body of PATCH /payment-destinations/{id}. A coordinate in it, whatever its value, is refused: code `immutable`. */
export const DestinationChange = v.pipe(
  v.looseObject({ label, default: v.optional(v.boolean()), ...NewExternalEntries }),
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
  v.title('PaymentDestinationChange'),
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
  call_back: v.nullable(CallBack),
  ...ExternalEntries,
}

/**
 * A destination as it is answered; `becomes_default` marks the default after the approval. `iban`, `account_number`,
 * `address` and `memo` are masked in lists. `duplicate_of` names the same accounts of other contacts; null in lists.
 */
export const Destination = v.pipe(
  v.variant('type', [
    model('SvcIdDestination', { type: v.literal('svc_id'), ...ofAnswer, svc_id: v.string() }),
    model('BankDestination', {
      type: v.literal('bank'),
      ...ofAnswer,
      country_code: v.string(),
      currency: v.string(),
      account_holder_name: v.string(),
      ...coordinates(nullableText),
      payee_address: describe(
        v.nullable(PayeeAddress),
        'Address of the payee for this account, instead of that of the contact; null: none.',
      ),
    }),
    model('CryptoDestination', {
      type: v.literal('crypto'),
      ...ofAnswer,
      network: v.string(),
      coin: v.string(),
      address: describe(v.string(), 'Address on the network; masked in lists.'),
      memo: nullableText,
    }),
  ]),
  v.title('PaymentDestination'),
)
export type Destination = v.InferOutput<typeof Destination>

export const DestinationFilters = v.object({
  ...PageQuery,
  type: v.optional(v.picklist(DESTINATION_TYPES)),
  currency: v.optional(currencyFilter),
  ...ExternalFilters,
})
export type DestinationFilters = v.InferOutput<typeof DestinationFilters>

/** Answer of POST /payment-destinations/validate; `valid` if nothing is `invalid`, a `warning` is for people. */
export const DestinationChecks = model('PaymentDestinationChecks', {
  valid: describe(v.boolean(), 'True if every check passed.'),
  checks: describe(
    v.array(
      model('PaymentDestinationCheck', {
        field: describe(v.string(), 'Field that was checked.'),
        status: v.picklist(['ok', 'warning', 'invalid']),
        code: v.string(),
      }),
    ),
    'Checks of the details.',
  ),
  payee_address: describe(
    v.nullable(PayeeAddress),
    'The given address as it would be stored and sent; null: none was given.',
  ),
  payee_check: v.nullable(PayeeCheck),
})

export const RequirementsQuery = v.object({ country_code: CountryCode, currency: BankCurrency })

export const Requirements = model('BankRequirements', {
  country_code: v.string(),
  currency: v.string(),
  schema: describe(v.record(v.string(), v.unknown()), 'JSON Schema of the fields that the country and currency need.'),
  payee_address: describe(AddressRequirements, 'What the rail asks for of the address of the payee.'),
})

/** Selects the coordinates of a destination; null for a service ID. */
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

export function currencyOf(destination: NewDestination): string {
  if (destination.type === 'svc_id') return SVC_ID_CURRENCY
  return destination.type === 'bank' ? destination.currency : destination.coin
}

const MASKED: ReadonlySet<string> = new Set(['iban', 'account_number', 'address', 'memo'])
const SHOWN = 4

/** Masks all but the last four characters of an account number; of a short one, all but the last half. */
export const mask = (value: string): string => {
  const characters = Array.from(value)
  return `…${characters.slice(characters.length - Math.min(SHOWN, characters.length >> 1)).join('')}`
}

/** Masks the coordinates that a payment could be sent by. */
export const maskCoordinates = (given: Coordinates): Coordinates =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value !== null && MASKED.has(name) ? mask(value) : value]),
  )

/** Masks what names the account to approvers: account number, IBAN or address. */
export function accountOf(given: Coordinates): string | null {
  const [, value] = accountIn(given)
  return value ? mask(value) : null
}

/** Selects what names an account: the number if country and currency need it, else the IBAN; or the address. */
function accountIn(given: Coordinates): [kind: string, value: string | null | undefined] {
  const { country_code: country, currency, iban, account_number: number, address } = given
  if (address) return ['address', address]
  const byNumber = needsOf(country ?? '', currency ?? '')?.needs.includes('account_number')
  return iban && !(byNumber && number) ? ['IBAN', iban] : ['account', number]
}

/**
 * Describes the payee: the holder and the end of the account, or the service ID. `knownAs` is the holder under which a
 * contact has the account, if a file or a bill names another.
 */
export function payeeInWords(svcId: string | null, given: Coordinates | null, knownAs: string | null = null): string {
  if (!given) return `service ID ${svcId ?? '…'}`
  const { account_holder_name: holder, network, coin, memo } = given
  const account = `${accountIn(given)[0]} ${accountOf(given) ?? '…'}`
  if (holder) return `${quoteName(holder)}, ${account}${knownAs === null ? '' : `, known as ${quoteName(knownAs)}`}`
  return `${coin} on ${network}, ${account}${memo ? `, memo ${mask(memo)}` : ''}`
}

/** Selects the coordinates that a partner pays by. */
export function payable(given: Coordinates): Coordinates {
  const { country_code: country, currency } = given
  const wanted = needsOf(country ?? '', currency ?? '')
  const named = new Set<string>(['country_code', 'currency', ...(wanted ? [...wanted.needs, ...wanted.takes] : [])])
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null && (!wanted || named.has(name))),
  )
}

export const RAIL_TO: Readonly<Record<DestinationType, Rail>> = { bank: 'fiat', crypto: 'crypto', svc_id: 'svc_id' }
