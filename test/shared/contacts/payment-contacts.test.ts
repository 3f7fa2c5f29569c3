import { describe, expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  createPayment,
  payerAndPayee,
  paymentBody,
  withStepUp,
} from '../../support/api.ts'
import { BANK, WALLET, add, contactWith, defaultsOf, seen, setting } from '../../support/contacts/destinations.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { changeContact } from '../../../services/contacts/commands.ts'
import { inOrganization } from '../../../db/postgres/sql.ts'
import type { ContactId, OrganizationId } from '../../../domain/ids.ts'
import { client } from '../../../temporal/client.ts'
import { joined, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { eventually, stateOf } from '../../support/runs/runs.ts'
import { personOf } from '../../support/swaps.ts'
import { useWorker } from '../../support/worker.ts'
import { MANY, fullScale } from '../../support/model-runs.ts'

useWorker()

const create = (by: TestPerson, list: string, body: object) =>
  api('POST', list, { token: by.token, body: { name: 'Payee', type: 'business', ...body } })

describe('creating', () => {
  test('answers the contact with its destinations, the first one as the default, and writes an event', async () => {
    const { boss, payer, payee, list } = await setting()
    const made = await create(boss, list, {
      email: 'Pay@Example.com',
      tag: 'vendor',
      destinations: [{ type: 'svc_id', svc_id: payee.svcId, label: 'Main' }, BANK, WALLET],
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      organization_id: payer.id,
      name: 'Payee',
      type: 'business',
      email: 'pay@example.com',
      tag: 'vendor',
      status: 'active',
      created_by: boss.userId,
      destinations: [
        { type: 'svc_id', svc_id: payee.svcId, label: 'Main', default: true },
        { ...BANK, swift_code: null, account_number: null, label: null, default: false },
        { ...WALLET, memo: null, default: false },
      ],
    })
    const read = await api('GET', `/payment-contacts/${made.body.id}`, { token: boss.token })
    expect(read.body).toMatchObject({
      id: made.body.id,
      destinations: [{ svc_id: payee.svcId }, { ...BANK, iban: '…2051' }, { ...WALLET, address: '…9EE7' }],
    })
    const [event] = await owner`select type, payload from events where subject_id = ${made.body.id}`
    expect(event?.['type']).toBe('payment_contact.created')
    expect(event?.['payload']).not.toContain(BANK.iban)
  })

  test('a service ID that nobody has is refused by its path, and nothing is made', async () => {
    const { boss, list } = await setting()
    const refused = await create(boss, list, { destinations: [BANK, { type: 'svc_id', svc_id: 'nobody-has-this' }] })
    expect(refusal(refused)).toEqual([422, 'unknown_handle'])
    expect(refused.body.error.details).toEqual({ path: 'destinations.1.svc_id', svc_id: 'nobody-has-this' })
    expect((await api('GET', list, { token: boss.token })).body.data).toEqual([])
  })
})

describe('reading', () => {
  test('the list is newest first, filtered, and paged without gaps', async () => {
    const { boss, list } = await setting()
    const bodies = [
      { name: 'Alpha', tag: 'vendor' },
      { name: 'Beta', tag: 'employee', email: 'alphabet@example.com' },
      { name: 'Gamma', tag: 'vendor' },
      { name: 'Delta' },
    ]
    for (const body of bodies) await create(boss, list, body)
    const names = async (query: string) =>
      (await api('GET', `${list}?${query}`, { token: boss.token })).body.data.map((item: { name: string }) => item.name)
    expect(await names('')).toEqual(['Delta', 'Gamma', 'Beta', 'Alpha'])
    expect(await names('tag=vendor')).toEqual(['Gamma', 'Alpha'])
    expect(await names('q=ALPHA')).toEqual(['Beta', 'Alpha'])
    expect(await names('q=100%25_')).toEqual([])
    expect(await names('status=active&tag=employee')).toEqual(['Beta'])
    expect(await names('status=archived')).toEqual([])
    const first = await api('GET', `${list}?limit=1&tag=vendor`, { token: boss.token })
    expect(await names(`tag=vendor&cursor=${first.body.next_cursor}`)).toEqual(['Alpha'])
  })

  test('a deleted contact is not found and not listed, and still serves as a cursor', async () => {
    const { boss, list } = await setting()
    const [older, deleted] = [await create(boss, list, { name: 'Older' }), await create(boss, list, {})]
    const gone = await api('DELETE', `/payment-contacts/${deleted.body.id}`, { token: boss.token })
    expect(gone.body).toEqual({ deleted: true, id: deleted.body.id })
    expect((await api('GET', `/payment-contacts/${deleted.body.id}`, { token: boss.token })).status).toBe(404)
    const page = await api('GET', `${list}?cursor=${deleted.body.id}`, { token: boss.token })
    expect(page.body.data.map((item: { id: string }) => item.id)).toEqual([older.body.id])
  })
})

describe('payment contacts changes', () => {
  const patch = (by: TestPerson, contact: string, body: object) =>
    api('PATCH', `/payment-contacts/${contact}`, { token: by.token, body })
  const remove = (by: TestPerson, contact: string) => api('DELETE', `/payment-contacts/${contact}`, { token: by.token })
  const removeDestination = (by: TestPerson, id: string) =>
    api('DELETE', `/payment-destinations/${id}`, { token: by.token })

  test('of a change, what is absent stays, null clears, and the log names what changed but no address', async () => {
    const { boss, contact } = await contactWith([BANK])
    const changed = await patch(boss, contact, { name: 'New name', email: 'New@Example.com', tag: 'vendor' })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'New name', email: 'new@example.com', tag: 'vendor', destinations: [{ iban: '…2051' }] },
    ])
    expect((await patch(boss, contact, { tag: null })).body).toMatchObject({ name: 'New name', tag: null })
    expect((await patch(boss, contact, {})).body.email).toBe('new@example.com')
    const events = await owner`
    select payload from events where subject_id = ${contact} and type = 'payment_contact.updated' order by id`
    expect(events.map(({ payload }) => JSON.parse(payload))).toEqual([
      { changed: ['name', 'email', 'tag'], name: 'New name' },
      { changed: ['tag'] },
    ])
  })

  test('of two changes at once the later one keeps what the other changed', async () => {
    const { boss, payer, contact } = await contactWith([])
    const [actor, organizationId, id] = [personOf(boss), payer.id as OrganizationId, contact as ContactId] // just made
    const { later } = await inOrganization(actor, organizationId, async (tx) => {
      await changeContact(tx, actor, id, { name: 'First' })
      const later = inOrganization(actor, organizationId, (other) => changeContact(other, actor, id, { tag: 'vendor' }))
      await untilBlocked(tx)
      return { later }
    })
    await later
    expect(await seen(boss, contact)).toMatchObject({ name: 'First', tag: 'vendor' })
  })

  const ROUNDS = fullScale ? 5 : 1

  describe('deleting a contact', () => {
    test('cancels the payments that wait for approval, and ends their runs', async () => {
      const { boss, contactId } = await payerAndPayee()
      const payments = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '2.00')]
      const deleted = await remove(boss, contactId)
      expect([deleted.status, deleted.body]).toEqual([200, { deleted: true, id: contactId }])
      for (const payment of payments) {
        const read = await api('GET', `/payments/${payment.id}`, { token: boss.token })
        expect(read.body).toMatchObject({ status: 'cancelled', status_detail: 'contact deleted' })
        const approval = await api('GET', approvalPath(payment), { token: boss.token })
        expect(approval.body).toMatchObject({
          status: 'cancelled',
          decisions: [{ decision: 'cancel', user_id: boss.userId, comment: 'contact deleted' }],
        })
        await eventually(() => stateOf(payment)).toBe('COMPLETED')
      }
      expect((await remove(boss, contactId)).status).toBe(404)
      expect((await patch(boss, contactId, { name: 'x' })).status).toBe(404)
      expect((await add(boss, contactId, BANK)).status).toBe(404)
      expect((await api('POST', '/payments', { token: boss.token, body: paymentBody(contactId) })).status).toBe(404)
      const events = await owner`select type from events where subject_id = ${contactId} order by id`
      expect(events.at(-1)?.['type']).toBe('payment_contact.deleted')
    })

    test('is refused while a payment is under way, and changes nothing', async () => {
      const { boss, contactId } = await payerAndPayee()
      const [waiting, underWay] = [await createPayment(boss, contactId), await createPayment(boss, contactId)]
      for (const status of ['submitted', 'processing', 'on_hold', 'cancelling']) {
        // as if its rail had accepted or held it
        await owner`update payments set status = ${status} where id = ${underWay.id}`
        for (const refused of [await remove(boss, contactId), await removeDestination(boss, waiting.destination_id)])
          expect(refusal(refused), status).toEqual([409, 'contact_in_use'])
      }
      await owner`update payments set status = 'cancelled' where id = ${underWay.id}` // its run has no way from there
      expect(await statusOf(waiting.id)).toBe('awaiting_approval')
      expect((await seen(boss, contactId)).status).toBe('active')
    })

    test('ends the approval that it waits for, and its run', async () => {
      const { boss, payer, list } = await contactWith([])
      const [admin] = await joined(payer.id, 'admin', 1)
      await setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['admin'] }] }])
      const body = { name: 'Waits', type: 'business', destinations: [WALLET] }
      const { body: made } = await api('POST', list, { token: boss.token, body })
      expect((await remove(boss, made.id)).status).toBe(200)
      const late = await withStepUp('POST', `${approvalPath(made)}/approve`, { token: admin!.token, body: {} })
      expect(refusal(late)).toEqual([409, 'approval_already_processed'])
      const run = client.workflow.getHandle(`payment-contact-${made.id}`)
      await eventually(async () => (await run.describe()).status.name).toBe('COMPLETED')
    })

    test('against approvals of its payments: each payment is paid or cancelled, and a deleted contact has none under way', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { boss, contactId } = await payerAndPayee()
        const payments = await Promise.all(Array.from({ length: 4 }, () => createPayment(boss, contactId, '1.00')))
        const [deleted] = await Promise.all([
          remove(boss, contactId),
          ...payments.slice(0, 2).map((payment) => approve(boss, payment)),
          remove(boss, contactId),
        ])
        if (deleted?.status !== 200) await eventually(async () => (await remove(boss, contactId)).status).not.toBe(409)
        for (const { id } of payments) await eventually(() => statusOf(id)).toMatch(/succeeded|cancelled/)
      }
    })

    test('against payments that are made in the same moment: none of them is left to wait', async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { boss, contactId } = await payerAndPayee()
        const making = Array.from({ length: 8 }, () =>
          api('POST', '/payments', { token: boss.token, body: paymentBody(contactId, '1.00') }),
        )
        await Promise.race(making)
        const answers = await Promise.all([remove(boss, contactId), ...making])
        expect(answers[0]?.status).toBe(200)
        for (const { status } of answers.slice(1)) expect([201, 404]).toContain(status)
        const left = await owner`
        select status from payments where payment_contact_id = ${contactId} and status <> 'cancelled'`
        expect(left).toEqual([])
      }
    })
  })

  describe('deleting a destination', () => {
    test('cancels the payments to it alone; the first made of the others is the default', async () => {
      const { boss, contactId } = await payerAndPayee()
      const old = await createPayment(boss, contactId)
      await add(boss, contactId, WALLET)
      await add(boss, contactId, BANK)
      expect((await removeDestination(boss, old.destination_id)).status).toBe(200)
      expect(await statusOf(old.id)).toBe('cancelled')
      const read = await api('GET', `/payments/${old.id}`, { token: boss.token })
      expect(read.body.status_detail).toBe('destination deleted')
      expect(await defaultsOf(boss, contactId)).toEqual([true, false])
      expect((await seen(boss, contactId)).destinations[0].type).toBe('crypto')
      expect((await removeDestination(boss, old.destination_id)).status).toBe(404)
    })

    test('leaves payments to the others as they are, and one to it is never approved', async () => {
      const { boss, contactId } = await payerAndPayee()
      const payment = await createPayment(boss, contactId)
      const other = await add(boss, contactId, BANK)
      expect((await removeDestination(boss, other.body.id)).status).toBe(200)
      expect(await statusOf(payment.id)).toBe('awaiting_approval')
      // as if it had come in between
      await owner`update payment_destinations set deleted_at = business_now() where id = ${payment.destination_id}`
      const refused = await approve(boss, payment)
      expect(refusal(refused)).toEqual([422, 'destination_missing'])
    })

    test('leaves it out of the list, where it still serves as a cursor', async () => {
      const { boss, contact } = await contactWith([BANK, WALLET])
      const list = (query: string) =>
        api('GET', `/payment-contacts/${contact}/destinations${query}`, { token: boss.token })
      const [wallet, bank] = (await list('')).body.data
      await removeDestination(boss, wallet.id)
      expect((await list('')).body.data).toMatchObject([{ id: bank.id }])
      expect((await list(`?cursor=${wallet.id}`)).body.data).toMatchObject([{ id: bank.id }])
      expect((await list(`?cursor=${bank.id}`)).body.data).toEqual([])
      expect((await add(boss, contact, WALLET)).body).toMatchObject({ default: false, duplicate_of: [] })
    })

    test('many at once leave none, each deleted once', async () => {
      const { boss, contact } = await contactWith([BANK, WALLET])
      const ids = (await seen(boss, contact)).destinations.map(({ id }: { id: string }) => id)
      const answers = await Promise.all(
        Array.from({ length: MANY }, (_, index) => removeDestination(boss, ids[index % 2])),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(MANY - 2)
      expect(await defaultsOf(boss, contact)).toEqual([])
    })
  })
})
