/** Books of the stand-in accounting program, for tests of what was posted. */
import * as v from 'valibot'
import { PageQuery } from '../pagination.ts'
import { model, timestamp, describe } from '../text.ts'

/** Kinds of posted items, named as the paths. */
export const SANDBOX_ITEM_TYPES = [
  'BankTransactions',
  'BankTransfers',
  'Contacts',
  'CreditNotes',
  'Invoices',
  'ManualJournals',
  'Payments',
] as const
export type SandboxItemType = (typeof SANDBOX_ITEM_TYPES)[number]

const uuid = v.pipe(v.string(), v.uuid())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A tenant: how often it was called, how often a limit refused that, and how many items of a type it has. */
export const SandboxTenant = model('SandboxTenant', {
  id: uuid,
  name: v.string(),
  base_currency: describe(v.string(), 'Currency of the books.'),
  calls: describe(count, 'Number of calls.'),
  limited_calls: describe(count, 'Number of calls that were refused by a limit.'),
  items: describe(v.record(v.string(), count), 'Number of items, by kind.'),
  created_at: timestamp,
})
export type SandboxTenant = v.InferOutput<typeof SandboxTenant>

/** One of them, in the shape in which the accounting program itself answers it. */
export const SandboxItem = model('SandboxItem', {
  id: describe(uuid, 'Id in the accounting program.'),
  type: v.picklist(SANDBOX_ITEM_TYPES),
  body: describe(v.record(v.string(), v.unknown()), 'Item as the accounting program has it.'),
  created_at: timestamp,
  updated_at: timestamp,
})
export type SandboxItem = v.InferOutput<typeof SandboxItem>

export const SandboxTenantsQuery = v.object(PageQuery)
export type SandboxTenantsQuery = v.InferOutput<typeof SandboxTenantsQuery>
export const SandboxItemsQuery = v.object({
  ...PageQuery,
  type: v.optional(v.picklist(SANDBOX_ITEM_TYPES)),
})
export type SandboxItemsQuery = v.InferOutput<typeof SandboxItemsQuery>
export const SandboxTenantParams = v.object({
  tenant_id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
})
