/** Compares attention and lists of approvals with the tables, after any sequence of acts. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setRequirements } from '../../../services/approvals/requests.ts'
import { type ApprovalRequirements, addApproval } from '../../../domain/approvals/requirements.ts'
import type { ApprovalId, UserId } from '../../../domain/ids.ts'
import { type TestPerson, api } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { ask, pagedIds, summary, within } from '../../support/approvals/attention.ts'
import { owner } from '../../support/database.ts'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../support/model-runs.ts'
import { staffed } from '../../support/organizations/members.ts'

const reviewOf = (id: string) => `review_approval:${id}`

type Row = {
  id: string
  requester_id: string
  wait: ApprovalRequirements
  named_roles: string[]
  named_user_ids: string[]
  is_live: boolean
}

/** Recounts what a person should see and could approve, without the code under test. */
async function recounted(id: string, userId: string) {
  const [member] = await owner`select role from members where organization_id = ${id} and user_id = ${userId}`
  const role: string = member?.['role']
  const rows = await owner<Row[]>`
    select a.id, a.requester_id, w.wait, w.named_roles, w.named_user_ids,
      a.expires_at > business_now() as is_live from approvals a
    join approval_waits w on w.id = a.wait_id
    where a.organization_id = ${id} and a.status = 'pending'
    order by a.inserted_at desc, a.id desc`
  const pending = rows.filter(
    (row) =>
      role !== 'member' ||
      row.requester_id === userId ||
      row.named_roles.includes(role) ||
      row.named_user_ids.includes(userId),
  )
  const seen = pending.filter((row) => row.is_live)
  const actionable = seen.filter(({ wait }) => {
    const open = wait.steps.findIndex((step, index) => (wait.given[index] ?? []).length < step.required)
    const step = wait.steps[open]
    const named = step && ((step.roles as string[]).includes(role) || step.user_ids.some((one) => one === userId))
    return named && wait.excluded !== userId && !wait.given.flat().some((giver) => giver === userId)
  })
  return {
    pending: pending.length,
    seen: seen.map((row) => reviewOf(row.id)),
    actionable: actionable.map((row) => reviewOf(row.id)),
  }
}

const step = fc.record({
  required: fc.integer({ min: 1, max: 2 }),
  roles: fc.subarray(['owner', 'admin', 'member'] as const),
  named: fc.subarray([0, 1, 2, 3]),
})
const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      by: fc.nat(3),
      steps: fc.array(step, { minLength: 1, maxLength: 2 }),
      selfApproval: fc.boolean(),
      hours: fc.constantFrom(720, 720, 720, -1),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('give' as const), by: fc.nat(3), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), which: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('role' as const),
      of: fc.integer({ min: 1, max: 3 }),
      role: fc.constantFrom('admin' as const, 'member' as const),
    }),
  },
)

test(
  'whatever happened, everybody’s counts and lists are those of the rows',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const { id, boss, staff } = await staffed('admin', 'member', 'member')
        await setRules(id, boss, []) // so that only approvals need attention
        const people = [boss, ...staff]
        const of = (index: number) => people[index] ?? boss
        const made: ApprovalId[] = []
        for (const one of commands) {
          const approval = 'which' in one ? made[one.which % Math.max(1, made.length)] : undefined
          if (one.kind === 'ask') {
            const steps = one.steps.map(({ named, ...rest }) => ({
              ...rest,
              roles: [...rest.roles],
              people: named.map(of),
            }))
            made.push(await ask(id, of(one.by), { ...one, steps }))
          } else if (one.kind === 'role') {
            await owner`update members set role = ${one.role} where organization_id = ${id} and user_id = ${of(one.of).userId}`
          } else if (approval && one.kind === 'close') {
            await owner`update approvals set status = 'cancelled' where id = ${approval}`
          } else if (approval && one.kind === 'give') {
            await give(id, of(one.by), approval)
          }
        }
        for (const somebody of people) {
          const { pending, seen, actionable } = await recounted(id, somebody.userId)
          const { by_kind: counts } = await summary(somebody, id)
          expect(counts.review_approval).toEqual({ actionable: actionable.length, total: seen.length })
          expect(await pagedIds(somebody, id)).toEqual(seen)
          expect(await pagedIds(somebody, id, '&actionable=true')).toEqual(actionable)
          const parts = await Promise.all(
            ['blocking', 'action', 'info'].map((severity) => pagedIds(somebody, id, `&severity=${severity}`)),
          )
          expect(parts.flat().toSorted()).toEqual(seen.toSorted())
          const { body } = await api('GET', `/organizations/${id}/approvals?status=pending&limit=1`, somebody)
          expect(body).toMatchObject({ pending_count: pending, can_take_action: actionable.length > 0 })
        }
      }),
      { numRuns: modelRuns() },
    )
  },
  MODEL_TIMEOUT_MS,
)

/** One more approval of a pending one, if that is not the last. */
async function give(id: string, by: TestPerson, approval: ApprovalId): Promise<void> {
  const [row] = await owner<{ wait: ApprovalRequirements }[]>`
    select w.wait from approvals a join approval_waits w on w.id = a.wait_id where a.id = ${approval} and a.status = 'pending'`
  if (!row) return
  const next = addApproval(row.wait, by.userId as UserId) // of a row that was written
  if (next.steps.every((one, index) => (next.given[index] ?? []).length >= one.required)) return
  await within(id, by, (tx) => setRequirements(tx, approval, next, false))
}
