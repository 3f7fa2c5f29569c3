/** External ids and metadata: what programs of an organization keep with a thing, in one form for every noun. */
import * as v from 'valibot'
import { refuse } from './errors.ts'
import type { Permission } from './permissions.ts'
import { line, maybe, nullableText, text } from './text.ts'

const EXTERNAL_ID_MAX = 128
const KEYS_MAX = 20
const KEY_MAX = 40
const VALUE_MAX = 500
/** Most keys of a body: as many new ones as removed ones. */
const CHANGES_MAX = 2 * KEYS_MAX

const externalId = line(1, EXTERNAL_ID_MAX)
const key = line(1, KEY_MAX)
const value = text(0, VALUE_MAX)

/** Keys that reach a prototype in programs that read metadata into an object. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export type Metadata = Readonly<Record<string, string>>
type MetadataChange = Readonly<Record<string, string | null>>

const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

const isKey = (name: string): boolean => !RESERVED.has(name) && v.is(key, name)

/** Finds the first fault of metadata in a body, and the key whose value has it. */
function findFault(given: unknown): { readonly message: string; readonly at?: string } | undefined {
  if (!isObject(given)) return { message: 'object' }
  const entries = Object.entries(given)
  if (entries.length > CHANGES_MAX) return { message: `too_many_keys:${CHANGES_MAX}` }
  if (!entries.every(([name]) => isKey(name))) return { message: `metadata_key:${KEY_MAX}` }
  for (const [at, one] of entries) {
    const { issues } = v.safeParse(v.nullable(value), one)
    if (issues) return { message: typeof one === 'string' ? issues[0].message : 'string', at }
  }
  return undefined
}

/** Metadata in a body; null or an empty text removes a key. */
const NewMetadata = v.pipe(
  v.unknown(),
  v.metadata({
    jsonSchema: {
      type: 'object',
      maxProperties: CHANGES_MAX,
      propertyNames: { minLength: 1, maxLength: KEY_MAX },
      additionalProperties: { type: ['string', 'null'], maxLength: VALUE_MAX },
    },
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = findFault(dataset.value)
    if (!fault) return
    const { message, at } = fault
    const path = {
      type: 'object',
      origin: 'value',
      input: dataset.value as object,
      key: at ?? '',
      value: null,
    } as const
    addIssue({ message, ...(at !== undefined && { path: [path as never] }) })
  }),
  v.transform((given): MetadataChange => {
    const entries = Object.entries(given as MetadataChange) // checked above
    return Object.fromEntries(entries.map(([name, one]) => [v.parse(key, name), one && v.parse(value, one)]))
  }),
  v.title('NewMetadata'),
)

/** Members of a body: absent leaves, null clears. */
export const NewExternalEntries = { external_id: maybe(externalId), metadata: maybe(NewMetadata) }
export type ExternalChange = {
  readonly external_id?: string | null | undefined
  readonly metadata?: MetadataChange | null | undefined
}

/** Members of an answer. */
export const ExternalEntries = {
  external_id: nullableText,
  metadata: v.pipe(v.record(v.string(), v.string()), v.title('Metadata')),
}

/** Filters of a list; what they find is found by an index. */
export const ExternalFilters = {
  external_id: v.optional(externalId),
  idempotency_key: v.optional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,255}$/, 'must be printable ASCII'))),
}

/** Members that an event type of a change names. */
export const EXTERNAL_MEMBERS = ['external_id', 'metadata'] as const

/** Members of a payload: the external id, which stays in the log; metadata is never logged. */
export const ExternalInEvent = { external_id: v.optional(nullableText) }

/** Selects what the event of a creation says. */
export const externalInEvent = ({ external_id: id }: ExternalChange) => (id == null ? {} : { external_id: id })

/** Changes metadata. Refuses `invalid_request` if there are too many keys then. */
export function mergeMetadata(before: Metadata, change: ExternalChange['metadata']): Metadata {
  if (change === undefined) return before
  const merged = Object.entries({ ...before, ...change }).filter((entry): entry is [string, string] => !!entry[1])
  if (change === null) return {}
  if (merged.length <= KEYS_MAX) return Object.fromEntries(merged)
  const message = `must have at most ${KEYS_MAX} keys`
  refuse('invalid_request', { errors: [{ path: 'metadata', code: 'too_many_keys', message }] })
}

type ExternalTable = {
  /** Permission by which a caller sees all rows, not only those that they made. */
  readonly sees: Permission
  readonly noun: string
  /** Rows are deleted, which frees their external id; others keep it for ever. */
  readonly isDeletable: boolean
}

/** Tables whose rows have an external id and metadata. */
export const EXTERNAL_TABLES: Readonly<Record<string, ExternalTable>> = {
  payments: { noun: 'payment', sees: 'transactions.list_all', isDeletable: false },
  payment_contacts: { noun: 'payment_contact', sees: 'payment_contacts.list', isDeletable: true },
  payment_destinations: { noun: 'payment_destination', sees: 'payment_destinations.list', isDeletable: true },
  bills: { noun: 'bill', sees: 'bills.list', isDeletable: false },
  invoices: { noun: 'invoice', sees: 'billing_invoices.list_all', isDeletable: true },
  credit_notes: { noun: 'credit_note', sees: 'billing_invoices.list_all', isDeletable: true },
  payment_batches: { noun: 'payment_batch', sees: 'transactions.list_all', isDeletable: true },
}
