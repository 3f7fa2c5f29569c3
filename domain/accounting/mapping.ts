/** Mappings: the accounts of its books that an organization chooses for its postings. */
import * as v from 'valibot'
import { refuse } from '../errors.ts'
import { currencyDigits, isCoin } from '../money/currencies.ts'
import { model, line, nullableText, describe } from '../text.ts'

/** Merchant categories of card spending. */
const CARD_CATEGORIES = (
  'advertising airlines bank_fees car_rental charity education entertainment fuel government groceries hardware ' +
  'insurance legal lodging medical office_supplies other parking_and_tolls postage professional_services rent ' +
  'restaurants software taxis_and_rides telecommunications trains utilities'
).split(' ')

/** Account types: one of a bank, or the part of the books. */
export const ACCOUNT_TYPES = ['bank', 'asset', 'liability', 'equity', 'revenue', 'expense'] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** Mapping types for accounts other than a bank's. */
const POSTED_TO = {
  payments_sent: { label: 'Payments that pay no bill', account_type: 'expense' },
  bill_payments: { label: 'Payments of bills, until the bill is posted', account_type: 'asset' },
  payments_received: { label: 'Money received, from which invoices are paid', account_type: 'liability' },
  bank_fees: { label: 'Fees of payments', account_type: 'expense' },
  currency_exchange: { label: 'Exchanges of currencies, with their gains and losses', account_type: 'expense' },
  subscriptions: { label: 'Subscription of this service', account_type: 'expense' },
  bills: { label: 'Bills of suppliers', account_type: 'expense' },
  billing_invoices: { label: 'Invoices to customers', account_type: 'revenue' },
  sales_tax: { label: 'Tax of invoices to customers', account_type: 'liability' },
} as const satisfies Record<string, { label: string; account_type: AccountType }>
export type PostedTo = keyof typeof POSTED_TO

/** Mapping of the bank account with the organization's money in one currency. */
export type BankMapping = `bank_account_${Lowercase<string>}`
export const bankAccountOf = (currency: string): BankMapping =>
  `bank_account_${currency.toLowerCase() as Lowercase<string>}` // lower case by the line itself

const CURRENCIES = Object.keys(currencyDigits)
  .filter((code) => !isCoin(code))
  .sort()

/** Mapping options, the same for every organization. */
export const MAPPING_OPTIONS = {
  card_categories: CARD_CATEGORIES,
  other_mapping_types: [
    ...Object.entries(POSTED_TO).map(([type, option]) => ({ type, ...option })),
    ...CURRENCIES.map((currency) => ({
      type: bankAccountOf(currency),
      label: `Bank account for money in ${currency}`,
      account_type: 'bank',
    })),
  ],
}

export const MappingOptions = model('AccountingMappingOptions', {
  card_categories: describe(v.array(v.string()), 'Values of `source_value` for mappings of `card_category`.'),
  other_mapping_types: describe(
    v.array(
      model('AccountingMappingType', {
        type: describe(v.string(), 'Value of `mapping_type`.'),
        label: describe(v.string(), 'Name for people.'),
        account_type: v.string(),
      }),
    ),
    'Mapping types that take one mapping and no `source_value`.',
  ),
})

export const CARD_CATEGORY = 'card_category'

/** Account chosen for a `mapping_type`; `source_value` is a category of cards, and null of other types. */
export const Mapping = model('AccountingMapping', {
  mapping_type: v.string(),
  source_value: nullableText,
  account_code: v.string(),
  account_name: describe(nullableText, 'Name at the latest sync; null if the books had no such account.'),
})
export type Mapping = v.InferOutput<typeof Mapping>

const CODE_MAX = 64
const MAPPINGS_MAX = 500

/** Body of PUT …/mappings: replaces all; a type that is absent has no account any more. */
export const NewMappings = model('NewAccountingMappings', {
  mappings: describe(
    v.pipe(
      v.array(
        model('NewAccountingMapping', {
          mapping_type: line(1, CODE_MAX),
          source_value: v.optional(v.nullable(line(1, CODE_MAX)), null),
          account_code: line(1, CODE_MAX),
        }),
      ),
      v.maxLength(MAPPINGS_MAX, `too_many:${MAPPINGS_MAX}`),
    ),
    'Mappings; they replace all that there are.',
  ),
})
export type NewMapping = v.InferOutput<typeof NewMappings>['mappings'][number]

const categories = new Set<string>(CARD_CATEGORIES)
const types = new Set<string>(MAPPING_OPTIONS.other_mapping_types.map(({ type }) => type))

/** Throws `invalid_mapping` with index and field, unless all can be mapped, each once. */
export function requireMappable(mappings: readonly NewMapping[]): void {
  const seen = new Set<string>()
  for (const [index, { mapping_type: type, source_value: source }] of mappings.entries()) {
    const isCard = type === CARD_CATEGORY
    const wrong = (field: string, reason: string): never => refuse('invalid_mapping', { index, field, reason })
    if (!isCard && !types.has(type)) wrong('mapping_type', 'unknown_mapping_type')
    if (isCard && source === null) wrong('source_value', 'category_required')
    if (isCard && !categories.has(source ?? '')) wrong('source_value', 'unknown_category')
    if (!isCard && source !== null) wrong('source_value', 'takes_no_source_value')
    const key = isCard ? `${type} ${source}` : type
    if (seen.has(key)) wrong(isCard ? 'source_value' : 'mapping_type', 'mapped_twice')
    seen.add(key)
  }
}

/** Account codes by the type of mapping, without card categories. */
export type AccountCodes = ReadonlyMap<string, string>
