/** A plain model of invoices, the approvals that they wait for, and the money that pays them. */

import type { TestPerson } from '../api.ts'

/** Of the people: who sees what they wrote alone, and allocates nothing. */
export const MEMBER = 2
/** From so many cents on somebody has to approve. */
export const THRESHOLD = 10_000

export type Customer = { readonly id: string; names: number; isDeleted: boolean }

/** An invoice as it has to be. */
export type Invoice = {
  readonly id: string
  readonly by: number
  cents: number
  readonly customer: Customer
  state: 'draft' | 'awaiting_approval' | 'sent' | 'finalized' | 'paid' | 'deleted'
  number: string | null
  accepted: number | null
  /** A person has called it paid elsewhere, and no money pays it instead. */
  elsewhere: boolean
  /** Who submitted it, under which approval, and which of its names the customer had then. */
  asked: { approvalId: string; who: number; name: number } | null
  readonly log: string[]
}

/** Money that came in. */
export type Incoming = {
  readonly id: string
  readonly cents: number
  /** By its payer. */
  readonly named: Invoice | undefined
  /** People were asked about it when it came. */
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
  /** An owner, an admin and a member. */
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

/** What its money has to bring, also if a person has called it paid elsewhere. */
export const lackOf = (m: Model, invoice: Invoice): number =>
  (invoice.accepted ?? invoice.cents) - allocatedTo(m, invoice)

export const isOpen = ({ state }: Invoice): boolean => state === 'sent' || state === 'finalized'

/** Whether what approvers were shown of the customer is another by now. */
export const hasChanged = ({ customer, asked }: Invoice): boolean =>
  customer.isDeleted || customer.names !== asked?.name

function pay(invoice: Invoice): void {
  invoice.state = 'paid'
  invoice.log.push('invoice.paid')
}

export function send(m: Model, invoice: Invoice): void {
  m.numbers += 1
  Object.assign(invoice, { state: 'sent', number: `INV-${String(m.numbers).padStart(6, '0')}` })
  invoice.log.push('invoice.sent')
}

export function finalize(m: Model, invoice: Invoice, accepted: number): void {
  Object.assign(invoice, { state: 'finalized', accepted })
  invoice.log.push('invoice.finalized')
  if (allocatedTo(m, invoice) >= accepted) pay(invoice)
}

/** Paid elsewhere, unless money that was proposed pays it for certain by now: answers that money. */
export function payElsewhere(m: Model, invoice: Invoice): Incoming | undefined {
  const due = dueOf(m, invoice)
  const own = m.moneys.find(
    (money) => money.isProposed && money.named === invoice && money.cents === due && leftOf(m, money) === due,
  )
  if (own) return own
  pay(invoice)
  invoice.elsewhere = true
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
  const asked = invoice.accepted ?? invoice.cents
  if (invoice.state !== 'paid' || allocatedTo(m, invoice) >= asked) return
  reopen(invoice)
}

function reopen(invoice: Invoice): void {
  invoice.state = invoice.accepted === null ? 'sent' : 'finalized'
  invoice.elsewhere = false
  invoice.log.push('invoice.reopened')
}

/** What becomes of money that comes with the number of an invoice, or without; undefined if nobody looks at it. */
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

/** What a list has to answer of an invoice. */
export const shown = (m: Model, invoice: Invoice) => ({
  id: invoice.id,
  state: invoice.state,
  number: invoice.number,
  total: text(invoice.cents),
  accepted_amount: invoice.accepted === null ? null : text(invoice.accepted),
  allocated: text(allocatedTo(m, invoice)),
  due_amount: text(dueOf(m, invoice)),
  next_valid_states: NEXT[invoice.state](invoice.cents),
  approval_request_id: invoice.asked?.approvalId ?? null,
  is_paid: invoice.state === 'paid',
  is_completed: invoice.accepted !== null || invoice.state === 'paid',
})

/** The same of an invoice as it is answered. */
export const shownIn = (row: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map((name) => [name, row[name]])),
  is_paid: row['paid_at'] !== null,
  is_completed: row['completed_at'] !== null,
})
const FIELDS = [
  'id',
  'state',
  'number',
  'total',
  'accepted_amount',
  'allocated',
  'due_amount',
  'next_valid_states',
  'approval_request_id',
]
