/** The counts in the list of approvals against a full recount, for every member. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approve,
  approvalPath,
  createPayment,
  join,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fullScale } from '../../support/model-runs.ts'
import type { Payment } from '../../support/runs/runs.ts'
import { rule, setPolicy } from '../../support/approvals/policies.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Role = 'owner' | 'admin' | 'member'
type Member = TestPerson & { role: Role }

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
  const { body } = await api('GET', `/organizations/${organizationId}/approvals?limit=100`, { token })
  const { pending_count, can_take_action } = body
  expect(body.data).toHaveLength(pending_count)
  const details = await Promise.all(
    (whole ? body.data : []).map(({ approval_id: id }: { approval_id: string }) =>
      api('GET', `/organizations/${organizationId}/approvals/${id}`, { token }),
    ),
  )
  if (whole) expect(details.some((one) => one.body.can_take_action)).toBe(can_take_action)
  return { pending_count, can_take_action }
}

async function members(organizationId: string, boss: TestPerson): Promise<Member[]> {
  const everybody: Member[] = [{ ...boss, role: 'owner' }]
  for (const role of ['owner', 'admin', 'admin', 'member', 'member', 'member'] as const) {
    const somebody = await person()
    await join(organizationId, somebody, role)
    everybody.push({ ...somebody, role })
  }
  return everybody
}

test('pending_count and can_take_action agree with a recount, whatever was decided', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100000.00')
  const everybody = await members(payer.id, boss)
  const named = everybody[4] as Member
  const policies = [
    rule({ steps: [{ required: 2, roles: ['admin'], user_ids: [named.userId] }] }),
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
    by: fc.nat({ max: everybody.length - 1 }),
    on: fc.nat(),
    how: fc.constantFrom('pay', 'pay', 'approve', 'approve', 'approve', 'reject', 'cancel'),
  })
  const payments: Payment[] = []
  const perform = async ({ by, on, how }: { by: number; on: number; how: string }) => {
    const somebody = everybody[by] as Member
    const payment = payments[on % payments.length]
    if (how === 'pay' || !payment) payments.push(await createPayment(somebody, contactId, `${1 + (on % 9)}.00`))
    else if (how === 'approve') await approve(somebody, payment)
    else await api('POST', `${approvalPath(payment)}/${how}`, { token: somebody.token, body: {} })
  }
  const agree = async (whole = false) => {
    for (const somebody of everybody) {
      expect(await listed(payer.id, somebody, whole), somebody.role).toEqual(await recount(payer.id, somebody))
    }
  }
  for (const [index, policy] of policies.entries()) {
    await setPolicy(boss, payer.id, policy)
    const deeds = fc.sample(deed, { numRuns: fullScale ? 30 : 9, seed: 4711 + index })
    // some at once, so that decisions race
    for (let start = 0; start < deeds.length; start += 6) await Promise.all(deeds.slice(start, start + 6).map(perform))
    await agree(index === policies.length - 1) // approvals of each policy wait by then
  }
  const open =
    await owner`select count(*) as n from approvals where organization_id = ${payer.id} and status = 'pending'`
  expect(Number(open[0]?.['n'])).toBeGreaterThan(5)
})
