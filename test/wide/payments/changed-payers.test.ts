/** Changed payers: approvers are warned if an organization pays under another verified name or address. */
import { expect, test, vi } from 'vitest'
import type { BatchId, OrganizationId } from '../../../domain/ids.ts'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
})
const { bank } = await import('../../../activities/index.ts')
const { sayStops } = await import('../../../domain/approvals/warning.ts')
const { asked, batchOf, paid, setSettings, toContact } = await import('../../support/account-changes.ts')
const { api, approve, createPayment, fund, payerAndPayee } = await import('../../support/api.ts')
const { approvalOf } = await import('../../support/approvals/approvals.ts')
const { submit } = await import('../../support/batches/batches.ts')
const { BANK, contactWith } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { ADDRESS, verified } = await import('../../support/onboarding/onboarding.ts')
const { usePartners } = await import('../../support/partners/partners.ts')

// no worker runs: each step is taken when the test says so
usePartners()

type Payment = Parameters<typeof approvalOf>[0]

/** An organization that was verified, and has paid a contact under this name. */
async function verifiedPayer() {
  const { boss, payer, contact } = await contactWith([BANK])
  const { id } = payer
  await fund(id, '500.00', 'EUR')
  await verified(id)
  const isWarned = async (payment: Payment) => (await approvalOf(payment, boss)).warnings.includes('payer_changed')
  let cents = 10
  const ask = () => asked(boss, contact, `1.${(cents += 1)}`)
  const pay = () => paid(boss, contact, `1.${(cents += 1)}`)
  return { boss, id, contact, isWarned, ask, pay, isWarnedNow: async () => isWarned(await ask()) }
}

/** Makes the versions of a payer older, as if the hours of changed accounts had passed. */
const age = (id: string) =>
  owner`update payers set inserted_at = inserted_at - interval '25 hours' where organization_id = ${id}`

test('another verified name or address is a warning until it was paid under, and the hours have passed', async () => {
  const { boss, id, pay, ask, isWarned, isWarnedNow } = await verifiedPayer()
  expect(await isWarnedNow()).toBe(false)
  await pay()
  expect(await isWarnedNow()).toBe(false)
  const waiting = await ask()
  for (const change of [{ name: 'Renamed GmbH' }, { name: 'Renamed GmbH', address: { ...ADDRESS, city: 'Bonn' } }]) {
    await age(id)
    await verified(id, change)
    expect(await isWarnedNow()).toBe(true)
    await pay()
    expect(await isWarnedNow()).toBe(true)
    await age(id)
    expect(await isWarnedNow()).toBe(false)
  }
  expect(await isWarned(waiting)).toBe(false) // it names the payer as before
  await verified(id)
  expect(await isWarnedNow()).toBe(true)
  await pay()
  expect(await isWarnedNow()).toBe(false) // the name is known from before
  await verified(id, { name: 'Other GmbH' })
  await age(id)
  await setSettings(boss, id, { account_change_hours: 0 })
  await pay()
  expect(await isWarnedNow()).toBe(false)
})

test('it is a warning at which to stop, and no change of the settings is one', async () => {
  expect(sayStops(['payer_changed', 'first_payment'])).toBe(
    'Warning: The payer is named otherwise than in payments before.',
  )
  const { boss, id, pay, isWarnedNow } = await verifiedPayer()
  await pay()
  await api('PATCH', `/organizations/${id}`, { token: boss.token, body: { name: 'Renamed' } })
  await setSettings(boss, id, { postal_address: { ...ADDRESS, city: 'Bonn' } })
  expect(await isWarnedNow()).toBe(false)
})

test('a batch that banks pay has the warning, a payment by service ID has not', async () => {
  const { boss, id, contact, pay, isWarned } = await verifiedPayer()
  await pay()
  const submitted = async (amount: string) => {
    const batch = (await batchOf(boss, id, toContact(contact, amount))) as BatchId
    await bank.checkBatchPayees({ id: batch, organizationId: id as OrganizationId })
    const { status, body } = await submit(boss, batch)
    expect(status).toBe(200)
    return isWarned(body)
  }
  expect(await submitted('3.00')).toBe(false)
  await verified(id, { name: 'Renamed GmbH' })
  expect(await submitted('4.00')).toBe(true)
  const inside = await payerAndPayee('10.00')
  await verified(inside.payer.id)
  await approve(inside.boss, await createPayment(inside.boss, inside.contactId, '1.00'))
  await verified(inside.payer.id, { name: 'Renamed GmbH' })
  const transfer = await createPayment(inside.boss, inside.contactId, '2.00')
  expect((await approvalOf(transfer, inside.boss)).warnings).not.toContain('payer_changed')
})
