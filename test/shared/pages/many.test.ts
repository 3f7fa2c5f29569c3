/** Pages where there is more than one list answers: many organizations, many members. */
import { expect, test } from 'vitest'
import { api, approvalPath, approve, baseUrl, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'

const show = async (path: string, session: string) => {
  const answer = await fetch(baseUrl + path, { redirect: 'manual', headers: { cookie: `session=${session}` } })
  return { status: answer.status, html: await answer.text() }
}

/** An approval that two people have to give, in an organization of a person's own. */
async function waiting() {
  const world = await payerAndPayee()
  const { boss, payer, contactId } = world
  await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['owner', 'admin'] }] }])
  const payment = await createPayment(boss, contactId, '10.00')
  return { ...world, payment }
}

test('an approver is named however many members joined after them, and one who left is one who has left', async () => {
  const { boss, payer, payment } = await waiting()
  const second = await person({ authenticator: true, name: 'Ada' })
  await join(payer.id, second, 'admin')
  expect((await approve(second, payment)).status).toBe(200)
  await owner`
    with others as (
      insert into people (id, email, password_hash, first_name, last_name)
      select gen_random_uuid(), 'many-' || gen_random_uuid() || '@example.com', '', 'Member', n::text
      from generate_series(1, 120) n returning id)
    insert into members (organization_id, user_id, role, joined_at)
    select ${payer.id}, id, 'admin', business_now() + interval '1 second' from others`
  const path = `/approve/${payment.approval_request_id}`
  const { html } = await show(path, boss.token)
  expect(html).toContain('✓ <bdi>Ada Person</bdi>')
  expect(html).toMatch(/can approve now: .* and 1\d\d more<\/span>/s)
  expect((await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })).status).toBe(200)
  await owner`delete from members where organization_id = ${payer.id} and user_id = ${second.userId}`
  const ids = [boss, second].map(({ userId }) => `user_ids=${userId}`).join('&')
  const { body } = await api('GET', `/organizations/${payer.id}/members?${ids}`, { token: boss.token })
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([boss.userId])
  expect((await show(path, boss.token)).html).toContain('✓ <bdi>a person who has left</bdi>')
})

test('what waits in any of 120 organizations is found, and the inbox and the history lead to it', async () => {
  const { boss, payment } = await waiting()
  await owner`
    with others as (
      insert into organizations (id, name, created_by, inserted_at)
      select gen_random_uuid(), 'Other ' || n, ${boss.userId}, business_now() + interval '1 second'
      from generate_series(1, 120) n returning id)
    insert into members (organization_id, user_id, role) select id, ${boss.userId}, 'owner' from others`
  const link = `/approve/${payment.approval_request_id}`
  expect((await show(link, boss.token)).html).toContain('10.00 USD')
  for (const [path, of] of [
    ['/approve', 'Nothing for you to decide in these 100 organizations'],
    ['/approve/history', ' in these 100 organizations'],
  ] as const) {
    if (path !== '/approve') await api('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {} })
    const first = await show(path, boss.token)
    expect(first.html).toContain(of)
    expect(first.html).not.toContain(link)
    const [, next = ''] = /href="(\?after=[^"]+)"/.exec(first.html) ?? []
    const second = await show(path + next, boss.token)
    expect(second.html).toContain('in these 21 organizations')
    expect(second.html).toContain(link)
    expect(second.html).not.toContain('?after=')
  }
})
