/** A retry with its Idempotency-Key: each operation that takes one makes its row once, from the body of its example. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { bodyOf, callWith, world } from '../../support/contract/world.ts'
import { refusal } from '../../support/http/refusals.ts'
import { received } from '../../support/invoices/allocations.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()
const { boss, ids } = await world()
const charged = { ...ids, invoice_id: ids['charged_invoice_id']! }
const moneyIn = async () => ({ ...charged, transaction_id: await received({ id: ids['organization_id']! }, '50') })

/** Operations on something else than the draft of the world. */
const OTHERS: Readonly<Record<string, () => Promise<typeof ids>>> = {
  createCreditNote: async () => charged,
  createInvoiceAllocation: moneyIn,
  paySandboxInvoice: async () => charged,
}
/** Operations whose examples make nothing without a ceremony: their own tests retry them. */
const ELSEWHERE = [
  'connectIdentityProvider',
  'createPasskey',
  'createPayment',
  'createSubstitution',
  'requestBillPayment',
]

/** The id that an answer tells of what was made. */
const madeBy = (body: any): unknown => [body].flat()[0].id ?? body.swap_id ?? body.purchase.id

/** Changes a value: the first digit of a text, else its end; the first member of an object. */
function changed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(changed)
  if (typeof value === 'number') return value + 1
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return /\d/.test(value) ? value.replace(/\d/, (digit) => `${9 - +digit}`) : `${value}x`
  const members = Object.entries(value ?? {})
  return Object.fromEntries(members.map(([name, member], at) => [name, at === 0 ? changed(member) : member]))
}

const keyed = routes.filter((route) => route.replay && !ELSEWHERE.includes(route.operationId))

test.each(keyed.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route: Route) => {
  const key = randomUUID()
  const at = await (OTHERS[route.operationId] ?? (async () => ids))()
  const body = bodyOf(route, at)
  const answers = await Promise.all(Array.from({ length: 3 }, () => callWith(route, boss.token, at, { key, body })))
  const [answer] = answers
  expect(answers.map(refusal), JSON.stringify(answer!.body.error)).toEqual(Array(3).fill([route.status, undefined]))
  expect(new Set(answers.map((one) => madeBy(one.body))).size).toBe(1)
  const others = Object.keys(body).filter((name) => name !== 'made_up') // an unknown member does not count
  const refused = await Promise.all(
    others.map((name) => callWith(route, boss.token, at, { key, body: { ...body, [name]: changed(body[name]) } })),
  )
  expect(refused.filter(({ status }) => status < 400)).toEqual([])
  expect(refused.map(refusal)).toContainEqual([422, 'idempotency_key_reused'])
})
