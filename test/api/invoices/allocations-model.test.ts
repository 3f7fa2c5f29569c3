/** Invoices and what pays them under any sequence of commands: a plain model says what each has to answer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { person } from '../../support/api.ts'
import {
  type Seller,
  allocate,
  allocationsOf,
  received,
  seller,
  sentInvoice,
  takeBack,
  violationsOf,
} from '../../support/invoices/allocations.ts'
import { readInvoice, step } from '../../support/invoices/invoices.ts'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../support/model-runs.ts'

const boss = await person()

type Invoice = {
  id: string
  total: number
  accepted: number | null
  state: 'sent' | 'finalized' | 'paid'
}
type Allocation = { id: string; invoice: Invoice; money: Money; amount: number; stands: boolean }
type Money = { id: string; amount: number }
type Model = { at: Seller; invoices: Invoice[]; moneys: Money[]; allocations: Allocation[] }

const sum = (all: Allocation[]): number => all.reduce((total, { amount, stands }) => total + (stands ? amount : 0), 0)
const paidOf = (model: Model, invoice: Invoice): number =>
  sum(model.allocations.filter((one) => one.invoice === invoice))
const leftOf = (model: Model, money: Money): number =>
  money.amount - sum(model.allocations.filter((one) => one.money === money))
const dueOf = (model: Model, invoice: Invoice): number =>
  invoice.state === 'paid' ? 0 : Math.max(0, (invoice.accepted ?? invoice.total) - paidOf(model, invoice))

const command = fc.record({
  kind: fc.constantFrom('allocate', 'allocate', 'allocate', 'back', 'back', 'finalize', 'elsewhere', 'by'),
  invoice: fc.nat(1),
  money: fc.nat(2),
  amount: fc.integer({ min: 1, max: 45 }),
  pick: fc.nat(),
})
type Command = typeof command extends fc.Arbitrary<infer Generated> ? Generated : never

/** Why more than this may not be allocated; undefined if it may. */
function refusal(model: Model, invoice: Invoice, money: Money, amount: number): string | undefined {
  if (invoice.state === 'paid') return 'invalid_state'
  const available = Math.min(leftOf(model, money), dueOf(model, invoice))
  return amount > available || amount === 0 ? 'allocation_exceeds' : undefined
}

function note(model: Model, invoice: Invoice, money: Money, amount: number, id: string): void {
  const isPaid = dueOf(model, invoice) === amount
  model.allocations.push({ id, invoice, money, amount, stands: true })
  if (isPaid) invoice.state = 'paid'
}

async function perform(model: Model, asked: Command): Promise<void> {
  const [invoice, money] = [model.invoices[asked.invoice], model.moneys[asked.money]]
  if (!invoice || !money) throw new Error('there are as many')
  switch (asked.kind) {
    case 'allocate': {
      const { status, body } = await allocate(boss, invoice.id, money.id, String(asked.amount))
      const refused = refusal(model, invoice, money, asked.amount)
      expect([status === 201 ? undefined : body.error.type]).toEqual([refused])
      if (!refused) note(model, invoice, money, asked.amount, body.id)
      return
    }
    case 'by': {
      const amount = dueOf(model, invoice)
      const { status, body } = await step(boss, invoice.id, 'mark-paid', { transaction_id: money.id })
      const refused = refusal(model, invoice, money, amount)
      expect([status === 200 ? undefined : body.error.type]).toEqual([refused])
      if (refused) return
      const [newest] = await allocationsOf(boss, invoice.id)
      return note(model, invoice, money, amount, newest.id)
    }
    case 'back': {
      const taken = model.allocations[asked.pick % Math.max(1, model.allocations.length)]
      if (!taken) return
      const { status } = await takeBack(boss, taken.invoice.id, taken.id)
      expect(status).toBe(taken.stands ? 200 : 404)
      taken.stands = false
      const { invoice: of } = taken
      const asks = of.accepted ?? of.total
      if (status === 200 && of.state === 'paid' && paidOf(model, of) < asks) {
        of.state = of.accepted === null ? 'sent' : 'finalized'
      }
      return
    }
    case 'finalize': {
      const accepted = Math.min(asked.amount, invoice.total)
      const { status } = await step(boss, invoice.id, 'finalize', { accepted_amount: String(accepted) })
      expect(status).toBe(invoice.state === 'sent' ? 200 : 409)
      if (status !== 200) return
      invoice.accepted = accepted
      invoice.state = paidOf(model, invoice) >= accepted ? 'paid' : 'finalized'
      return
    }
    case 'elsewhere': {
      const { status } = await step(boss, invoice.id, 'mark-paid')
      expect(status).toBe(invoice.state === 'paid' ? 409 : 200)
      invoice.state = 'paid'
      return
    }
  }
}

const text = (amount: number): string => amount.toFixed(2)

async function compare(model: Model): Promise<void> {
  for (const invoice of model.invoices) {
    const shown = await readInvoice(boss, invoice.id)
    expect(shown).toMatchObject({
      state: invoice.state,
      allocated: text(paidOf(model, invoice)),
      due_amount: text(dueOf(model, invoice)),
      accepted_amount: invoice.accepted === null ? null : text(invoice.accepted),
    })
    expect([shown.paid_at !== null, shown.completed_at !== null]).toEqual([
      invoice.state === 'paid',
      invoice.state !== 'sent',
    ])
  }
}

test(
  'whatever is asked in whatever order, no money pays twice, and an invoice is what its allocations make of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 30 }), async (commands) => {
        const at = await seller(boss)
        const made = []
        for (const total of [30, 50]) made.push({ id: (await sentInvoice(at, String(total))).id as string, total })
        const moneys = []
        for (const amount of [20, 40, 25]) moneys.push({ id: await received(at, text(amount)), amount })
        const invoices = made.map((one): Invoice => ({ ...one, accepted: null, state: 'sent' }))
        const model: Model = { at, invoices, moneys, allocations: [] }
        for (const asked of commands) {
          await perform(model, asked)
          await compare(model)
        }
        for (const invoice of invoices) {
          const listed = (await allocationsOf(boss, invoice.id)).map(({ id }: { id: string }) => id)
          const standing = model.allocations.filter((one) => one.invoice === invoice && one.stands)
          expect(listed.toSorted()).toEqual(standing.map(({ id }) => id).toSorted())
        }
        expect(await violationsOf(boss, at.id)).toEqual([])
      }),
      { numRuns: modelRuns(3), endOnFailure: true },
    )
  },
  MODEL_TIMEOUT_MS,
)
