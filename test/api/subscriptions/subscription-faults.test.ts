/** Every fault that could be written into subscriptions is found; operators say what is offered. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { checkIntegrity } from '../../../db/ledger/ledger.ts'
import type { OrganizationId } from '../../../db/model/ids.ts'
import { readerOf } from '../../../db/sql.ts'
import { api, person } from '../../support/api.ts'
import type { owner } from '../../support/database.ts'
import { tamper } from '../../support/ledger/books.ts'
import { offersOf, select, selected, subscriber, subscriptionOf } from '../../support/subscriptions.ts'

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
    ['out_without_cause', 'subscription_charge_differs'],
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
