/** The list of attention is capped and paged, its counts are not. */
import { expect, test } from 'vitest'
import { type TestPerson, api } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { ask, attention, item, pagedIds, summary } from '../../support/approvals/attention.ts'
import { owner } from '../../support/database.ts'
import { staffed } from '../../support/organizations/members.ts'

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
  await setRules(id, boss, []) // so that only approvals need attention
  const [admin, member] = staff
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
  const { body: approvals } = await api('GET', `/organizations/${id}/approvals?status=approved`, boss)
  expect(approvals.pending_count).toBe(CAP + 9)
  expect((await summary(member, id)).by_kind.review_approval).toEqual({ actionable: 0, total: 1 })
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
