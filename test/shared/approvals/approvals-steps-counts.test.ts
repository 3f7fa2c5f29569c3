/** The counts in the list of approvals against a full recount, for every member. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TestPerson, api, approve, createPayment } from '../../support/api.ts'
import { decide, staffedPayer } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { fullScale } from '../../support/model-runs.ts'
import type { Payment } from '../../support/runs/runs.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const STAFF = ['owner', 'admin', 'admin', 'member', 'member', 'member'] as const
type Member = TestPerson & { role: (typeof STAFF)[number] }

/** Counts from policies and decisions alone, without the counters of the service. */
async function recount(organizationId: string, { userId, role }: Member) {
  const [row] = await owner<{ pending_count: string; can_take_action: boolean }[]>`
    with pending as (
      select a.id, a.policy, a.requester_id from approvals a
      where a.organization_id = ${organizationId} and a.status = 'pending'
    ), given as (
      select d.approval_id, d.step, d.user_id from approval_decisions d where d.decision = 'approve'
        and not exists (select from voided_approvals v where v.decision_id = d.decision_id)
    ), steps as (
      select p.id, p.requester_id, (p.policy ->> 'self_approval')::boolean as self, s.number - 1 as number,
        (s.step ->> 'required')::int > (select count(*) from given g where g.approval_id = p.id and g.step = s.number - 1)
          as lacking,
        s.step -> 'roles' ? ${role} or coalesce(s.step -> 'user_ids' ? ${userId}, false) as named
      from pending p, jsonb_array_elements(p.policy -> 'steps') with ordinality s (step, number)
    ), opened as (
      select distinct on (s.id) s.* from steps s where s.lacking order by s.id, s.number
    )
    select
      (select count(*) from pending p where ${role} <> 'member' or p.requester_id = ${userId}
        or exists (select from steps s where s.id = p.id and s.named)) as pending_count,
      exists (select from opened o where o.named and (o.self or o.requester_id <> ${userId})
        and not exists (select from given g where g.approval_id = o.id and g.user_id = ${userId})) as can_take_action`
  return { pending_count: Number(row?.pending_count), can_take_action: row?.can_take_action }
}

async function listed(organizationId: string, { token }: Member, whole: boolean) {
  const read = (more: string) => api('GET', `/organizations/${organizationId}/approvals${more}`, { token })
  const { data, pending_count, can_take_action } = (await read('?limit=100')).body
  expect(data).toHaveLength(pending_count)
  if (whole) {
    const details = await Promise.all(data.map(({ approval_id: id }: { approval_id: string }) => read(`/${id}`)))
    expect(details.some((one) => one.body.can_take_action)).toBe(can_take_action)
  }
  return { pending_count, can_take_action }
}

test('pending_count and can_take_action agree with a recount, whatever was decided', async () => {
  const { boss, id, contactId, staff } = await staffedPayer(...STAFF)
  const everybody: Member[] = [{ ...boss, role: 'owner' }, ...staff.map((one, at) => ({ ...one, role: STAFF[at]! }))]
  const policies = [
    rule({ steps: [{ required: 2, roles: ['admin'], user_ids: [staff[3].userId] }] }),
    rule({
      steps: [
        { required: 1, roles: ['admin'] },
        { required: 2, roles: ['owner', 'member'] },
      ],
      self_approval: false,
    }),
    rule({ steps: [{ required: 1, roles: ['owner'] }], self_approval: false }),
    rule(),
  ]
  const deed = fc.record({
    somebody: fc.constantFrom(...everybody),
    on: fc.nat(),
    how: fc.constantFrom('pay', 'pay', 'approve', 'approve', 'approve', 'reject', 'cancel'),
  })
  const payments: Payment[] = []
  const perform = async ({ somebody, on, how }: typeof deed extends fc.Arbitrary<infer Deed> ? Deed : never) => {
    const payment = payments[on % payments.length]
    if (how === 'pay' || !payment) payments.push(await createPayment(somebody, contactId, `${1 + (on % 9)}.00`))
    else if (how === 'approve') await approve(somebody, payment)
    else await decide(somebody, payment, how)
  }
  for (const [index, policy] of policies.entries()) {
    await setPolicy(boss, id, policy)
    const deeds = fc.sample(deed, { numRuns: fullScale ? 30 : 9, seed: 4711 + index })
    // some at once, so that decisions race
    for (let start = 0; start < deeds.length; start += 6) await Promise.all(deeds.slice(start, start + 6).map(perform))
    const whole = index === policies.length - 1 // approvals of each policy wait by then
    for (const somebody of everybody) {
      expect(await listed(id, somebody, whole), somebody.role).toEqual(await recount(id, somebody))
    }
  }
  const open = await owner`select from approvals where organization_id = ${id} and status = 'pending'`
  expect(open.length).toBeGreaterThan(5)
})
