/** Commands of people and money on invoices: their requests, answers and effects. */
import { expect } from 'vitest'
import { type Answer, type TestPerson, api, approve } from '../api.ts'
import { createCreditNote, creditBody, creditStep } from '../credit-notes/credit-notes.ts'
import { owner } from '../database.ts'
import * as allocations from './allocations.ts'
import { createInvoice, draft, step } from './invoices.ts'
import { followMoney } from './incoming.ts'
import * as model from './model.ts'
import { type Incoming, type Invoice, MEMBER, type Model, THRESHOLD, text } from './model.ts'

const lineOf = (cents: number) => [{ description: 'Work', quantity: '1', price: text(cents), tax_percentage: '0' }]
export const call = (by: TestPerson, method: string, path: string, body?: object) =>
  api(method, path, { token: by.token, ...(body && { body }) })

export const at = ({ people }: Model, who: number): TestPerson => people[who]! // one of them
/** A person's command: the expected answer, its effect, and the request. */
type Deed = {
  readonly answer: string
  readonly ask: () => Promise<Answer>
  readonly effect: (answered: Answer['body']) => void | Promise<void>
}

export const isSeen = ({ by, state }: Invoice, who: number): boolean =>
  state !== 'deleted' && (who !== MEMBER || by === who)

/** A command that is allowed in some states, with or without the customer. */
const guarded = (invoice: Invoice, who: number, from: readonly string[], needsCustomer = false): string => {
  if (!isSeen(invoice, who)) return 'not_found'
  const isFit = from.includes(invoice.state) && !(needsCustomer && invoice.customer.isDeleted)
  return isFit ? 'done' : 'invalid_state'
}

export type Step =
  | 'change'
  | 'remove'
  | 'submit'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'finalize'
  | 'elsewhere'
  | 'credit'
export type Paying = 'allocate' | 'by' | 'back'
/** An amount: all that is possible, a part of it, or a cent more. */
export type Share = 'all' | 'part' | 'over'
export type Command =
  | { readonly do: 'write'; readonly who: number; readonly cents: number; readonly customer: number }
  | { readonly do: 'rename'; readonly customer: number }
  | { readonly do: 'forget'; readonly customer: number }
  | { readonly do: Step; readonly who: number; readonly nth: number; readonly cents: number; readonly isApt: boolean }
  | { readonly do: 'receive'; readonly nth: number; readonly share: Share; readonly isNamed: boolean }
  | { readonly do: Paying; readonly who: number; readonly nth: number; readonly share: Share; readonly isApt: boolean }

const STEPS: Readonly<Record<Step, (m: Model, invoice: Invoice, who: number, cents: number) => Deed | undefined>> = {
  change: (m, invoice, who, cents) => ({
    answer: guarded(invoice, who, ['draft'], true),
    ask: () => call(at(m, who), 'PATCH', `/invoices/${invoice.id}`, { line_items: lineOf(cents) }),
    effect: () => {
      invoice.cents = cents
      invoice.log.push('invoice.updated')
    },
  }),
  remove: (m, invoice, who) => ({
    answer: guarded(invoice, who, ['draft']),
    ask: () => call(at(m, who), 'DELETE', `/invoices/${invoice.id}`),
    effect: () => {
      invoice.state = 'deleted'
    },
  }),
  submit: (m, invoice, who) => ({
    answer: guarded(invoice, who, ['draft'], true),
    ask: () => step(at(m, who), invoice.id, 'submit'),
    effect: ({ approval_request_id: approvalId }) => {
      if (invoice.cents < THRESHOLD) return model.send(m, invoice)
      invoice.state = 'awaiting_approval'
      invoice.asked = { approvalId, who, name: invoice.customer.names }
      invoice.log.push('invoice.submitted')
    },
  }),
  approve: (m, invoice, who) =>
    invoice.state === 'awaiting_approval' && who !== MEMBER
      ? {
          answer: model.hasChanged(invoice) ? 'invalid_state' : 'done',
          ask: () =>
            approve(at(m, who), { organization_id: m.organizationId, approval_request_id: approvalOf(invoice) }),
          effect: () => model.send(m, invoice),
        }
      : undefined,
  reject: (m, invoice, who) =>
    who !== MEMBER && who !== invoice.asked?.who ? ended(m, invoice, who, 'reject') : undefined,
  cancel: (m, invoice, who) => (who === invoice.asked?.who ? ended(m, invoice, who, 'cancel') : undefined),
  finalize: (m, invoice, who, cents) => ({
    answer:
      guarded(invoice, who, ['sent']) === 'done' && cents > invoice.cents
        ? 'accepted_amount_exceeds_total'
        : guarded(invoice, who, ['sent']),
    ask: () => step(at(m, who), invoice.id, 'finalize', { accepted_amount: text(cents) }),
    effect: () => model.finalize(m, invoice, cents),
  }),
  elsewhere: (m, invoice, who) => ({
    answer: guarded(invoice, who, ['sent', 'finalized']),
    ask: () => step(at(m, who), invoice.id, 'mark-paid'),
    effect: async () => {
      const money = model.payElsewhere(m, invoice)
      if (!money) return
      model.allocate(m, { id: await newestOf(m, invoice), invoice, money, cents: money.cents })
    },
  }),
  credit: (m, invoice, who, cents) => {
    const answer = guarded(invoice, who, ['sent', 'finalized', 'paid'])
    const credited = Math.min(cents, THRESHOLD - 1) // needs no approval
    return {
      answer: answer === 'done' && invoice.credited + credited > invoice.cents ? 'credit_exceeds' : answer,
      async ask() {
        const made = await createCreditNote(at(m, who), invoice.id, creditBody(text(credited)))
        return made.status === 201 ? creditStep(at(m, who), made.body.id, 'submit') : made
      },
      effect: () => model.credit(m, invoice, credited),
    }
  },
}

const approvalOf = ({ asked }: Invoice): string => asked?.approvalId ?? ''

/** Ends its approval without approving: it is a draft again. */
function ended(m: Model, invoice: Invoice, who: number, verb: 'reject' | 'cancel'): Deed | undefined {
  if (invoice.state !== 'awaiting_approval') return undefined
  const path = `/organizations/${m.organizationId}/approvals/${approvalOf(invoice)}/${verb}`
  return {
    answer: 'done',
    ask: () => call(at(m, who), 'POST', path, {}),
    effect: () => {
      Object.assign(invoice, { state: 'draft', asked: null })
      invoice.log.push('invoice.refused')
    },
  }
}

type Payment = { readonly money: Incoming; readonly share: Share; readonly nth: number }

const PAYING: Readonly<Record<Paying, (m: Model, invoice: Invoice, who: number, given: Payment) => Deed | undefined>> =
  {
    allocate: (m, invoice, who, { money, share }) => {
      const available = Math.min(model.leftOf(m, money), model.dueOf(m, invoice))
      const cents = Math.max(1, shareOf(available, share))
      return {
        answer: payable(invoice, who, cents <= available),
        ask: () => allocations.allocate(at(m, who), invoice.id, money.id, text(cents)),
        effect: ({ id }) => model.allocate(m, { id, invoice, money, cents }),
      }
    },
    by: (m, invoice, who, { money }) => {
      const cents = model.dueOf(m, invoice)
      return {
        answer: payable(invoice, who, cents <= model.leftOf(m, money)),
        ask: () => step(at(m, who), invoice.id, 'mark-paid', { transaction_id: money.id }),
        effect: async () => model.allocate(m, { id: await newestOf(m, invoice), invoice, money, cents }),
      }
    },
    back: (m, _, who, { nth }) => {
      const standing = m.allocations.filter(({ stands }) => stands)
      const taken = nthOf(nth % 4 > 0 && standing.length > 0 ? standing : m.allocations, nth)
      if (!taken) return undefined
      return {
        answer: who === MEMBER ? 'forbidden' : taken.stands ? 'done' : 'not_found',
        ask: () => allocations.takeBack(at(m, who), taken.invoice.id, taken.id),
        effect: () => model.takeBack(m, taken),
      }
    },
  }

function payable(invoice: Invoice, who: number, suffices: boolean): string {
  if (who === MEMBER) return 'forbidden'
  const answer = guarded(invoice, who, ['sent', 'finalized'])
  return answer === 'done' && !suffices ? 'allocation_exceeds' : answer
}

const shareOf = (cents: number, share: Share): number =>
  share === 'all' ? cents : share === 'part' ? Math.ceil(cents / 2) : cents + 1

const newestOf = async (m: Model, { id }: Invoice): Promise<string> =>
  (await allocations.allocationsOf(at(m, 0), id))[0].id

/** Receives money and looks at it as its process does: a certain match pays the named invoice. */
function received(m: Model, named: Invoice | undefined, share: Share): Deed {
  const isPayable = named && (model.isOpen(named) || named.elsewhere)
  const cents = Math.max(1, shareOf(isPayable ? model.lackOf(m, named) : 7000, share))
  const body = {
    organization_id: m.organizationId,
    rail: 'fiat',
    amount: { amount: text(cents), currency: 'EUR' },
    sender: { name: null, reference: named?.number ?? null },
  }
  return {
    answer: 'done',
    ask: () => api('POST', '/sandbox/deposits', { body }),
    effect: async ({ transaction_id: id }) => {
      const expected = model.fate(m, cents, named)
      const money = { id, cents, named, isProposed: expected === 'proposed' }
      m.moneys.push(money)
      if (expected) await followMoney(m.organizationId, id)
      const [row] = await owner<{ status: string }[]>`select status from incoming_payments where id = ${id}`
      expect(row?.status).toBe(expected)
      if (expected === 'allocated' && named) {
        model.allocate(m, { id: await newestOf(m, named), invoice: named, money, cents })
      }
    },
  }
}

function written(m: Model, who: number, cents: number, customer: model.Customer): Deed {
  return {
    answer: customer.isDeleted ? 'invalid_state' : 'done',
    ask: () => createInvoice(at(m, who), m.organizationId, draft(customer.id, { line_items: lineOf(cents) })),
    effect: ({ id }) => {
      const empty = { state: 'draft', number: null, accepted: null, asked: null } as const
      const unpaid = { credited: 0, elsewhere: false, elsewhereCents: 0, settledBy: null }
      m.invoices.push({ id, by: who, cents, customer, ...empty, ...unpaid, log: ['invoice.created'] })
    },
  }
}

function changedContact(m: Model, customer: model.Customer, isRenamed: boolean): Deed {
  const path = `/billing-contacts/${customer.id}`
  return {
    answer: customer.isDeleted ? 'invalid_state' : 'done',
    ask: () =>
      isRenamed
        ? call(at(m, 0), 'PATCH', path, { company_name: `Name ${customer.names + 1}` })
        : call(at(m, 0), 'DELETE', path),
    effect: () => {
      Object.assign(customer, isRenamed ? { names: customer.names + 1 } : { isDeleted: true })
    },
  }
}

const nthOf = <Thing>(all: readonly Thing[], nth: number): Thing | undefined => all[nth % Math.max(1, all.length)]

/** Chooses the command's object: one that `isApt` if there is any, otherwise any. */
export function deedOf(m: Model, command: Command): Deed | undefined {
  if (command.do === 'rename' || command.do === 'forget') {
    return changedContact(m, m.customers[command.customer]!, command.do === 'rename') // one of two
  }
  // one of two
  if (command.do === 'write') return written(m, command.who, command.cents, m.customers[command.customer]!)
  if (command.do === 'receive') {
    const named = nthOf(m.invoices.filter(model.isOpen), command.nth) ?? nthOf(m.invoices, command.nth)
    return received(m, command.isNamed && named?.number ? named : undefined, command.share)
  }
  const deeds = 'cents' in command ? steps(m, command) : payments(m, command)
  const apt = deeds.filter((deed) => deed.answer === 'done')
  return nthOf(command.isApt && apt.length > 0 ? apt : deeds, command.nth)
}

const steps = (m: Model, { do: name, who, cents }: Extract<Command, { cents: number; isApt: boolean }>): Deed[] =>
  m.invoices.map((invoice) => STEPS[name](m, invoice, who, cents)).filter((deed) => deed !== undefined)

const payments = (m: Model, { do: name, who, share, nth }: Extract<Command, { do: Paying }>): Deed[] =>
  m.invoices
    .flatMap((invoice) => m.moneys.map((money) => PAYING[name](m, invoice, who, { money, share, nth })))
    .filter((deed) => deed !== undefined)
