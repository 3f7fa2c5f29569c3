/** Organizations that subscribe to plans, and their calls. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { main } from '../../activities/index.ts'
import type { OrganizationId, SubscriptionId } from '../../domain/ids.ts'
import { type Answer, type TestPerson, api, organization, withStepUp } from './api.ts'
import { owner } from './database.ts'
import { wait } from './identity/identity.ts'
import { endow } from './swaps.ts'
import { until } from './until.ts'

export type Subscriber = { readonly boss: TestPerson; readonly id: string }
type Offered = { readonly id: string; readonly name: string; readonly amount: string }

export async function subscriber(boss: TestPerson, amount = '1000.00'): Promise<Subscriber> {
  const { id } = await organization(boss)
  if (amount !== '0') await endow(id, amount, 'USD')
  return { boss, id }
}

export async function offersOf({ boss, id }: Subscriber): Promise<Record<string, Offered>> {
  const { body } = await api('GET', `/organizations/${id}/subscription/offers`, { token: boss.token })
  return Object.fromEntries((body.data as Offered[]).map((offer) => [offer.name, offer]))
}

/** Adds an offer outside the three tiers, and returns its id. */
export async function offered(changes: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID()
  await owner`insert into subscription_offers ${owner({ id, name: 'Other', amount: '49', currency: 'USD', ...changes })}`
  return id
}

export const select = ({ boss, id }: Subscriber, offerId: string, key?: string): Promise<Answer> =>
  withStepUp('POST', `/organizations/${id}/subscription/select-plan`, {
    token: boss.token,
    body: { offer_id: offerId },
    ...(key && { key }),
  })

export async function selected(by: Subscriber, offerId: string): Promise<Answer['body']> {
  const answer = await select(by, offerId)
  if (answer.status !== 200) throw new Error(`select-plan: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const subscriptionOf = async ({ boss, id }: Subscriber): Promise<Answer['body']> =>
  (await api('GET', `/organizations/${id}/subscription`, { token: boss.token })).body.subscription

export async function dollarsOf({ id }: Subscriber): Promise<string> {
  const [row] = await owner<{ balance: string }[]>`
    select balance from ledger_accounts where organization_id = ${id} and kind = 'available' and currency = 'USD'`
  return Number(row?.balance ?? 0).toFixed(2)
}

export async function chargesAreProved({ boss, id }: Subscriber): Promise<void> {
  const { body } = await api('GET', `/organizations/${id}/ledger/integrity`, { token: boss.token })
  expect(body.violations).toEqual([])
}

export async function historyOf({ boss, id }: Subscriber): Promise<string[]> {
  const { body } = await api('GET', `/organizations/${id}/subscription/events?limit=100`, { token: boss.token })
  return (body.data as { event_type: string }[]).map(({ event_type: type }) => type)
}

export const happened = (by: Subscriber, type: string, times = 1): Promise<unknown> =>
  until(`${type} of a subscription`, async () => {
    const said = await historyOf(by)
    return said.filter((one) => one === type).length >= times
  })

const DAY_SECONDS = 86_400

/** Lets days pass; sessions stay valid. */
export const pass = (days: number): Promise<void> => wait(days * DAY_SECONDS)

/** Takes the steps of the subscription's run, as a worker does: each month that is over is charged. */
export async function looks({ id }: Subscriber): Promise<void> {
  const [row] = await owner<{ id: SubscriptionId }[]>`
    select id from subscriptions where organization_id = ${id} and status = 'active'`
  if (!row) return
  // of an organization that was just made
  const ref = { id: row.id, organizationId: id as OrganizationId }
  for (;;) {
    const view = await main.viewSubscription(ref)
    if (view.again) continue
    if (view.at_rest || view.due === null) return
    await STEPS[view.due](ref)
  }
}

const STEPS = { charge: main.chargeMonth, hold: main.holdRenewal, expiry: main.expireSubscription }
