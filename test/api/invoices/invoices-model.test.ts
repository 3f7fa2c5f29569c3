import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Answer, type TestPerson, api, approve, join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { createInvoice, draft, historyOf, step } from '../../support/invoices/invoices.ts'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../support/model-runs.ts'

/** An owner, an admin and a member, who sees what they wrote. */
const people = [await person({ authenticator: true }), await person({ authenticator: true }), await person()] as const
const [boss, admin, member] = people
const MEMBER = people.indexOf(member)
/** From so many cents on somebody has to approve. */
const THRESHOLD = 10_000

type Customer = { readonly id: string; names: number; isDeleted: boolean }
/** An invoice as it has to be. */
type Invoice = {
  readonly id: string
  readonly by: number
  cents: number
  readonly customer: Customer
  state: 'draft' | 'awaiting_approval' | 'sent' | 'finalized' | 'paid' | 'deleted'
  number: string | null
  accepted: number | null
  /** Who submitted it, under which approval, and which of its names the customer had then. */
  asked: { approvalId: string; who: number; name: number } | null
  readonly log: string[]
}
type Model = { readonly organizationId: string; readonly customers: Customer[]; invoices: Invoice[]; numbers: number }

const text = (cents: number): string => (cents / 100).toFixed(2)
const lineOf = (cents: number) => [{ description: 'Work', quantity: '1', price: text(cents), tax_percentage: '0' }]
const said = ({ status, body }: Answer): string => (status < 300 ? 'done' : body.error.type)
const call = (by: TestPerson, method: string, path: string, body?: object) =>
  api(method, path, { token: by.token, ...(body && { body }) })

/** What somebody asks of an invoice: what has to be answered, what it does then, and how it is asked for. */
type Deed = {
  readonly answer: string
  readonly ask: () => Promise<Answer>
  readonly effect: (answered: any) => void
}

/** One of the three. */
const at = (who: number): TestPerson => people[who] ?? boss

const isSeen = ({ by, state }: Invoice, who: number): boolean => state !== 'deleted' && (who !== MEMBER || by === who)
const changes = ({ customer, asked }: Invoice): boolean => customer.isDeleted || customer.names !== asked?.name

function send(m: Model, invoice: Invoice): void {
  m.numbers += 1
  Object.assign(invoice, { state: 'sent', number: `INV-${String(m.numbers).padStart(6, '0')}` })
  invoice.log.push('invoice.sent')
}

/** A step that begins in some states, and needs the customer or not. */
const guarded = (invoice: Invoice, who: number, from: readonly string[], needsCustomer = false): string => {
  if (!isSeen(invoice, who)) return 'not_found'
  const isFit = from.includes(invoice.state) && !(needsCustomer && invoice.customer.isDeleted)
  return isFit ? 'done' : 'invalid_state'
}

type Step = 'change' | 'remove' | 'submit' | 'approve' | 'reject' | 'cancel' | 'finalize' | 'pay'
type Command =
  | { readonly do: 'write'; readonly who: number; readonly cents: number; readonly customer: number }
  | { readonly do: 'rename'; readonly customer: number }
  | { readonly do: 'forget'; readonly customer: number }
  | { readonly do: Step; readonly who: number; readonly nth: number; readonly cents: number }

const STEPS: Readonly<Record<Step, (m: Model, invoice: Invoice, who: number, cents: number) => Deed | undefined>> = {
  change: (_, invoice, who, cents) => ({
    answer: guarded(invoice, who, ['draft'], true),
    ask: () => call(at(who), 'PATCH', `/invoices/${invoice.id}`, { line_items: lineOf(cents) }),
    effect: () => {
      invoice.cents = cents
      invoice.log.push('invoice.updated')
    },
  }),
  remove: (_, invoice, who) => ({
    answer: guarded(invoice, who, ['draft']),
    ask: () => call(at(who), 'DELETE', `/invoices/${invoice.id}`),
    effect: () => {
      invoice.state = 'deleted'
    },
  }),
  submit: (m, invoice, who) => ({
    answer: guarded(invoice, who, ['draft'], true),
    ask: () => step(at(who), invoice.id, 'submit'),
    effect: ({ approval_request_id: approvalId }) => {
      if (invoice.cents < THRESHOLD) return send(m, invoice)
      invoice.state = 'awaiting_approval'
      invoice.asked = { approvalId, who, name: invoice.customer.names }
      invoice.log.push('invoice.submitted')
    },
  }),
  approve: (m, invoice, who) =>
    invoice.state === 'awaiting_approval' && who !== MEMBER
      ? {
          answer: changes(invoice) ? 'invalid_state' : 'done',
          ask: () => approve(at(who), { organization_id: m.organizationId, approval_request_id: approvalOf(invoice) }),
          effect: () => send(m, invoice),
        }
      : undefined,
  reject: (m, invoice, who) =>
    who !== MEMBER && who !== invoice.asked?.who ? ended(m, invoice, who, 'reject') : undefined,
  cancel: (m, invoice, who) => (who === invoice.asked?.who ? ended(m, invoice, who, 'cancel') : undefined),
  finalize: (_, invoice, who, cents) => ({
    answer:
      guarded(invoice, who, ['sent']) === 'done' && cents > invoice.cents
        ? 'accepted_amount_exceeds_total'
        : guarded(invoice, who, ['sent']),
    ask: () => step(at(who), invoice.id, 'finalize', { accepted_amount: text(cents) }),
    effect: () => {
      Object.assign(invoice, { state: 'finalized', accepted: cents })
      invoice.log.push('invoice.finalized')
    },
  }),
  pay: (_, invoice, who) => ({
    answer: guarded(invoice, who, ['sent', 'finalized']),
    ask: () => step(at(who), invoice.id, 'mark-paid'),
    effect: () => {
      invoice.state = 'paid'
      invoice.log.push('invoice.paid')
    },
  }),
}

const approvalOf = ({ asked }: Invoice): string => asked?.approvalId ?? ''

/** Its approval ends otherwise: it is a draft again. */
function ended(m: Model, invoice: Invoice, who: number, verb: 'reject' | 'cancel'): Deed | undefined {
  if (invoice.state !== 'awaiting_approval') return undefined
  const path = `/organizations/${m.organizationId}/approvals/${approvalOf(invoice)}/${verb}`
  return {
    answer: 'done',
    ask: () => call(at(who), 'POST', path, {}),
    effect: () => {
      Object.assign(invoice, { state: 'draft', asked: null })
      invoice.log.push('invoice.refused')
    },
  }
}

function deedOf(m: Model, command: Command): Deed | undefined {
  if (command.do === 'write') {
    const { who, cents } = command
    const customer = m.customers[command.customer]! // one of two
    return {
      answer: customer.isDeleted ? 'invalid_state' : 'done',
      ask: () => createInvoice(at(who), m.organizationId, draft(customer.id, { line_items: lineOf(cents) })),
      effect: ({ id }) => {
        const empty = { state: 'draft', number: null, accepted: null, asked: null } as const
        m.invoices = [...m.invoices, { id, by: who, cents, customer, ...empty, log: ['invoice.created'] }]
      },
    }
  }
  if (command.do === 'rename' || command.do === 'forget') {
    const customer = m.customers[command.customer]! // one of two
    const path = `/billing-contacts/${customer.id}`
    const isRenamed = command.do === 'rename'
    return {
      answer: customer.isDeleted ? 'invalid_state' : 'done',
      ask: () =>
        isRenamed
          ? call(boss, 'PATCH', path, { company_name: `Name ${customer.names + 1}` })
          : call(boss, 'DELETE', path),
      effect: () => Object.assign(customer, isRenamed ? { names: customer.names + 1 } : { isDeleted: true }),
    }
  }
  const invoice = m.invoices[command.nth % Math.max(1, m.invoices.length)]
  return invoice && STEPS[command.do](m, invoice, command.who, command.cents)
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
const shown = ({ id, state, number, cents, accepted, asked }: Invoice) => ({
  id,
  state,
  number,
  total: text(cents),
  accepted_amount: accepted === null ? null : text(accepted),
  due_amount: text(state === 'paid' ? 0 : (accepted ?? cents)),
  next_valid_states: NEXT[state](cents),
  approval_request_id: asked?.approvalId ?? null,
})

async function isAsModelled(m: Model, log: string): Promise<void> {
  for (const who of [0, MEMBER]) {
    const { body } = await call(at(who), 'GET', `/organizations/${m.organizationId}/invoices?limit=100`)
    const seen = m.invoices.filter((invoice) => isSeen(invoice, who)).toReversed()
    const listed = body.data.map((row: Record<string, unknown>) =>
      Object.fromEntries(FIELDS.map((name) => [name, row[name]])),
    )
    expect(listed, log).toEqual(seen.map(shown))
  }
}
const FIELDS = [
  'id',
  'state',
  'number',
  'total',
  'accepted_amount',
  'due_amount',
  'next_valid_states',
  'approval_request_id',
]

const who = fc.nat(people.length - 1)
const cents = fc.constantFrom(1, 9_999, THRESHOLD, 25_000)
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), who, cents, customer: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('rename' as const, 'rename' as const, 'forget' as const),
      customer: fc.nat(1),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      // what leads on is asked for more often
      do: fc.constantFrom<Step>(
        'submit',
        'submit',
        'approve',
        'approve',
        'reject',
        'cancel',
        'finalize',
        'pay',
        'change',
        'remove',
      ),
      who,
      nth: fc.nat(20),
      cents,
    }),
  },
)

test(
  'invoices that anybody writes, submits, decides about and pays are as a plain model has them',
  async () => {
    const walk = fc.asyncProperty(fc.array(command, { minLength: 25, maxLength: 40 }), async (commands) => {
      const { id } = await organization(boss, 'Seller')
      await Promise.all([join(id, admin, 'admin'), join(id, member, 'member')])
      const steps = [{ required: 1, roles: ['owner', 'admin'] }]
      await setRules(id, boss, [
        { action_type: 'billing_invoice', currency: 'EUR', amount_from: text(THRESHOLD), steps },
      ])
      const customers = await Promise.all([0, 1].map(() => billingContact(boss, id)))
      const m: Model = {
        organizationId: id,
        customers: customers.map((one) => ({ id: one.id, names: 0, isDeleted: false })),
        invoices: [],
        numbers: 0,
      }
      for (const [index, one] of commands.entries()) {
        const deed = deedOf(m, one)
        if (!deed) continue
        const log = `${index}: ${JSON.stringify(one)}`
        const answer = await deed.ask()
        expect(said(answer), log).toBe(deed.answer)
        if (deed.answer === 'done') deed.effect(answer.body)
        await isAsModelled(m, log)
      }
      for (const invoice of m.invoices.filter(({ state }) => state !== 'deleted')) {
        expect(await historyOf(boss, invoice.id)).toEqual(invoice.log)
      }
    })
    await fc.assert(walk, { numRuns: modelRuns(3), endOnFailure: true })
  },
  MODEL_TIMEOUT_MS,
)
