import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { moveOrganization } from '../../support/organizations/status.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, fund, join, organization, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import {
  type Subscriber,
  chargesAreProved,
  dollarsOf,
  happened,
  historyOf,
  offered,
  offersOf,
  pass,
  select,
  selected,
  subscriber,
  subscriptionOf,
} from '../../support/subscriptions.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const boss = await person({ authenticator: true })
const { starter, business, enterprise } = await (async () => {
  const offers = await offersOf({ boss, id: (await organization(boss)).id })
  const [first, second, third] = [offers['starter'], offers['business'], offers['enterprise']]
  if (!first || !second || !third) throw new Error('three tiers are offered')
  return { starter: first.id, business: second.id, enterprise: third.id }
})()

const path = ({ id }: Subscriber, rest = '') => `/organizations/${id}/subscription${rest}`
const drop = (at: Subscriber) => api('DELETE', path(at, '/scheduled-change'), { token: boss.token })
const end = (at: Subscriber) => api('DELETE', path(at), { token: boss.token, key: 'the-same-for-all' })
const today = async () => (await owner`select (business_now() at time zone 'UTC')::date::text as day`)[0]?.['day']
const move = (at: Subscriber, how: Parameters<typeof moveOrganization>[1]) =>
  moveOrganization(at.id as OrganizationId, how) // of an organization that was just made
test('offers have every field, from the cheapest on; one that is over, not yet there or withdrawn is not active', async () => {
  const at = await subscriber(boss, '0')
  const gone = await offered({ valid_to: new Date(Date.now() - 1000) })
  const later = await offered({ valid_from: new Date(Date.now() + 1e11) })
  const withdrawn = await offered({ deactivated_at: new Date() })
  const { body } = await api('GET', path(at, '/offers?limit=100'), { token: boss.token })
  const [first] = body.data
  expect(first).toEqual({
    id: starter,
    name: 'starter',
    display_name: 'Starter',
    description: expect.any(String),
    amount: '19.00',
    currency: 'USD',
    active: true,
    valid_from: null,
    valid_to: null,
    marketing_attributes: {
      atm_withdrawals: null,
      bank_transfers: '10 a month',
      card_spend_rewards: null,
      network_fees: null,
      non_usd_transactions: null,
      physical_card_fees: null,
      stablecoin_deposit: null,
      stablecoin_withdraw: null,
      transfers_rewards: null,
      usd_deposit: null,
      usd_transactions: null,
      usd_transfers: 'Free of charge',
      virtual_cards: '1',
      summary: ['Accounts in every currency', '10 bank transfers a month'],
    },
  })
  const amounts = body.data.map(({ amount }: { amount: string }) => Number(amount))
  expect(amounts).toEqual([...amounts].toSorted((a: number, b: number) => a - b))
  for (const id of [gone, later, withdrawn]) {
    expect(body.data.find((offer: { id: string }) => offer.id === id)).toMatchObject({ active: false })
    const refused = await select(at, id)
    expect([refused.status, refused.body.error.type]).toEqual([422, 'offer_not_available'])
  }
  const active = await api('GET', path(at, '/offers?active=true'), { token: boss.token })
  expect(active.body.data.map(({ id }: { id: string }) => id)).not.toContain(gone)
  const unknown = await select(at, randomUUID())
  expect([unknown.status, unknown.body.error.type]).toEqual([404, 'not_found'])
  const paged = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api('GET', path(at, `/offers?limit=2${cursor && `&cursor=${cursor}`}`), { token: boss.token })
    paged.push(...page.body.data)
    cursor = page.body.next_cursor
  }
  expect(paged).toEqual(body.data)
})

test('a plan is charged for the month when it is selected, and again when the month is over', async () => {
  const at = await subscriber(boss)
  expect(await subscriptionOf(at)).toBeNull()
  expect(await historyOf(at)).toEqual([])
  const result = await selected(at, business)
  expect(result).toMatchObject({
    operation: 'created',
    effective_date: await today(),
    purchase: { status: 'succeeded' },
    scheduled_effective_date: null,
    scheduled_offer: null,
    subscription: { status: 'active', offer: { id: business, amount: '49.00', active: true } },
  })
  expect(await dollarsOf(at)).toBe('951.00')
  const charged = await api('GET', `/transactions/${result.purchase.id}`, { token: boss.token })
  expect(charged.body).toMatchObject({
    type: 'subscription',
    direction: 'out',
    amount: { amount: '49.00', currency: 'USD' },
    description: expect.stringContaining('Business'),
  })
  expect(await subscriptionOf(at)).toEqual(result.subscription)
  await pass(31)
  await happened(at, 'subscription.renewed')
  expect(await dollarsOf(at)).toBe('902.00')
  const { commitment_ends_at: ends } = await subscriptionOf(at)
  expect(ends > result.subscription.commitment_ends_at).toBe(true)
  expect(await historyOf(at)).toEqual(['subscription.created', 'subscription.renewed'])
  // a late look pays each month that has begun since
  await pass(92)
  await happened(at, 'subscription.renewed', 4)
  expect(await dollarsOf(at)).toBe('755.00')
  await chargesAreProved(at)
})

test('a dearer plan counts at once for the difference of the days that are left; the month ends when it did', async () => {
  const at = await subscriber(boss)
  const { subscription } = await selected(at, starter)
  await pass(11)
  const upgraded = await selected(at, enterprise)
  expect(upgraded).toMatchObject({
    operation: 'upgraded',
    effective_date: await today(),
    purchase: { status: 'succeeded' },
    subscription: { offer: { id: enterprise }, commitment_ends_at: subscription.commitment_ends_at },
  })
  const { body: charged } = await api('GET', `/transactions/${upgraded.purchase.id}`, { token: boss.token })
  expect(Number(charged.amount.amount)).toBeGreaterThan(0)
  expect(await dollarsOf(at)).toBe((981 - Number(charged.amount.amount)).toFixed(2))
  await chargesAreProved(at)
})

test('a cheaper plan, or another at its price or in another currency, waits until the month is over; the last choice counts', async () => {
  const at = await subscriber(boss)
  const { subscription } = await selected(at, business)
  const endsOn = subscription.commitment_ends_at.slice(0, 10)
  const same = await offered()
  const euros = await offered({ amount: '999', currency: 'EUR' })
  for (const [offer, operation] of [
    [same, 'change_scheduled'],
    [euros, 'change_scheduled'],
    [starter, 'downgrade_scheduled'],
  ] as const) {
    const answer = await selected(at, offer)
    expect(answer).toMatchObject({
      operation,
      effective_date: endsOn,
      purchase: { status: 'none' },
      scheduled_effective_date: endsOn,
      scheduled_offer: { id: offer },
      subscription: { offer: { id: business }, scheduled_offer: { id: offer }, scheduled_effective_date: endsOn },
    })
  }
  // selecting the present plan cancels the schedule and charges nothing
  const again = await selected(at, business)
  expect(again).toMatchObject({ operation: 'recommitted', purchase: { status: 'none' }, scheduled_offer: null })
  expect(again.subscription).toMatchObject({ scheduled_offer: null, scheduled_effective_date: null })
  expect((await drop(at)).body.error.type).toBe('nothing_scheduled')
  await selected(at, same)
  expect((await drop(at)).body.subscription).toMatchObject({ scheduled_offer: null, offer: { id: business } })
  await selected(at, starter)
  expect(await dollarsOf(at)).toBe('951.00')
  await pass(31)
  await happened(at, 'subscription.renewed')
  expect(await subscriptionOf(at)).toMatchObject({ offer: { id: starter }, scheduled_offer: null })
  expect(await dollarsOf(at)).toBe('932.00')
  await chargesAreProved(at)
})

test('who has too little is refused, and nothing changes', async () => {
  const at = await subscriber(boss, '20.00')
  const refused = await select(at, business)
  expect([refused.status, refused.body.error.type]).toEqual([422, 'insufficient_funds'])
  expect(await subscriptionOf(at)).toBeNull()
  await selected(at, starter)
  const short = await select(at, enterprise)
  expect(short.body.error.details).toMatchObject({ available: { amount: '1.00', currency: 'USD' } })
  expect(await subscriptionOf(at)).toMatchObject({ offer: { id: starter } })
  expect(await historyOf(at)).toEqual(['subscription.created'])
})

test('of three that select at once one is charged', async () => {
  const at = await subscriber(boss)
  await selected(await subscriber(boss), starter) // the step-up of this session
  const answers = await Promise.all([business, business, business].map((offer) => select(at, offer)))
  expect(answers.map(({ body }) => body.operation).toSorted()).toEqual(['created', 'recommitted', 'recommitted'])
  expect(await dollarsOf(at)).toBe('951.00')
  await chargesAreProved(at)
})

test('a month that cannot be paid is tried three times over seven days; people are told, and it expires', async () => {
  const payer = await person({ authenticator: true })
  const at = await subscriber(payer, '50.00')
  const member = await person()
  await join(at.id, member, 'member')
  await selected(at, business)
  await pass(31)
  await happened(at, 'subscription.renewal_failed')
  const failing = await subscriptionOf(at)
  expect(failing).toMatchObject({ status: 'active', renewal_failing_since: expect.any(String) })
  const itemsOf = async (by: { token: string }) =>
    (await api('GET', `/organizations/${at.id}/attention?kind=renew_subscription`, { token: by.token })).body.data
  const [item] = await itemsOf(payer)
  expect(item).toMatchObject({
    id: `renew_subscription:${failing.id}`,
    severity: 'action',
    actionable_by_viewer: true,
    due_at: failing.next_renewal_attempt_at,
    action: { kind: 'renew_subscription', offer_id: business, required: { amount: '49.00', currency: 'USD' } },
    subject: { type: 'subscription', subscription_id: failing.id },
  })
  expect(await itemsOf(member)).toMatchObject([{ severity: 'info', actionable_by_viewer: false }])
  await pass(3)
  await happened(at, 'subscription.renewal_failed', 2)
  await pass(4)
  await happened(at, 'subscription.expired')
  expect(await subscriptionOf(at)).toMatchObject({ id: failing.id, status: 'expired', next_renewal_attempt_at: null })
  expect(await itemsOf(payer)).toEqual([])
  expect(await dollarsOf(at)).toBe('1.00')
  const mails = await api('GET', `/sandbox/messages?to=${encodeURIComponent(payer.email)}&limit=100`)
  const told = mails.body.data.filter(({ subject }: { subject: string }) => /subscription/i.test(subject))
  expect(told.map(({ subject }: { subject: string }) => subject).toSorted()).toEqual([
    'A subscription could not be renewed',
    'A subscription could not be renewed',
    'A subscription has ended',
  ])
  expect((await api('GET', `/sandbox/messages?to=${encodeURIComponent(member.email)}`)).body.data).toEqual([])
  await fund(at.id, '100.00')
  const created = await selected(at, starter)
  expect(created).toMatchObject({ operation: 'created', subscription: { status: 'active' } })
  expect(created.subscription.id).not.toBe(failing.id)
  await chargesAreProved(at)
})

test('a month that is due is paid at once by whoever selects a plan, and by the next try when there is money', async () => {
  const [at, other] = [await subscriber(boss, '50.00'), await subscriber(boss, '50.00')]
  const { subscription } = await selected(at, business)
  await selected(other, business)
  await pass(31)
  await Promise.all([at, other].map((one) => happened(one, 'subscription.renewal_failed')))
  await Promise.all([at, other].map(({ id }) => fund(id, '100.00')))
  const again = await selected(at, starter)
  expect(again).toMatchObject({
    operation: 'created',
    effective_date: subscription.commitment_ends_at.slice(0, 10),
    purchase: { status: 'succeeded' },
    subscription: { id: subscription.id, offer: { id: starter }, renewal_failing_since: null },
  })
  expect(await dollarsOf(at)).toBe('82.00')
  await pass(3)
  await happened(other, 'subscription.renewed')
  expect(await subscriptionOf(other)).toMatchObject({ renewal_failing_since: null, status: 'active' })
  await chargesAreProved(at)
  await chargesAreProved(other)
})

test('while an organization is paused nothing is charged, and its month begins when it is resumed', async () => {
  const at = await subscriber(boss)
  await selected(at, business)
  await move(at, 'pause')
  expect((await select(at, starter)).body.error.type).toBe('organization_unavailable')
  await pass(50)
  await happened(at, 'subscription.renewal_held')
  expect(await dollarsOf(at)).toBe('951.00')
  await move(at, 'resume')
  const resumedOn = await today()
  await happened(at, 'subscription.renewed')
  expect(await dollarsOf(at)).toBe('902.00')
  const [month] = await owner<{ month_starts_on: string }[]>`
    select month_starts_on::text from subscriptions where organization_id = ${at.id}`
  expect(month?.month_starts_on).toBe(resumedOn)
  await chargesAreProved(at)
})

test('a subscription ends when people say so, with a ban when its month is over, and with its organization or unpaid at once', async () => {
  const [ended, banned] = [await subscriber(boss), await subscriber(boss)]
  const [deleted, unpaid] = [await subscriber(boss, '49.00'), await subscriber(boss, '50.00')]
  for (const at of [ended, banned, deleted, unpaid]) await selected(at, business)
  const scheduled = (await end(ended)).body.subscription
  expect(scheduled).toMatchObject({ status: 'active', scheduled_offer: null })
  expect(scheduled.scheduled_effective_date).toBe(scheduled.commitment_ends_at.slice(0, 10))
  expect((await end(ended)).body.error.type).toBe('invalid_state')
  expect((await drop(ended)).body.subscription.scheduled_effective_date).toBeNull()
  await end(ended)
  await move(banned, 'ban')
  await move(deleted, 'delete')
  const statusOf = async ({ id }: Subscriber) =>
    (await owner`select status from subscriptions where organization_id = ${id}`)[0]?.['status']
  expect([await statusOf(ended), await statusOf(banned), await statusOf(deleted)]).toEqual([
    'active',
    'active',
    'expired',
  ])
  await pass(31)
  await until('both end', async () => (await statusOf(ended)) === 'expired' && (await statusOf(banned)) === 'expired')
  expect(await dollarsOf(ended)).toBe('951.00')
  expect(await dollarsOf(banned)).toBe('951.00')
  await happened(unpaid, 'subscription.renewal_failed')
  const over = { status: 'expired', scheduled_effective_date: null }
  expect((await end(unpaid)).body.subscription).toMatchObject(over)
  expect(await dollarsOf(unpaid)).toBe('1.00')
  await chargesAreProved(ended)
})

test('an admin selects a plan after a fresh proof of identity, and a member reads it', async () => {
  const at = await subscriber(boss)
  const [admin, member] = [await person({ authenticator: true }), await person({ authenticator: true })]
  await join(at.id, admin, 'admin')
  await join(at.id, member, 'member')
  expect((await api('GET', `${path(at, '/events')}?cursor=${starter}`, { token: boss.token })).status).toBe(400)
  const body = { offer_id: starter }
  const asked = await api('POST', path(at, '/select-plan'), { token: admin.token, body })
  expect([asked.status, asked.body.error.type]).toEqual([403, 'step_up_required'])
  expect((await withStepUp('POST', path(at, '/select-plan'), { token: admin.token, body })).status).toBe(200)
  expect((await api('GET', path(at), { token: member.token })).body.subscription.offer.id).toBe(starter)
})
