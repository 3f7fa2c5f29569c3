/** Subscriptions without a worker: detected faults, replays, months that end unobserved. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { claimFor, takeClaim } from '../../../services/idempotency.ts'
import { checkIntegrity } from '../../../services/ledger/ledger.ts'
import type { OfferId, OrganizationId } from '../../../domain/ids.ts'
import { startBooks, stopBooks } from '../../../services/organizations/status.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { type Tx, asSystem, inOrganization, readerOf } from '../../../db/postgres/sql.ts'
import { dropScheduled, endSubscription, selectPlan } from '../../../services/subscriptions/commands.ts'
import { api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import {
  type Subscriber,
  chargesAreProved,
  dollarsOf,
  historyOf,
  looks,
  offered,
  offersOf,
  pass,
  select,
  selected,
  subscriber,
  subscriptionOf,
} from '../../support/subscriptions.ts'
import { endow, personOf } from '../../support/swaps.ts'

const boss = await person({ authenticator: true })

type Fault = (tx: typeof owner, organizationId: string) => Promise<unknown>

const faults: Record<string, [checks: string[], fault: Fault]> = {
  'a month that cost less than its offer': [
    ['subscription_charge_differs', 'subscription_charge_not_in_feed', 'subscription_price_wrong'],
    (tx, id) =>
      tx`update subscription_changes set amount = amount - 1 where organization_id = ${id} and charge = 'month'`,
  ],
  'the rest of a month at another price': [
    ['subscription_price_wrong'],
    (tx, id) =>
      tx`update subscription_changes set effective_on = effective_on + 1 where organization_id = ${id} and charge = 'rest_of_month'`,
  ],
  'a charge that is gone': [
    ['out_without_cause', 'subscription_charge_differs', 'subscription_offer_not_selected'],
    (tx, id) => tx`delete from subscription_changes where organization_id = ${id} and charge = 'rest_of_month'`,
  ],
  'a charge that names another row of the feed': [
    ['out_without_cause', 'subscription_charge_not_in_feed'],
    (tx, id) =>
      tx`update subscription_changes set transaction_id = ${randomUUID()} where organization_id = ${id} and charge = 'month'`,
  ],
  'a month that nobody paid': [
    ['subscription_month_not_paid'],
    (tx, id) => tx`
      update subscriptions set month_starts_on = month_ends_on, month_ends_on = month_ends_on + 30
      where organization_id = ${id}`,
  ],
  'a plan that nobody selected': [
    ['subscription_offer_not_selected'],
    (tx, id) =>
      tx`update subscriptions set offer_id = (select id from subscription_offers where name = 'enterprise') where organization_id = ${id}`,
  ],
  'a year for the price of a month': [
    ['subscription_price_wrong'],
    async (tx, id) => {
      await tx`update subscriptions set month_ends_on = month_starts_on + 365 where organization_id = ${id}`
      await tx`
        update subscription_changes set month_ends_on = month_starts_on + 365,
          effective_on = case charge when 'month' then effective_on else month_starts_on end where organization_id = ${id}`
    },
  ],
  'days that were paid twice': [
    ['subscription_month_paid_twice', 'subscription_charge_differs', 'subscription_charge_not_in_feed'],
    (tx, id) => tx`
      insert into subscription_changes (id, organization_id, subscription_id, operation, offer_id, month_starts_on,
        month_ends_on, effective_on, charge, amount, currency, transaction_id)
      select ${randomUUID()}, organization_id, subscription_id, 'renewed', offer_id, month_starts_on + 10, month_ends_on + 10,
        month_starts_on + 10, 'month', amount, currency, ${randomUUID()}
      from subscription_changes where organization_id = ${id} and operation = 'created'`,
  ],
}

test.each(Object.entries(faults))('%s', async (_, [checks, fault]) => {
  const at = await subscriber(boss)
  const { starter, business } = await offersOf(at)
  await selected(at, starter?.id ?? '')
  await selected(at, business?.id ?? '')
  const checked = async () => {
    const { violations } = await checkIntegrity(readerOf(at.id as OrganizationId)) // of a row that was just made
    return [...new Set(violations.map(({ check }) => check))].toSorted()
  }
  expect(await checked()).toEqual([])
  await tamper((tx) => fault(tx, at.id))
  expect(await checked()).toEqual(checks.toSorted())
})

test('operators say which plans there are; the price of one never changes, and who has one that is withdrawn keeps it', async () => {
  const name = `plan-${randomUUID()}`
  const added = await administer(['offers', 'add', JSON.stringify({ name, amount: '12.5', currency: 'USD' })])
  const [, id = ''] = /^offer (\S+) is offered: 12\.5 USD/.exec(added) ?? []
  const at = await subscriber(boss)
  await selected(at, id)
  expect(await administer(['offers', 'list'])).toContain(`${id} ${name}: 12.50 USD a month, is offered, 1 subscribed`)
  const changes = { display_name: 'Plan', marketing_attributes: { virtual_cards: '3', summary: ['One', 'Two'] } }
  await administer(['offers', 'change', id, JSON.stringify(changes)])
  expect((await subscriptionOf(at)).offer).toMatchObject({
    display_name: 'Plan',
    marketing_attributes: { virtual_cards: '3', usd_deposit: null, summary: ['One', 'Two'] },
  })
  await administer(['offers', 'withdraw', id])
  expect((await subscriptionOf(at)).offer.active).toBe(false)
  expect((await select(at, id)).body.error.type).toBe('offer_not_available')
  await administer(['offers', 'restore', id])
  expect((await selected(at, id)).operation).toBe('recommitted')
  for (const wrong of ['{"amount": "1"}', 'no JSON', '{"name": "x", "amount": "1.234", "currency": "USD"}']) {
    await expect(administer(['offers', 'add', wrong])).rejects.toThrow()
  }
  await expect(administer(['offers', 'change', id, '{"amount": "1"}'])).rejects.toThrow('amount')
  await expect(administer(['offers', 'withdraw', randomUUID()])).rejects.toThrow()
  const listed = await api('GET', `/organizations/${at.id}/subscription/offers?limit=100`, { token: boss.token })
  expect(listed.body.data.find((offer: { id: string }) => offer.id === id)).toMatchObject({ name, active: true })
})

test('the share of a month is proved to the last of 18 decimals', async () => {
  const at = await subscriber(boss, '0')
  await endow(at.id, '100', 'ETH')
  for (const amount of ['1', '12', '23', '34']) {
    await selected(at, await offered({ amount, currency: 'ETH' }))
    await pass(4)
  }
  await chargesAreProved(at)
})

test('a selection and an end whose connection broke as they were committed come again, and are done once', async () => {
  const at = await subscriber(boss)
  const offer = (await offersOf(at))['business']?.id as OfferId
  const [asking, cause] = [personOf(boss), `request:${randomUUID()}`]
  const claim = claimFor('', 'POST', '', undefined, {}) // of a request without a key
  const write = <T>(work: (tx: Tx) => Promise<T>) => inOrganization(asking, at.id as OrganizationId, work)
  for (const _ of 'twice')
    await write(async (tx) => (await takeClaim(tx, claim)) && selectPlan(tx, asking, claim.id, offer))
  expect(await dollarsOf(at)).toBe('951.00')
  for (const _ of 'twice') await write((tx) => endSubscription(tx, cause))
  for (const _ of 'twice') await write((tx) => dropScheduled(tx, `request:${randomUUID()}`)).catch(() => 0)
  expect(await historyOf(at)).toEqual([
    'subscription.created',
    'subscription.end_scheduled',
    'subscription.scheduled_change_cancelled',
  ])
})

test('months that end while money cannot move and nobody looks are not paid; under a ban the subscription is over', async () => {
  const [paused, banned, stopped] = [await subscriber(boss), await subscriber(boss), await subscriber(boss)]
  const all = [paused, banned, stopped]
  const business = (await offersOf(paused))['business']?.id ?? ''
  for (const at of all) await selected(at, business)
  const idOf = ({ id }: Subscriber) => id as OrganizationId // of an organization that was just made
  await moveOrganization(idOf(paused), 'pause')
  await moveOrganization(idOf(banned), 'ban')
  await asSystem(idOf(stopped), stopBooks)
  await pass(50)
  await moveOrganization(idOf(paused), 'resume')
  await moveOrganization(idOf(banned), 'unban')
  await asSystem(idOf(stopped), startBooks)
  for (const at of all) await looks(at)
  const rows = await owner<{ id: string; status: string; today: boolean }[]>`
    select organization_id as id, status, month_starts_on = (business_now() at time zone 'UTC')::date as today
    from subscriptions where organization_id in ${owner(all.map(({ id }) => id))}`
  const begun = Object.fromEntries(rows.map(({ id, ...row }) => [id, row]))
  expect(begun).toEqual({
    [paused.id]: { status: 'active', today: true },
    [stopped.id]: { status: 'active', today: true },
    [banned.id]: { status: 'expired', today: false },
  })
  for (const at of all) await chargesAreProved(at)
})
