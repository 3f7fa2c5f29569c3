/** Drafts of invoices: written, changed, deleted. Their totals are computed from their lines. */
import { lockContact } from '../billing-contacts/billing-contacts.ts'
import { record } from '../events.ts'
import { type Claim, takeClaim } from '../idempotency.ts'
import { requirePermissionLocked } from '../membership-lock.ts'
import type { Person } from '../../domain/actor.ts'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flows/flow.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/flows/invoice.ts'
import type { InvoiceId } from '../../domain/ids.ts'
import { invoiceEvents } from '../../domain/invoices/events.ts'
import type { InvoiceChange, NewInvoice } from '../../domain/invoices/invoice.ts'
import { referenceKeys } from '../../domain/invoices/matching.ts'
import { searchWords } from '../../domain/invoices/search.ts'
import { totalsOf } from '../../domain/invoices/totals.ts'
import { MAX_WHOLE_DIGITS } from '../../domain/money/money.ts'
import type { Permission } from '../../domain/permissions.ts'
import { type Tx, sql } from '../sql.ts'
import type { OwnOnly } from './invoices.ts'

/** What a person writes of an invoice, whole. */
type Written = {
  -readonly [Field in keyof NewInvoice]-?: Exclude<NewInvoice[Field], undefined>
}

/** Who changes an invoice: a person, with `own` only what they wrote themselves. `cause` is their request, once. */
export type Editor = { readonly person: Person; readonly own: OwnOnly; readonly cause: string }

/** An invoice that nobody else changes until the transaction ends. */
export type LockedInvoice = Written & {
  readonly id: InvoiceId
  readonly status: InvoiceState
  readonly number: string | null
  readonly total: string
  readonly accepted_amount: string | null
  readonly allocated: string
  readonly finalized_at: string | null
  readonly inserted_at: string
}

/**
 * Locks an invoice, for who may do this with it. Refuses `not_found`, also for what somebody else wrote if the editor
 * sees only their own, and `forbidden`.
 */
export async function lockInvoice(
  tx: Tx,
  { person, own }: Editor,
  id: InvoiceId,
  permission: Permission,
): Promise<LockedInvoice> {
  await requirePermissionLocked(tx, person, permission)
  return lockRow(tx, id, own)
}

/** The same for the service itself, which needs no permission. Refuses `not_found`. */
export async function lockRow(tx: Tx, id: InvoiceId, own?: OwnOnly): Promise<LockedInvoice> {
  const [row] = await tx<LockedInvoice[]>`
    select id, status, number, billing_contact_id, currency, issue_date, delivery_date, due_date, line_items, comments,
      internal_description, internal_reference_number, buyer_reference, profile, total, accepted_amount, allocated,
      finalized_at, inserted_at
    from invoices
    where id = ${id} and deleted_at is null ${own ? sql`and created_by = ${own}` : sql``} for no key update`
  return row ?? refuse('not_found')
}

/**
 * Writes a draft; false if another request has the claim. Refuses `not_found` for an unknown or deleted contact,
 * `amount_too_large` and `invoice_total_negative`.
 */
export async function createInvoice(tx: Tx, person: Person, claim: Claim, wanted: NewInvoice): Promise<boolean> {
  await requirePermissionLocked(tx, person, 'billing_invoices.create')
  if (claim.keyed && !(await takeClaim(tx, claim))) return false
  const issued = wanted.issue_date ?? (await today(tx))
  const written = { ...EMPTY, ...given(wanted), issue_date: issued } as Written // the body has the rest
  const columns = await columnsOf(tx, written)
  await tx`
    insert into invoices ${sql({
      id: claim.id,
      organization_id: tx.organizationId,
      status: 'draft',
      created_by: person.userId,
      ...columns,
    })}`
  await record(tx, invoiceEvents.created, {
    subjectId: claim.id,
    cause: `request:${claim.id}`,
    payload: loggedOf(written, columns),
  })
  return true
}

/**
 * Changes a draft: what is absent stays. Refuses `not_found`, `invalid_state` for what is no draft, and what
 * createInvoice() refuses.
 */
export async function changeInvoice(tx: Tx, editor: Editor, id: InvoiceId, change: InvoiceChange): Promise<void> {
  const before = await lockDraft(tx, editor, id, 'billing_invoices.update')
  const changed = given(change)
  const written = { ...before, ...changed } as Written // nothing that is given is undefined
  const columns = await columnsOf(tx, written)
  await tx`update invoices set ${sql({ ...columns })}, updated_at = business_now() where id = ${id}`
  await record(tx, invoiceEvents.updated, {
    subjectId: id,
    cause: editor.cause,
    payload: { changed: Object.keys(changed), ...loggedOf(written, columns) },
  })
}

/** Deletes a draft. Refuses `not_found`, and `invalid_state` for what is no draft. */
export async function deleteInvoice(tx: Tx, editor: Editor, id: InvoiceId): Promise<void> {
  await lockDraft(tx, editor, id, 'billing_invoices.delete')
  await tx`update invoices set deleted_at = business_now(), updated_at = business_now() where id = ${id}`
  await record(tx, invoiceEvents.deleted, { subjectId: id, cause: `deletion:${id}` })
}

/** Locks a draft. Refuses what lockInvoice() refuses, and `invalid_state`. */
export async function lockDraft(tx: Tx, editor: Editor, id: InvoiceId, permission: Permission): Promise<LockedInvoice> {
  const locked = await lockInvoice(tx, editor, id, permission)
  requireState(locked, 'draft')
  return locked
}

/** Refuses `invalid_state` unless the invoice is in one of these states. */
export function requireState({ status }: LockedInvoice, ...states: readonly InvoiceState[]): void {
  if (states.includes(status)) return
  refuse('invalid_state', { current: status, allowed: eventsFrom(invoiceFlow, status) })
}

async function today(tx: Tx): Promise<string> {
  const [now] = await tx<{ today: string }[]>`select business_now()::date as today`
  if (!now) throw new Error('it is always some day')
  return now.today
}

const EMPTY = {
  comments: null,
  internal_description: null,
  internal_reference_number: null,
  buyer_reference: null,
  delivery_date: null,
}

const given = <Body extends object>(body: Body): Partial<Body> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<Body> // a part of it

/** What is kept of what was written, with what follows from it. */
async function columnsOf(tx: Tx, written: Written) {
  const { line_items: items, currency, issue_date: issued, due_date: due } = written
  if (due < issued) {
    const message = 'is before the issue date'
    refuse('invalid_request', { errors: [{ path: 'due_date', code: 'due_before_issued', message }] })
  }
  if (items.some(({ price }) => isTooLarge(price))) refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
  const { lines, taxes, net, tax, total } = totalsOf(items, currency)
  if (total.startsWith('-')) refuse('invoice_total_negative', { total })
  const amounts = [...lines, net, tax, total]
  if (amounts.some(isTooLarge)) refuse('amount_too_large', { max_whole_digits: MAX_WHOLE_DIGITS })
  await lockContact(tx, written.billing_contact_id)
  const { comments, internal_description, internal_reference_number, buyer_reference, delivery_date, profile } = written
  const texts = [comments, internal_description, internal_reference_number, buyer_reference, total, currency]
  return {
    billing_contact_id: written.billing_contact_id,
    currency,
    issue_date: issued,
    delivery_date,
    due_date: due,
    profile,
    comments,
    internal_description,
    internal_reference_number,
    buyer_reference,
    line_items: sql.json(items.map((item, index) => ({ ...item, total: lines[index] ?? '' }))),
    taxes: sql.json(taxes),
    net_total: net,
    tax_total: tax,
    total,
    reference_keys: referenceKeys([internal_reference_number, buyer_reference]),
    own_words: vectorOf(searchWords([...texts, ...items.map(({ description }) => description)])),
  }
}

const isTooLarge = (amount: string): boolean => amount.replace('-', '').split('.')[0]!.length > MAX_WHOLE_DIGITS

/** A tsvector of words that are letters and digits. */
const vectorOf = (words: readonly string[]): string => words.join(' ')

/** What the log says of an invoice: nothing that its customer said of themselves, since it is kept for ever. */
const loggedOf = ({ billing_contact_id, currency, due_date }: Written, { total }: { readonly total: string }) => ({
  billing_contact_id,
  currency,
  due_date,
  total,
})
