import { expect, test } from 'vitest'
import { asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import { apiKey } from '../../support/organizations/api-keys.ts'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import { api, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { remove } from '../../support/organizations/members.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { advance, become, payerBy, sent } from '../../support/payments/payouts.ts'
import { decideSet, paymentsOf, idsOf as approvalsOf } from '../../support/approvals/sets.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const { boss, payer, contactId } = await payerAndPayee('100.00')
const { token } = boss
const pageOf = (id: string, query = '') => api('GET', `/payments/${id}/events${query}`, { token })
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

test('comes in pages of its limit, oldest first, and every event is in one of them', async () => {
  const payment = await createPayment(boss, contactId, '5.00')
  await approve(boss, payment)
  const whole = (await pageOf(payment.id)).body
  expect(whole).toMatchObject({ has_more: false, next_cursor: null })
  const types = whole.data.map((event: { event_type: string }) => event.event_type)
  expect(types).toEqual(['payment.created', 'payment.submitted', 'payment.accepted', 'payment.settled'])
  expect(whole.data[0]).toMatchObject({ id: payment.event.id, actor_kind: 'user', actor_user_id: boss.userId })
  const seen: string[] = []
  for (let next = ''; ;) {
    const { body } = await pageOf(payment.id, `?limit=2${next}`)
    seen.push(...idsOf(body.data))
    if (!body.has_more) break
    expect([body.data.length, body.next_cursor]).toEqual([2, seen.at(-1)])
    next = `&cursor=${body.next_cursor}`
  }
  expect(seen).toEqual(idsOf(whole.data))
  const after = await pageOf(payment.id, `?cursor=${whole.data.at(-1).id}`)
  expect(after.body).toEqual({ data: [], has_more: false, next_cursor: null })
})

/** Reads the events of these subjects, oldest first, each with its causing event. */
async function causesOf(organizationId: string, ...subjects: string[]): Promise<string[]> {
  const rows = await owner<{ told: string }[]>`
    select e.type || case when e.causation_id is null then '' else ' by ' || coalesce(c.type, 'nothing that there is') end
      || case when c.subject_id = any (${subjects}) or c.id is null then '' else ' of something else' end as told
    from events e left join events c on c.id = e.causation_id and c.organization_id = e.organization_id
    where e.organization_id = ${organizationId} and e.subject_id = any (${subjects}) order by e.occurred_at, e.id`
  return rows.map(({ told }) => told)
}

test('each event but the first names the event that caused it, in the whole life of a payment', async () => {
  const at = await payerBy('fiat')
  const payment = await sent(at)
  await become(at, payment, 'succeeded')
  await advance(payment, 'reversed')
  await become(at, payment, 'reversed')
  expect(await causesOf(at.payer.id, payment.id, payment.approval_request_id)).toEqual([
    'payment.created',
    'approval.requested by payment.created',
    'approval.approved by approval.requested',
    'payment.submitted by approval.approved',
    'payment.accepted by payment.submitted',
    'payment.settled by payment.accepted',
    'payment.reversed by payment.settled',
  ])
  // each is found by its id, back from the settlement to the request
  const found = async (id: string) =>
    (await api('GET', `/organizations/${at.payer.id}/events/${id}`, { token: at.boss.token })).body
  const { data } = (await api('GET', `/payments/${payment.id}/events`, { token: at.boss.token })).body
  const way = [await found(data.at(-2).id)]
  while (way[0].causation_id !== null) way.unshift(await found(way[0].causation_id))
  expect(way.map(({ event_type }) => event_type.split('.')[1])).toEqual([
    'created',
    'requested',
    'approved',
    'submitted',
    'accepted',
    'settled',
  ])
  // events of a request carry its id; those of the partner carry none
  const [execute, asked, approve, submitted, ...settled] = way.map(({ correlation_id }) => correlation_id)
  expect([asked, submitted, settled]).toEqual([execute, approve, [null, null]])
  expect(new Set([execute, approve, null]).size).toBe(3)
})

test('no writer of an event says itself what caused it', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  const other = (await pageOf((await createPayment(boss, contactId, '2.00')).id)).body.data[0].id
  await asSystem(
    payer.id as OrganizationId,
    (tx) => tx`
      insert into events (organization_id, stream, subject_id, type, cause, causation_id)
      values (${payer.id}, 'payments', ${payment.id}, 'payment.seen', 'test', ${other})`,
  )
  const { data } = (await pageOf(payment.id)).body
  expect(data.at(-1)).toMatchObject({ event_type: 'payment.seen', causation_id: data[0].id })
})

test('of a set, each payment is submitted by its own approval', async () => {
  const payments = await paymentsOf(boss, contactId, ['1.00', '2.00'])
  await decideSet(boss, payer.id, approvalsOf(payments))
  for (const payment of payments) {
    expect(await causesOf(payer.id, payment.id, payment.approval_request_id)).toEqual([
      'payment.created',
      'approval.requested by payment.created',
      'approval.approved by approval.requested',
      'payment.submitted by approval.approved',
      'payment.accepted by payment.submitted',
      'payment.settled by payment.accepted',
    ])
  }
})

test('what a deed brings with it is caused by it: a removal, a deletion, a ban', async () => {
  const there = await payerAndPayee('100.00')
  const [admin] = await joined(there.payer.id, 'admin', 1)
  const key = await apiKey(there.boss, there.payer.id)
  await setRules(there.payer.id, there.boss, [{ steps: [{ required: 2, roles: ['owner', 'admin'] }] }])
  const about = ({ id, approval_request_id }: { id: string; approval_request_id: string }) =>
    causesOf(there.payer.id, id, approval_request_id)

  const voided = await createPayment(there.boss, there.contactId, '5.00')
  await approve(admin!, voided)
  await remove(there.boss, there.payer.id, admin!.userId)
  const began = ['payment.created', 'approval.requested by payment.created']
  const given = [...began, 'approval.approval_given by approval.requested']
  const removed = [...given, 'approval.approval_voided by member.removed of something else']
  expect(await about(voided)).toEqual(removed)

  await api('DELETE', `/payment-contacts/${there.contactId}`, { token: there.boss.token })
  expect(await about(voided)).toEqual([
    ...removed,
    'approval.cancelled by payment_contact.deleted of something else',
    'payment.cancelled by approval.cancelled',
  ])

  const body = { name: 'Again', type: 'business', destinations: [{ type: 'svc_id', svc_id: there.payee.svcId }] }
  const path = `/organizations/${there.payer.id}/payment-contacts`
  const again = (await api('POST', path, { token: there.boss.token, body })).body
  const banned = await createPayment(there.boss, again.id, '5.00')
  await moveOrganization(there.payer.id as OrganizationId, 'ban')
  expect(await about(banned)).toEqual([
    ...began,
    'approval.cancelled by organization.banned of something else',
    'payment.cancelled by approval.cancelled',
  ])
  expect(await causesOf(there.payer.id, key.id)).toEqual([
    'api_key.created',
    'api_key.revoked by organization.banned of something else',
  ])
})
