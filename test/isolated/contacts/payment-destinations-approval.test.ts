/** Under an approval policy, changes of destinations wait, and no payment uses them before. */
import { describe, expect, test } from 'vitest'
import { client } from '../../../temporal/client.ts'
import { everyNth, MANY } from '../../support/model-runs.ts'
import { type TestPerson, api, paymentBody } from '../../support/api.ts'
import { expectRefusal } from '../../support/http/refusals.ts'
import { expectAsRead, joined } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET, add, defaultsOf, destinationsPath, seen } from '../../support/contacts/destinations.ts'
import { approvalOf, decide, scene } from '../../support/contacts/approvals.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { wait } from '../../support/identity/identity.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const pay = (by: TestPerson, contact: string) =>
  api('POST', '/payments', { token: by.token, body: paymentBody(contact, '1.00') })
const change = (by: TestPerson, id: string, body: object) =>
  api('PATCH', `/payment-destinations/${id}`, { token: by.token, body })
const stateOf = async (contact: string) =>
  (await client.workflow.getHandle(`payment-contact-${contact}`).describe()).status.name

describe('a new destination', () => {
  test('is not paid at, and keeps its contact from being paid, before it is approved', async () => {
    const { boss, admin, contact } = await scene()
    const added = await add(boss, contact, { ...BANK, default: true })
    expect(added.body).toMatchObject({ ...BANK, status: 'pending_approval', default: false, becomes_default: true })
    expect(await seen(boss, contact)).toMatchObject({
      status: 'pending_approval',
      approval_request_id: added.body.approval_request_id,
      destinations: [
        { type: 'svc_id', status: 'active', default: true },
        { id: added.body.id, status: 'pending_approval', default: false },
      ],
    })
    expectRefusal(await pay(boss, contact), 'contact_not_approved', { status: 'pending_approval' })
    const asked = await api('GET', await approvalOf(admin, contact), { token: admin.token })
    expect(asked.body).toMatchObject({
      summary: 'Add an account to the payee "Payee" (IBAN …2051). It becomes the account that payments go to.',
      can_take_action: true,
      requester: { id: boss.userId },
      subject: {
        payment_contact: {
          destinations: [
            { type: 'svc_id', new: false, default: true, becomes_default: false, account: null },
            { id: added.body.id, new: true, default: false, becomes_default: true, account: '…2051' },
          ],
        },
      },
    })
    expect(JSON.stringify(asked.body)).not.toContain(BANK.iban)
    // the approver can read the whole request
    const whole = await api('GET', `/payment-destinations/${added.body.id}`, { token: admin.token })
    expect(whole.body.iban).toBe(BANK.iban)
    const path = await approvalOf(admin, contact)
    const approved = await decide(admin, contact, 'approve')
    expect(approved.body.status).toBe('approved')
    await expectAsRead(approved, path, admin)
    expect(await seen(boss, contact)).toMatchObject({ status: 'active', destinations: [{}, { status: 'active' }] })
    expect(await defaultsOf(boss, contact)).toEqual([false, true])
    expect((await pay(boss, contact)).body.error.type).toBe('unsupported_rail')
    await eventually(() => stateOf(contact)).toBe('COMPLETED')
  })

  test.each(everyNth(['reject', 'cancel'] as const, 2))(
    'is gone after a %s, and the contact is as it was',
    async (verb) => {
      const { boss, admin, member, contact } = await scene()
      const added = await add(boss, contact, { ...BANK, default: true })
      const [by, path] = [verb === 'reject' ? admin : boss, await approvalOf(boss, contact)]
      await expectAsRead(await decide(by, contact, verb), path, by)
      const destinations = [{ type: 'svc_id', default: true }]
      expect(await seen(boss, contact)).toMatchObject({ status: 'active', destinations })
      expect((await api('GET', `/payment-destinations/${added.body.id}`, { token: boss.token })).status).toBe(404)
      expect((await pay(boss, contact)).status).toBe(201)
      const past = await api('GET', await approvalOf(admin, contact), { token: admin.token })
      expect(past.body.subject.payment_contact.destinations).toMatchObject([{ new: false }, { new: true }])
      expect((await add(member, contact, BANK)).status).toBe(201)
    },
  )

  test('is gone when nobody decided in time', async () => {
    const { boss, member, contact } = await scene()
    await add(member, contact, BANK)
    await wait(49 * 3600)
    await eventually(async () => (await seen(boss, contact)).status).toBe('active')
    expect(await defaultsOf(boss, contact)).toEqual([true])
  })

  test('waits also where it is the first one', async () => {
    const { boss, admin, member, payer, contact } = await scene()
    const list = `/organizations/${payer.id}/payment-contacts`
    const empty = await api('POST', list, { token: boss.token, body: { name: 'Empty', type: 'business' } })
    expect(empty.body.status).toBe('pending_approval')
    await decide(admin, empty.body.id, 'approve')
    const added = await add(member, empty.body.id, BANK)
    expect(added.body).toMatchObject({ status: 'pending_approval', default: false, becomes_default: true })
    expect((await pay(boss, empty.body.id)).status).toBe(422)
    await decide(admin, empty.body.id, 'approve')
    expect(await defaultsOf(boss, empty.body.id)).toEqual([true])
    expect(await defaultsOf(boss, contact)).toEqual([true])
  })
})

test('another default is one when it is approved, and not before or when it is rejected', async () => {
  const { boss, admin, contact } = await scene([BANK])
  const [bank] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  for (const [verb, after] of [
    ['reject', [true, false]],
    ['approve', [false, true]],
  ] as const) {
    const asked = await change(boss, bank.id, { default: true, label: `to ${verb}` })
    expect(asked.body).toMatchObject({ default: false, becomes_default: true, status: 'active', label: `to ${verb}` })
    expect((await pay(boss, contact)).body.error.type).toBe('contact_not_approved')
    const { subject } = (await api('GET', await approvalOf(admin, contact), { token: admin.token })).body
    expect(subject.payment_contact.destinations).toMatchObject([
      { new: false, becomes_default: false },
      { new: false, becomes_default: true },
    ])
    await decide(admin, contact, verb)
    expect(await defaultsOf(boss, contact)).toEqual(after)
    expect((await seen(boss, contact)).destinations).toHaveLength(2)
  }
})

test('another default is not made by deleting the one that is', async () => {
  const { boss, contact } = await scene([BANK])
  const [bank, first] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
  const remove = (id: string) => api('DELETE', `/payment-destinations/${id}`, { token: boss.token })
  expect((await remove(first.id)).body.error.details.reason).toBe('default_needed')
  expect((await remove(bank.id)).status).toBe(200)
  expect((await remove(first.id)).status).toBe(200)
})

const rename = (by: TestPerson, contact: string, body: object) =>
  api('PATCH', `/payment-contacts/${contact}`, { token: by.token, body })

test('another name is its name when that is approved, and not before, while the rest of the change is made at once', async () => {
  const { boss, admin, contact, payee } = await scene([BANK])
  const asked = await rename(boss, contact, { name: 'Amazon Web Services', tag: 'vendor' })
  expect([asked.status, asked.body]).toMatchObject([
    200,
    { name: 'Payee', becomes_name: 'Amazon Web Services', tag: 'vendor', status: 'pending_approval' },
  ])
  expect((await pay(boss, contact)).body.error.type).toBe('contact_not_approved')
  const path = await approvalOf(admin, contact)
  const shown = (await api('GET', path, { token: admin.token })).body
  expect(shown).toMatchObject({
    summary: `Rename the payee "Payee" to "Amazon Web Services" (service ID ${payee.svcId}).`,
    subject: { payment_contact: { name: 'Payee', becomes_name: 'Amazon Web Services', tag: 'vendor' } },
  })
  await expectAsRead(await decide(admin, contact, 'approve'), path, admin)
  const { name, becomes_name: becomes, status } = await seen(boss, contact)
  expect([name, becomes, status]).toEqual(['Amazon Web Services', null, 'active'])
  expect((await api('GET', path, { token: admin.token })).body.subject).toMatchObject({
    payment_contact: { name: 'Payee', becomes_name: 'Amazon Web Services', status: 'active' },
  })
  expect((await pay(boss, contact)).body.destination_name).toBe('Amazon Web Services')
  const logged = await owner`select type, payload from events where subject_id = ${contact} order by occurred_at, id`
  expect(logged.slice(1).map(({ type, payload }) => [type, payload && JSON.parse(payload)])).toEqual([
    ['payment_contact.updated', { changed: ['tag'] }],
    ['payment_contact.change_requested', null],
    ['payment_contact.approved', { name: 'Amazon Web Services' }],
  ])
  expect((await rename(boss, contact, { name: 'Amazon Web Services' })).body.status).toBe('active')
})

test.each(everyNth(['reject', 'cancel'] as const, 2))('another name is forgotten after a %s', async (verb) => {
  const { boss, admin, contact } = await scene()
  await rename(boss, contact, { name: 'Other' })
  const [by, path] = [verb === 'reject' ? admin : boss, await approvalOf(boss, contact)]
  await expectAsRead(await decide(by, contact, verb), path, by)
  expect(await seen(boss, contact)).toMatchObject({ name: 'Payee', becomes_name: null, status: 'active' })
  // the next approval does not bring it either
  await add(boss, contact, BANK)
  await decide(admin, contact, 'approve')
  expect(await seen(boss, contact)).toMatchObject({ name: 'Payee', becomes_name: null, status: 'active' })
})

describe('while a change waits', () => {
  test('another one is refused, whatever it is', async () => {
    const { boss, member, contact } = await scene([BANK])
    const [bank, first] = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
    await add(member, contact, WALLET)
    const answers = [
      await add(boss, contact, { ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }),
      await change(boss, bank.id, { default: true }),
      await change(boss, first.id, { label: 'x' }),
      await api('DELETE', `/payment-destinations/${bank.id}`, { token: boss.token }),
      await api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { name: 'Other' } }),
    ]
    const refused = { type: 'invalid_state', details: { current: 'pending_approval' } }
    for (const { body } of answers) expect(body.error).toMatchObject(refused)
  })

  test('of many that are asked for at once one waits', async () => {
    const { boss, contact } = await scene([BANK, WALLET])
    const ids = (await api('GET', destinationsPath(contact), { token: boss.token })).body.data
      .slice(0, 2)
      .map(({ id }: { id: string }) => id)
    const answers = await Promise.all(
      Array.from({ length: MANY }, (_, index) => change(boss, ids[index % 2], { default: true })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(MANY - 1)
    const waiting = await owner`select 1 from approvals where target_id = ${contact} and status = 'pending'`
    expect(waiting).toHaveLength(1)
  })

  test('a ban of the organization puts it back as it was', async () => {
    const { boss, member, payer, contact } = await scene()
    await add(member, contact, BANK)
    await moveOrganization(payer.id as never, 'ban')
    await moveOrganization(payer.id as never, 'unban')
    expect(await seen(boss, contact)).toMatchObject({ status: 'active', destinations: [{ type: 'svc_id' }] })
    // the run of the cancelled request takes the new one
    expect((await add(boss, contact, BANK)).body.status).toBe('pending_approval')
    const [admin] = await joined(payer.id, 'admin', 1)
    expect((await decide(admin!, contact, 'approve')).body.status).toBe('approved')
  })
})

test('adding, deciding and deleting at once leave a contact that is whole or gone', async () => {
  const { boss, admin, member, contact } = await scene()
  for (let round = 0; round < 3; round += 1) {
    await add(member, contact, WALLET)
    await Promise.all([
      decide(admin, contact, 'approve'),
      decide(member, contact, 'cancel'),
      ...Array.from({ length: 4 }, () => add(boss, contact, BANK)),
      ...(round === 2 ? [api('DELETE', `/payment-contacts/${contact}`, { token: boss.token })] : []),
    ])
    const [row] = await owner`
      select c.status, c.changing, c.deleted_at is not null as gone,
        (select count(*)::int from approvals a where a.target_id = c.id and a.status = 'pending') as waiting,
        (select count(*)::int from payment_destinations d where d.payment_contact_id = c.id and d.pending
          and d.deleted_at is null) as pending
      from payment_contacts c where c.id = ${contact}`
    const waits = row?.['status'] === 'pending_approval' ? 1 : 0
    expect(row).toMatchObject({ changing: waits === 1, waiting: waits, pending: waits })
    if (row?.['gone']) expect(row['status']).toBe('archived')
    if (waits === 1) await decide(admin, contact, 'reject')
  }
  expect((await api('GET', `/payment-contacts/${contact}`, { token: boss.token })).status).toBe(404)
})
