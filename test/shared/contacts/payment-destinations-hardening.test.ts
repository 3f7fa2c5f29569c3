/** Misuse of destinations and contacts: moved defaults, rows that do not decrypt, old approvals, names. */
import { expect, test } from 'vitest'
import { api, join, organization, person, withStepUp } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import {
  BANK,
  WALLET,
  add,
  contactWith,
  defaultsOf,
  destinationsPath,
  seen,
} from '../../support/contacts/destinations.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const byOwner = [{ action_type: 'payment_contact' as const, steps: [{ required: 1, roles: ['owner' as const] }] }]

test('who may not change which destination is paid does not move it by adding one', async () => {
  const { boss, payer, contact, list } = await contactWith([BANK])
  const member = await person()
  await join(payer.id, member, 'member')
  expectRefusal(await add(member, contact, { ...WALLET, default: true }), 'forbidden', {
    permission: 'payment_destinations.update',
  })
  expect((await add(member, contact, WALLET)).status).toBe(201)
  expect(await defaultsOf(boss, contact)).toEqual([true, false])

  const empty = await api('POST', list, { token: member.token, body: { name: 'Empty', type: 'business' } })
  expect((await add(member, empty.body.id, { ...BANK, default: true })).body.default).toBe(true)
})

const corrupt = (id: string) => owner`
  update payment_destinations set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id}`

test('a destination that does not open hides nothing else: lists mask it, reading it alone fails', async () => {
  const { boss, payer, contact, list } = await contactWith([BANK, WALLET])
  const ids = (await seen(boss, contact)).destinations.map((one: { id: string }) => one.id)
  const another = { name: 'O', type: 'business', destinations: [BANK] }
  const other = await api('POST', list, { token: boss.token, body: another })
  for (const id of ids) await corrupt(id)
  const expected = [
    { id: ids[0], type: 'bank', iban: null, account_number: null, currency: 'EUR', account_holder_name: '…' },
    { id: ids[1], type: 'crypto', coin: 'USDC', network: '…', address: '…' },
  ]
  expect((await seen(boss, contact)).destinations).toMatchObject(expected)
  const listed = await api('GET', list, { token: boss.token })
  expect(listed.body.data).toMatchObject([{ id: other.body.id }, { id: contact, destinations: expected }])
  const destinations = await api('GET', destinationsPath(contact), { token: boss.token })
  expect(destinations.body.data).toMatchObject(expected.toReversed())
  expect((await api('GET', `/payment-destinations/${ids[0]}`, { token: boss.token })).status).toBe(500)

  await setRules(payer.id, boss, byOwner)
  const body = { name: 'Waits', type: 'business', destinations: [BANK] }
  const waits = await api('POST', list, { token: boss.token, body })
  await corrupt(waits.body.destinations[0].id)
  const path = `/organizations/${payer.id}/approvals`
  const approvals = await api('GET', path, { token: boss.token })
  expect(approvals.body.data).toMatchObject([{ subject: { payment_contact: { destinations: [{ account: null }] } } }])
  const id = waits.body.approval_request_id
  expect((await api('POST', `${path}/${id}/reject`, { token: boss.token, body: {} })).status).toBe(200)
})

test('an approval shows for ever what was approved, whatever becomes of the contact later', async () => {
  const payee = await organization(await person(), 'Payee')
  const { boss, payer, list } = await contactWith([])
  await setRules(payer.id, boss, byOwner)
  const path = (id: string) => `/organizations/${payer.id}/approvals/${id}`
  const approve = (id: string) => withStepUp('POST', `${path(id)}/approve`, { token: boss.token, body: {} })
  const shown = async (id: string) => {
    const { name, destinations } = (await api('GET', path(id), { token: boss.token })).body.subject.payment_contact
    return { name, destinations }
  }
  const body = { name: 'First', type: 'business', destinations: [{ type: 'svc_id', svc_id: payee.svcId }, BANK] }
  const { id: contact, approval_request_id: creation } = (await api('POST', list, { token: boss.token, body })).body
  const created = await shown(creation)
  expect(created).toMatchObject({
    name: 'First',
    destinations: [
      { type: 'svc_id', default: true, becomes_default: false, new: true },
      { type: 'bank', account: '…2051', default: false, becomes_default: false, new: true },
    ],
  })
  expect((await approve(creation)).status).toBe(200)
  expect(await shown(creation)).toEqual(created)

  const added = (await add(boss, contact, { ...WALLET, default: true })).body
  const addition = await shown(added.approval_request_id)
  expect(addition).toMatchObject({
    destinations: [
      { type: 'svc_id', default: true, becomes_default: false, new: false },
      { type: 'bank', default: false, becomes_default: false, new: false },
      { id: added.id, default: false, becomes_default: true, new: true },
    ],
  })
  expect((await approve(added.approval_request_id)).status).toBe(200)
  expect(await defaultsOf(boss, contact)).toEqual([false, false, true])
  const rename = { token: boss.token, body: { name: 'Renamed' } }
  const renamed = (await api('PATCH', `/payment-contacts/${contact}`, rename)).body
  expect((await approve(renamed.approval_request_id)).status).toBe(200)
  const [, bank] = created.destinations
  expect((await api('DELETE', `/payment-destinations/${bank.id}`, { token: boss.token })).status).toBe(200)

  expect(await shown(creation)).toEqual(created)
  expect(await shown(added.approval_request_id)).toEqual(addition)
})

test('a repeat of what was deleted since is told that it is not there any more', async () => {
  const { boss, contact } = await contactWith([BANK])
  const added = await add(boss, contact, WALLET, 'a key')
  expect((await add(boss, contact, WALLET, 'a key')).body).toEqual(added.body)
  await api('DELETE', `/payment-destinations/${added.body.id}`, { token: boss.token })
  expect((await add(boss, contact, WALLET, 'a key')).status).toBe(404)
  expect((await add(boss, contact, WALLET, 'another key')).status).toBe(201)
})
