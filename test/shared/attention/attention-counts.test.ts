/** The list is capped, its counts are not: both against the tables. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setRequirements } from '../../../db/approvals/requests.ts'
import { type ApprovalRequirements, addApproval } from '../../../domain/approvals/requirements.ts'
import type { ApprovalId, UserId } from '../../../domain/ids.ts'
import { type TestPerson, api } from '../../support/api.ts'
import { ask, attention, item, pagedIds, summary, within } from '../../support/approvals/attention.ts'
import { owner } from '../../support/database.ts'
import { staffed } from '../../support/organizations/members.ts'
import { MODEL_TIMEOUT_MS, modelRuns } from '../../support/model-runs.ts'

const CAP = 200
const reviewOf = (id: string) => `review_approval:${id}`

/** Requests `count` payments, some concurrently, and returns their items, newest first. */
async function askMany(id: string, by: TestPerson, count: number, asked: Parameters<typeof ask>[2]): Promise<string[]> {
  const made: string[] = []
  while (made.length < count) {
    const some = Math.min(10, count - made.length)
    made.push(...(await Promise.all(Array.from({ length: some }, () => ask(id, by, asked)))))
  }
  const rows = await owner<{ id: string }[]>`
    select id from approvals where id = any (${made}) order by inserted_at desc, id desc`
  return rows.map((row) => reviewOf(row.id))
}

test('the list holds the newest 200 that fit, says so in the summary, and every other item is there by its id', async () => {
  const { id, boss, staff } = await staffed('admin', 'member')
  const [admin, member] = staff
  if (!admin || !member) throw new Error('two were made')
  const mine = await askMany(id, admin, 3, { steps: [{ people: [boss] }] })
  const ofMember = await askMany(id, member, 1, { steps: [{ people: [admin] }] })
  const others = await askMany(id, boss, CAP + 5, { steps: [{ people: [admin] }] })
  expect(await pagedIds(boss, id)).toEqual(others.slice(0, CAP))
  expect(await pagedIds(boss, id, '', 37)).toEqual(others.slice(0, CAP))
  expect(await summary(boss, id)).toMatchObject({
    by_kind: { review_approval: { actionable: 3, total: CAP + 9 } },
    organization: { actionable: 3, total: CAP + 9 },
    truncated: ['review_approval'],
  })
  // a filter finds its items however many came later
  expect(await pagedIds(boss, id, '&actionable=true')).toEqual(mine)
  expect(await pagedIds(boss, id, '&severity=action')).toEqual(mine)
  expect(await pagedIds(boss, id, '&severity=info')).toEqual(others.slice(0, CAP))
  expect(await pagedIds(admin, id, '&actionable=false')).toEqual(mine)
  expect(await pagedIds(member, id)).toEqual(ofMember)
  expect(await pagedIds(member, id, '&severity=info')).toEqual(ofMember)
  const last = others.at(-1) ?? ''
  expect((await item(boss, id, last)).body).toMatchObject({ id: last, actionable_by_viewer: false, severity: 'info' })
  expect((await attention(boss, id, `?cursor=${last}`)).body).toEqual({ data: [], has_more: false, next_cursor: null })
})

test('thousands of pending approvals are counted exactly, for an owner and for the member who asked', async () => {
  const { id, boss, staff } = await staffed('member')
  const [member] = staff
  if (!member) throw new Error('a member was made')
  const asked = await ask(id, member, { steps: [{ roles: ['owner'] }] })
  await owner`
    insert into approvals (id, organization_id, action_type, target_type, target_id, policy, subject_body,
      subject_hash, summary, requester_id, wait_id, expires_at)
    select gen_random_uuid(), organization_id, action_type, target_type, gen_random_uuid(), policy, subject_body,
      subject_hash, summary, requester_id, wait_id, expires_at
    from approvals, generate_series(1, 12344) where id = ${asked}`
  for (const [person, actionable] of [
    [boss, 12_345],
    [member, 0],
  ] as const) {
    const { by_kind: counts } = await summary(person, id)
    expect(counts.review_approval).toEqual({ actionable, total: 12_345 })
    const { body } = await api('GET', `/organizations/${id}/approvals?status=approved`, person)
    expect(body.pending_count).toBe(12_345)
  }
})

test('a cursor goes on where it stood after its item was decided', async () => {
  const { id, boss } = await staffed()
  const made = await askMany(id, boss, 4, { steps: [{ roles: ['owner'] }] })
  const first = (await attention(boss, id, '?limit=2')).body
  expect(first).toMatchObject({ has_more: true, next_cursor: made[1] })
  await owner`update approvals set status = 'cancelled' where id = ${made[1]?.split(':')[1] ?? ''}`
  const next = (await attention(boss, id, `?limit=2&cursor=${first.next_cursor}`)).body
  expect(next.data.map((one: { id: string }) => one.id)).toEqual(made.slice(2))
})

test('a member pages through what they asked for and what names them, each once, also where it is both', async () => {
  const { id, boss, staff } = await staffed('member')
  const [member] = staff
  if (!member) throw new Error('a member was made')
  const both = await askMany(id, member, 4, { steps: [{ people: [member] }] })
  await askMany(id, boss, 5, { steps: [{ roles: ['owner'] }] })
  const asked = await askMany(id, member, 3, { steps: [{ roles: ['owner'] }] })
  const named = await askMany(id, boss, 3, { steps: [{ people: [member] }] })
  const all = [...named, ...asked, ...both]
  expect(await pagedIds(member, id, '', 2)).toEqual(all)
  expect(await pagedIds(member, id, '&actionable=true', 2)).toEqual([...named, ...both])
  expect(await pagedIds(member, id, '&severity=info', 2)).toEqual(asked)
  const paged: string[] = []
  for (let cursor = ''; ;) {
    const { body } = await api('GET', `/organizations/${id}/approvals?status=pending&limit=3${cursor}`, member)
    paged.push(...body.data.map((one: { approval_id: string }) => reviewOf(one.approval_id)))
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(paged).toEqual(all)
})

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
