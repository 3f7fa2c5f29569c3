import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { api, approve, createPayment, join, payerAndPayee, person, withStepUp } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { ask, attention, item, pagedIds, summary } from '../../support/approvals/attention.ts'
import { owner } from '../../support/database.ts'
import { withAuthenticator } from '../../support/identity/identity.ts'
import { remove, staffed } from '../../support/organizations/members.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const ADMINS = { steps: [{ roles: ['owner', 'admin'] as ('owner' | 'admin')[] }] }
const reviewOf = (id: string) => `review_approval:${id}`
const listed = async (...of: Parameters<typeof attention>): Promise<string[]> =>
  (await attention(...of)).body.data.map(({ id }: { id: string }) => id)

describe('a payment that waits for approval', () => {
  test('is an item until it is decided, to be acted on by who can approve it', async () => {
    const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
    const payment = await createPayment(boss, contactId, '5.00')
    const approval = (await api('GET', `/organizations/${payer.id}/approvals/${payment.approval_request_id}`, boss))
      .body
    const expected = {
      id: reviewOf(payment.approval_request_id),
      kind: 'review_approval',
      title: 'Approve a payment',
      summary: `Pay 5.00 USD to "Payee" (service ID ${payee.svcId}).`,
      severity: 'action',
      audience: 'organization',
      actionable_by_viewer: true,
      raised_at: approval.created_at,
      due_at: approval.expires_at,
      href: `/organizations/${payer.id}/approvals/${payment.approval_request_id}`,
      action: { kind: 'review_approval', approval_request_id: payment.approval_request_id },
      subject: { type: 'approval', approval_request_id: payment.approval_request_id },
    }
    const { status, body } = await attention(boss, payer.id)
    expect([status, body]).toEqual([200, { data: [expected], has_more: false, next_cursor: null }])
    expect((await item(boss, payer.id, expected.id)).body).toEqual(expected)
    const shouted = `review_approval%3A${payment.approval_request_id.toUpperCase()}`
    expect((await item(boss, payer.id, shouted)).body).toEqual(expected)
    const { by_kind: ofKinds, ...whole } = await summary(boss, payer.id)
    const none = { actionable: 0, total: 0 }
    expect(whole).toEqual({ organization: { actionable: 1, total: 1 }, viewer: none, truncated: [] })
    const { review_approval: ofReviews, ...others } = ofKinds
    expect([ofReviews, ...new Set(Object.values(others).map((one) => JSON.stringify(one)))]).toEqual([
      { actionable: 1, total: 1 },
      JSON.stringify(none),
    ])
    await approve(boss, payment)
    expect(await listed(boss, payer.id)).toEqual([])
    expect((await item(boss, payer.id, expected.id)).status).toBe(404)
    expect((await summary(boss, payer.id)).organization).toEqual({ actionable: 0, total: 0 })
  })

  test('that nobody is left to approve is blocking, says so, and can be withdrawn', async () => {
    const { boss, payer, contactId } = await payerAndPayee('100.00')
    const approver = await person()
    await join(payer.id, approver, 'admin')
    const asked = await ask(payer.id, boss, { steps: [{ people: [approver] }] })
    const before = (await item(boss, payer.id, reviewOf(asked))).body
    expect([before.severity, before.actionable_by_viewer]).toEqual(['info', false])
    expect(await listed(approver, payer.id, '?severity=action')).toEqual([reviewOf(asked)])
    await createPayment(boss, contactId, '1.00')
    expect((await remove(boss, payer.id, approver.userId)).status).toBe(200)
    const { body } = await attention(boss, payer.id, '?severity=blocking')
    expect(body.data).toMatchObject([
      {
        id: reviewOf(asked),
        severity: 'blocking',
        actionable_by_viewer: false,
        title: expect.stringMatching(/nobody is left/),
      },
    ])
    expect(body.data[0].summary).toMatch(/can be withdrawn/)
  })

  test('that its second step can never get is blocking also for who could still give the first', async () => {
    const { id, boss, staff } = await staffed('admin')
    const asked = await ask(id, boss, { steps: [{ roles: ['admin'] }, { roles: ['owner'] }], selfApproval: false })
    expect((await item(staff[0], id, reviewOf(asked))).body).toMatchObject({
      severity: 'blocking',
      actionable_by_viewer: true,
    })
  })

  test('that has expired is no item, although nobody has cancelled it yet', async () => {
    const { id, boss } = await staffed()
    const [late, live] = [await ask(id, boss, { ...ADMINS, hours: -1 }), await ask(id, boss, ADMINS)]
    expect(await listed(boss, id)).toEqual([reviewOf(live)])
    expect(await listed(boss, id, '?actionable=true')).toEqual([reviewOf(live)])
    expect((await item(boss, id, reviewOf(late))).status).toBe(404)
    expect((await summary(boss, id)).by_kind.review_approval).toEqual({ actionable: 1, total: 1 })
  })
})

test('a second person who may approve is offered to owners as the one who looks twice, until a policy is set', async () => {
  const { id, boss, staff } = await staffed('member')
  const offer = `set_approval_policy:${id}`
  expect(await listed(boss, id)).toEqual([])
  const admin = await person()
  await join(id, admin, 'admin')
  const { body } = await attention(boss, id)
  const said = { severity: 'info', audience: 'viewer', actionable_by_viewer: true, due_at: null }
  expect(body.data).toMatchObject([
    { id: offer, ...said, action: { kind: 'set_approval_policy' }, subject: { organization_id: id } },
  ])
  expect((await item(boss, id, offer)).body).toEqual(body.data[0])
  expect((await summary(boss, id)).viewer).toEqual({ actionable: 1, total: 1 })
  for (const other of [admin, ...staff]) {
    expect(await listed(other, id)).toEqual([])
    expect((await item(other, id, offer)).status).toBe(404)
  }
  await setRules(id, boss, [{ steps: [{ required: 1, roles: ['owner', 'admin'] }], self_approval: true }])
  expect(await listed(boss, id)).toEqual([])
  expect((await item(boss, id, offer)).status).toBe(404)
})

describe('where everybody needs an authenticator', () => {
  test('whoever has none sees that, and nobody else', async () => {
    const { id, boss } = await staffed()
    const secured = await withAuthenticator()
    await join(id, secured, 'member')
    expect(await listed(boss, id)).toEqual([])
    const changes = { token: boss.token, body: { requires_authenticator: true } }
    expect((await withStepUp('PATCH', `/organizations/${id}/settings`, changes)).status).toBe(200)
    const [event] = await owner<
      { at: Date }[]
    >`select occurred_at as at from events where subject_id = ${id} order by id desc limit 1`
    const { body } = await attention(boss, id)
    expect(body.data).toMatchObject([
      {
        id: `set_up_totp:${boss.userId}`,
        severity: 'action',
        audience: 'viewer',
        actionable_by_viewer: true,
        due_at: null,
        action: { kind: 'set_up_totp' },
        subject: { type: 'person', user_id: boss.userId },
      },
    ])
    expect(new Date(body.data[0].raised_at)).toEqual(event?.at)
    expect((await item(boss, id, `set_up_totp:${boss.userId}`)).body).toEqual(body.data[0])
    expect((await summary(boss, id)).viewer).toEqual({ actionable: 1, total: 1 })
    expect(await listed(secured, id)).toEqual([])
    for (const somebody of [boss, secured]) {
      expect((await item(secured, id, `set_up_totp:${somebody.userId}`)).status).toBe(404)
    }
  })

  test('the filters tell it from what concerns the organization', async () => {
    const { id, boss } = await staffed()
    await owner`update organizations set requires_authenticator = true where id = ${id}`
    const review = reviewOf(await ask(id, boss, ADMINS))
    const setUp = `set_up_totp:${boss.userId}`
    const found = (query: string) => listed(boss, id, query)
    expect(await found('')).toEqual([review, setUp])
    expect(await found('?audience=viewer')).toEqual([setUp])
    expect(await found('?audience=organization')).toEqual([review])
    expect(await found('?kind=set_up_totp')).toEqual([setUp])
    expect(await found('?kind=review_approval&audience=viewer')).toEqual([])
    expect(await found('?kind=fix_bill')).toEqual([])
    expect(await found('?severity=action&actionable=true')).toEqual([review, setUp])
    expect(await found('?actionable=false')).toEqual([])
    expect(await pagedIds(boss, id, '', 1)).toEqual([review, setUp])
    expect(await found('?kind=of_a_later_release')).toEqual([])
    for (const query of ['?kind=%20', '?severity=high', '?actionable=1', '?audience=all']) {
      expect((await attention(boss, id, query)).status).toBe(400)
    }
  })
})

describe('who sees what', () => {
  test('a member sees what they asked for and what names them, and nothing else', async () => {
    const { id, boss, staff } = await staffed('member', 'member')
    const [asker, named] = staff
    if (!asker || !named) throw new Error('two members were made')
    const own = reviewOf(await ask(id, asker, ADMINS))
    const theirs = reviewOf(await ask(id, boss, ADMINS))
    const forNamed = reviewOf(await ask(id, boss, { steps: [{ people: [named] }] }))
    expect(await listed(asker, id)).toEqual([own])
    expect(await listed(named, id)).toEqual([forNamed])
    expect(await listed(boss, id)).toEqual([forNamed, theirs, own])
    expect((await item(asker, id, own)).body).toMatchObject({ severity: 'info', actionable_by_viewer: false })
    for (const hidden of [theirs, forNamed]) expect((await item(asker, id, hidden)).status).toBe(404)
    expect((await summary(asker, id)).organization).toEqual({ actionable: 0, total: 1 })
    expect((await summary(named, id)).organization).toEqual({ actionable: 1, total: 1 })
    expect(await listed(boss, id, '?actionable=false')).toEqual([forNamed])
  })

  test('an item of another organization is one that does not exist', async () => {
    const [mine, theirs] = [await staffed(), await staffed()]
    const foreign = reviewOf(await ask(theirs.id, theirs.boss, ADMINS))
    for (const id of [foreign, reviewOf(randomUUID()), `fix_bill:${randomUUID()}`, `unheard_of:${randomUUID()}`]) {
      const answer = await item(mine.boss, mine.id, id)
      expect([answer.status, answer.body.error.type, answer.body.error.details]).toEqual([404, 'not_found', undefined])
      const paged = await attention(mine.boss, mine.id, `?cursor=${id}`)
      expect([paged.status, paged.body.error.details.errors[0].code]).toEqual([400, 'unknown_cursor'])
    }
    for (const id of [
      'nonsense',
      randomUUID(),
      'review_approval',
      'review_approval:1',
      `:${randomUUID()}`,
      `${foreign}0`,
    ]) {
      expect((await item(mine.boss, mine.id, id)).status).toBe(400)
      expect((await attention(mine.boss, mine.id, `?cursor=${id}`)).status).toBe(400)
    }
  })
})
