/** A plain model of invoices, the approvals that they wait for, and the money that pays them. */

import type { TestPerson } from '../api.ts'

/** Index of the member, who sees only their own invoices and allocates nothing. */
export const MEMBER = 2
/** The amount in cents from which an approval is needed. */
export const THRESHOLD = 10_000

export type Customer = { readonly id: string; names: number; isDeleted: boolean }

export type Invoice = {
  readonly id: string
  readonly by: number
  cents: number
  readonly customer: Customer
  state: 'draft' | 'awaiting_approval' | 'sent' | 'finalized' | 'paid' | 'deleted'
  number: string | null
  accepted: number | null
  /** Sum of its credit notes. */
  credited: number
  /** A person has marked it as paid elsewhere, so no money pays it; and what was due then. */
  elsewhere: boolean
  elsewhereCents: number
  settledBy: 'credit' | null
  /** The open request: its submitter, its approval, and the customer's name at that time. */
  asked: { approvalId: string; who: number; name: number } | null
  readonly log: string[]
}

export type Incoming = {
  readonly id: string
  readonly cents: number
  /** The invoice that the payer's text names. */
  readonly named: Invoice | undefined
  /** Proposed to people on arrival. */
  readonly isProposed: boolean
}
export type Allocation = {
  readonly id: string
  readonly invoice: Invoice
  readonly money: Incoming
  readonly cents: number
  stands: boolean
}

export type Model = {
  readonly people: readonly TestPerson[]
  readonly organizationId: string
  readonly customers: readonly Customer[]
  readonly invoices: Invoice[]
  readonly moneys: Incoming[]
  readonly allocations: Allocation[]
  numbers: number
}

export const text = (cents: number): string => (cents / 100).toFixed(2)

const sum = (all: readonly Allocation[]): number =>
  all.reduce((total, { cents, stands }) => total + (stands ? cents : 0), 0)

export const allocatedTo = ({ allocations }: Model, invoice: Invoice): number =>
  sum(allocations.filter((one) => one.invoice === invoice))
export const leftOf = ({ allocations }: Model, money: Incoming): number =>
  money.cents - sum(allocations.filter((one) => one.money === money))
export const dueOf = (m: Model, invoice: Invoice): number =>
  invoice.state === 'paid' ? 0 : Math.max(0, lackOf(m, invoice))

/** The open amount, also of an invoice marked as paid elsewhere. */
export const lackOf = (m: Model, invoice: Invoice): number => claimOf(invoice) - allocatedTo(m, invoice)

const asked = ({ accepted, cents }: Invoice): number => accepted ?? cents

/** A credit note takes what was not accepted first. */
const claimOf = (invoice: Invoice): number => Math.min(asked(invoice), invoice.cents - invoice.credited)

const refundOf = (m: Model, invoice: Invoice): number =>
  Math.max(0, allocatedTo(m, invoice) + invoice.elsewhereCents - claimOf(invoice))

export const isOpen = ({ state }: Invoice): boolean => state === 'sent' || state === 'finalized'

/** Whether the customer has changed since the approvers saw it. */
export const hasChanged = ({ customer, asked }: Invoice): boolean =>
  customer.isDeleted || customer.names !== asked?.name

function pay(invoice: Invoice, settledBy: 'credit' | null = null): void {
  Object.assign(invoice, { state: 'paid', settledBy })
  invoice.log.push('invoice.paid')
}

export function credit(m: Model, invoice: Invoice, cents: number): void {
  invoice.credited += cents
  invoice.log.push('invoice.credited')
  if (isOpen(invoice) && dueOf(m, invoice) === 0) pay(invoice, 'credit')
}

/** Returns what settles a paid invoice that no person has marked: its allocations, or credit. */
const settledBy = (m: Model, invoice: Invoice) => (allocatedTo(m, invoice) < asked(invoice) ? 'credit' : null)

export function send(m: Model, invoice: Invoice): void {
  m.numbers += 1
  Object.assign(invoice, { state: 'sent', number: `INV-${String(m.numbers).padStart(6, '0')}` })
  invoice.log.push('invoice.sent')
}

export function finalize(m: Model, invoice: Invoice, accepted: number): void {
  Object.assign(invoice, { state: 'finalized', accepted })
  invoice.log.push('invoice.finalized')
  if (dueOf(m, invoice) === 0) pay(invoice, settledBy(m, invoice))
}

/** Marks it as paid elsewhere, unless proposed money is a certain match by now: returns that money. */
export function payElsewhere(m: Model, invoice: Invoice): Incoming | undefined {
  const due = dueOf(m, invoice)
  const own = m.moneys.find(
    (money) => money.isProposed && money.named === invoice && money.cents === due && leftOf(m, money) === due,
  )
  if (own) return own
  pay(invoice)
  Object.assign(invoice, { elsewhere: true, elsewhereCents: due })
  return undefined
}

export function allocate(m: Model, allocation: Omit<Allocation, 'stands'>): void {
  const { invoice, cents } = allocation
  if (invoice.elsewhere) reopen(invoice)
  const isPaid = dueOf(m, invoice) === cents
  m.allocations.push({ ...allocation, stands: true })
  invoice.log.push('invoice.allocated')
  if (isPaid) pay(invoice)
}

export function takeBack(m: Model, taken: Allocation): void {
  const { invoice } = taken
  taken.stands = false
  invoice.log.push('invoice.allocation_taken_back')
  if (invoice.state !== 'paid') return
  if (lackOf(m, invoice) > 0) reopen(invoice)
  else invoice.settledBy = invoice.elsewhere ? null : settledBy(m, invoice)
}

function reopen(invoice: Invoice): void {
  invoice.state = invoice.accepted === null ? 'sent' : 'finalized'
  Object.assign(invoice, { elsewhere: false, elsewhereCents: 0, settledBy: null })
  invoice.log.push('invoice.reopened')
}

/** The result of incoming money with or without an invoice's number; undefined without a look. */
export function fate(m: Model, cents: number, named: Invoice | undefined): string | undefined {
  const open = m.invoices.filter(isOpen)
  if (open.length === 0 && !m.invoices.some(({ elsewhere }) => elsewhere)) return undefined
  if (named?.elsewhere && lackOf(m, named) === cents) return 'allocated'
  const isNamed = named !== undefined && isOpen(named)
  if (isNamed && dueOf(m, named) === cents) return 'allocated'
  return isNamed || open.some((one) => dueOf(m, one) === cents) ? 'proposed' : 'unrelated'
}

const NEXT = {
  draft: (cents: number) => [cents < THRESHOLD ? 'sent' : 'awaiting_approval'],
  awaiting_approval: () => ['draft', 'sent'],
  sent: () => ['finalized', 'paid'],
  finalized: () => ['paid'],
  paid: () => [],
  deleted: () => [],
}

export const shown = (m: Model, invoice: Invoice) => ({
  id: invoice.id,
  state: invoice.state,
  number: invoice.number,
  total: text(invoice.cents),
  accepted_amount: invoice.accepted === null ? null : text(invoice.accepted),
  allocated: text(allocatedTo(m, invoice)),
  due_amount: text(dueOf(m, invoice)),
  credited: text(invoice.credited),
  settled_by: invoice.settledBy,
  refund_due: text(refundOf(m, invoice)),
  next_valid_states: NEXT[invoice.state](invoice.cents),
  approval_request_id: invoice.asked?.approvalId ?? null,
  is_paid: invoice.state === 'paid',
  is_completed: invoice.accepted !== null || invoice.state === 'paid',
})

/** The same members of an answered row. */
export const shownIn = (row: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map((name) => [name, row[name]])),
  is_paid: row['paid_at'] !== null,
  is_completed: row['completed_at'] !== null,
})
const FIELDS = (
  'id state number total accepted_amount allocated due_amount credited settled_by refund_due next_valid_states ' +
  'approval_request_id'
).split(' ')
