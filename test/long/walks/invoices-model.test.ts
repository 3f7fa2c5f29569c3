/** Invoices with approvals, payments and credit notes under any commands, against a model. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { join, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { allocationsOf, violationsOf } from '../../support/invoices/allocations.ts'
import {
  type Command,
  type Paying,
  type Share,
  type Step,
  at,
  call,
  deedOf,
  isSeen,
} from '../../support/invoices/deeds.ts'
import { historyOf } from '../../support/invoices/invoices.ts'
import { MEMBER, type Model, THRESHOLD, shown, shownIn, text } from '../../support/invoices/model.ts'
import { MODEL_TIMEOUT_MS } from '../../support/model-runs.ts'
import { told, walkAll } from '../../support/walks.ts'

/** The order of the model: an owner, an admin and a member. */
const people = [await person({ authenticator: true }), await person({ authenticator: true }), await person()] as const
const [boss, admin, member] = people

async function isAsModelled(m: Model, log: string): Promise<void> {
  for (const who of [0, MEMBER]) {
    const { body } = await call(at(m, who), 'GET', `/organizations/${m.organizationId}/invoices?limit=100`)
    const seen = m.invoices.filter((invoice) => isSeen(invoice, who)).toReversed()
    expect(body.data.map(shownIn), log).toEqual(seen.map((invoice) => shown(m, invoice)))
  }
}

const who = fc.constantFrom(0, 0, 1, 1, MEMBER)
const cents = fc.constantFrom(1, 4_000, 9_999, THRESHOLD, 25_000)
const customer = fc.nat(1)
const nth = fc.nat(20)
const isApt = fc.integer({ min: 0, max: 3 }).map((one) => one > 0)
const share = fc.constantFrom<Share>('all', 'all', 'part', 'over')
const LEADING: readonly Step[] = ['submit', 'submit', 'submit', 'approve', 'approve', 'approve', 'finalize', 'finalize']
const OTHERS: readonly Step[] = ['reject', 'cancel', 'elsewhere', 'change', 'remove', 'credit', 'credit']
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('write' as const), who, cents, customer }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), customer }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forget' as const), customer }) },
  { weight: 32, arbitrary: fc.record({ do: fc.constantFrom(...LEADING, ...OTHERS), who, nth, cents, isApt }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('receive' as const), nth, share, isNamed: fc.boolean() }) },
  {
    weight: 18,
    arbitrary: fc.record({
      do: fc.constantFrom<Paying>('allocate', 'allocate', 'by', 'back'),
      who,
      nth,
      share,
      isApt,
    }),
  },
)
/** Every walk begins with an invoice that can be paid. */
const BEGUN: readonly Command[] = [
  { do: 'write', who: 0, cents: 9_999, customer: 0 },
  { do: 'submit', who: 0, nth: 0, cents: 0, isApt: true },
  { do: 'receive', nth: 0, share: 'part', isNamed: true },
]

async function begun(): Promise<Model> {
  const { id } = await organization(boss, 'Seller')
  await Promise.all([join(id, admin, 'admin'), join(id, member, 'member')])
  const steps = [{ required: 1, roles: ['owner', 'admin'] }]
  await setRules(id, boss, [{ action_type: 'billing_invoice', currency: 'EUR', amount_from: text(THRESHOLD), steps }])
  const contacts = await Promise.all([0, 1].map(() => billingContact(boss, id)))
  const customers = contacts.map((one) => ({ id: one.id, names: 0, isDeleted: false }))
  return { organizationId: id, people, customers, invoices: [], moneys: [], allocations: [], numbers: 0 }
}

/** Checks the log of every invoice, what pays it, and the books; leaves no process to other tests. */
async function hasEndedWell(m: Model): Promise<void> {
  for (const invoice of m.invoices.filter(({ state }) => state !== 'deleted')) {
    expect(await historyOf(boss, invoice.id)).toEqual(invoice.log)
    const listed = (await allocationsOf(boss, invoice.id)).map(({ id }: { id: string }) => id)
    const standing = m.allocations.filter((one) => one.invoice === invoice && one.stands)
    expect(listed.toSorted()).toEqual(standing.map(({ id }) => id).toSorted())
  }
  expect(await violationsOf(boss, m.organizationId)).toEqual([])
  await owner`delete from processes where organization_id = ${m.organizationId}`
}

test(
  'whoever asks what in whatever order: an invoice is what was decided about it and what pays it, and no money pays twice',
  () =>
    walkAll(fc.array(command, { minLength: 30, maxLength: 40 }), async (commands) => {
      const m = await begun()
      for (const [index, one] of [...BEGUN, ...commands].entries()) {
        const deed = deedOf(m, one)
        if (!deed) continue
        const log = `${index}: ${JSON.stringify(one)}`
        const answer = await deed.ask()
        expect(told(answer), log).toBe(deed.answer)
        if (deed.answer === 'done') await deed.effect(answer.body)
        await isAsModelled(m, log)
      }
      await hasEndedWell(m)
    }),
  MODEL_TIMEOUT_MS,
)
