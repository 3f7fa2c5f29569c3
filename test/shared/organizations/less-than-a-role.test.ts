/** Less than a role: permissions are taken from a member at once, by others alone, and never from an owner. */
import { describe, expect, test } from 'vitest'
import { type TestPerson, api, paymentBody, person, withStepUp } from '../../support/api.ts'
import { approvalOf, decide, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { apiKey, eventsOf, revoke, typesOf, use } from '../../support/organizations/api-keys.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { leave, list, memberEvents, membersPath, staffed, transfer } from '../../support/organizations/members.ts'
import { accept, asksForApproval, invite, read, resend, tokensTo } from '../../support/invitations/invitations.ts'
import { send, show } from '../../support/pages/addresses.ts'
import { PRESETS } from '../../../domain/permissions.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const change = ({ token }: TestPerson, organizationId: string, { userId }: TestPerson, body: object) =>
  withStepUp('PATCH', `${membersPath(organizationId)}/${userId}`, { token, body })

describe('a member', () => {
  test('loses what a preset names with the next request, and gets it back; both are logged', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    const settings = () =>
      api('PATCH', `/organizations/${id}`, { token: admin.token, body: { invoice_notes: 'Thank you' } })
    expect((await settings()).status).toBe(200)
    const { body } = await change(boss, id, admin, { preset: 'reader' })
    expect(body).toMatchObject({ role: 'admin', preset: 'reader' })
    expect(body.permissions).toContain('bills.list')
    expect(body.permissions).not.toContain('bills.update')
    expect(refusal(await settings())).toEqual([403, 'forbidden'])
    const own = await api('GET', `/organizations/${id}`, { token: admin.token })
    expect(own.body.permissions).toEqual(body.permissions)
    expect((await list(admin, id)).status).toBe(200)
    const some = ['bills.update', 'bills.cancel']
    expect((await change(boss, id, admin, { permissions_removed: some })).body).toMatchObject({ preset: null })
    expect((await settings()).status).toBe(200)
    expect((await change(boss, id, admin, { preset: null })).body.permissions_removed).toEqual([])
    const events = (await memberEvents(id)).filter(({ type }) => type === 'member.permissions_changed')
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { preset: 'reader' },
      { preset: null, removed: ['bills.cancel', 'bills.update'] },
      { preset: null, removed: [] },
    ])
  })

  test('never changes their own permissions, nor gives what they lack: not by a role, nor by an invitation', async () => {
    const { id, boss, staff } = await staffed('admin', 'admin', 'member')
    const [admin, other, member] = staff
    expect(refusal(await change(admin, id, admin, { preset: 'reader' }))).toEqual([403, 'forbidden'])
    await change(boss, id, admin, { permissions_removed: ['approvals.review'] })
    expect(refusal(await change(admin, id, admin, { preset: null }))).toEqual([403, 'forbidden'])
    expect((await change(admin, id, other, { permissions_removed: ['approvals.review', 'bills.cancel'] })).status).toBe(
      200,
    )
    expect((await change(admin, id, other, { permissions_removed: ['approvals.review'] })).status).toBe(200)
    const restored = await change(admin, id, other, { preset: null })
    expect([refusal(restored), restored.body.error.details]).toEqual([
      [403, 'forbidden'],
      { permission: 'approvals.review' },
    ])
    expect(refusal(await change(admin, id, member, { role: 'admin' }))).toEqual([403, 'forbidden'])
    expect((await change(admin, id, member, { role: 'admin', permissions_removed: ['approvals.review'] })).status).toBe(
      200,
    )
    const invited = await invite(admin, id, [{ email: 'new@example.com', role: 'admin' }])
    expect(refusal(invited)).toEqual([403, 'forbidden'])
  })

  test('who becomes an owner has all permissions, and nothing is taken from an owner', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    await change(boss, id, admin, { preset: 'preparer' })
    expect((await transfer(boss, id, admin.userId)).body).toMatchObject({ role: 'owner', permissions_removed: [] })
    const { id: other, boss: owning, staff: others } = await staffed('owner')
    const refused = await change(owning, other, others[0], { preset: 'reader' })
    expect([refusal(refused), refused.body.error.details.reason]).toEqual([
      [422, 'unprocessable_entity'],
      'owner_is_whole',
    ])
    const both = { preset: 'reader', permissions_removed: [] }
    expect(refusal(await change(owning, other, others[0], both))).toEqual([400, 'invalid_request'])
    expect(refusal(await change(owning, other, others[0], { permissions_removed: ['nothing'] }))).toEqual([
      400,
      'invalid_request',
    ])
  })
})

describe('an approver from whom reviewing is taken', () => {
  test('decides nothing any more, whatever names them, and what they gave is void; no step counts on them', async () => {
    const { id, boss, staff, pay } = await staffedPayer('admin', 'admin', 'member')
    const [admin, other, member] = staff
    await setRules(id, boss, [
      { steps: [{ required: 2, roles: ['admin'], user_ids: [member.userId] }], self_approval: false },
    ])
    const payment = await pay()
    const path = `/organizations/${id}/approvals/${payment.approval_request_id}/approve`
    expect((await withStepUp('POST', path, { token: admin.token, body: {} })).status).toBe(200)
    await change(boss, id, admin, { permissions_removed: ['approvals.review'] })
    const { body: after } = await api('GET', path.replace('/approve', ''), { token: boss.token })
    expect(after.steps[0].approved_by ?? after.steps[0].approvals ?? []).toEqual([])
    for (const [one, verb] of [
      [admin, 'approve'],
      [admin, 'reject'],
    ] as const)
      expect((await decide(one, payment, verb)).status).toBe(403)
    await change(boss, id, member, { permissions_removed: ['approvals.review'] })
    expect((await decide(member, payment, 'approve')).status).toBe(403)
    // their role sees requests as before
    expect((await approvalOf(payment, admin)).approval_id).toBe(payment.approval_request_id)
    const [voided] = await owner<{ count: number }[]>`
      select count(*)::int as count from voided_approvals where organization_id = ${id}`
    expect(voided?.count).toBe(1)
    expect((await withStepUp('POST', path, { token: other.token, body: {} })).body.status).toBe('pending')
  })

  test('what a person asked for stays as it is, and they ask for nothing more', async () => {
    const { id, boss, staff, contactId } = await staffedPayer('member')
    const [member] = staff
    const ask = () => api('POST', '/payments', { token: member.token, body: paymentBody(contactId, '1.00') })
    const asked = await ask()
    await change(boss, id, member, { preset: 'reader' })
    expect(refusal(await ask())).toEqual([403, 'forbidden'])
    const { body } = await api('GET', `/payments/${asked.body.id}`, { token: member.token })
    expect(body.status).toBe('awaiting_approval')
    expect((await decide(member, body, 'cancel')).body.status).toBe('cancelled')
  })
})

describe('an invitation with a preset', () => {
  test('is answered with it, and makes a member who begins with what it leaves', async () => {
    const { id, boss } = await staffed()
    const guest = await person()
    const made = await invite(boss, id, [{ email: guest.email, role: 'admin', preset: 'reader' }])
    expect(made.body).toMatchObject([{ role: 'admin', preset: 'reader', status: 'pending' }])
    expect((await read(boss, id, made.body[0].id)).body.preset).toBe('reader')
    expect((await resend(boss, id, made.body[0].id)).body.preset).toBe('reader')
    const [token = ''] = await tokensTo(guest.email)
    expect((await accept(guest, token)).body).toMatchObject({ role: 'admin', preset: 'reader' })
    const { body } = await list(boss, id, `?user_ids=${guest.userId}`)
    expect(body.data).toMatchObject([{ role: 'admin', preset: 'reader' }])
    const change = api('PATCH', `/organizations/${id}`, { token: guest.token, body: { invoice_notes: 'Hello' } })
    expect(refusal(await change)).toEqual([403, 'forbidden'])
    const joined = (await memberEvents(id)).find(({ type }) => type === 'member.joined')
    expect(joined?.payload).toMatchObject({ preset: 'reader' })
  })

  test('shows its approver what it takes, and waits with it', async () => {
    const { id, boss } = await staffed()
    await asksForApproval(boss, id)
    const guest = await person()
    const made = await invite(boss, id, [{ email: guest.email, role: 'admin', preset: 'preparer' }])
    const path = `/organizations/${id}/approvals/${made.body[0].approval_request_id}`
    const { body } = await api('GET', path, { token: boss.token })
    expect(body.subject.organization_invitation).toMatchObject({ role: 'admin', preset: 'preparer' })
    expect((await withStepUp('POST', `${path}/approve`, { token: boss.token, body: {} })).status).toBe(200)
    const [token = ''] = await tokensTo(guest.email)
    expect((await accept(guest, token)).body.preset).toBe('preparer')
  })

  test('gives no more than the inviter has, by role or preset; no owner is invited; one address has one', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    await change(boss, id, admin, { preset: 'preparer' })
    const by = (who: TestPerson, ...rows: object[]) =>
      invite(
        who,
        id,
        rows.map((row) => ({ email: 'new@limited.example', ...row })),
      )
    expect(refusal(await by(admin, { role: 'admin', preset: 'accountant' }))).toEqual([201, undefined])
    await owner`delete from invitations where organization_id = ${id}`
    expect(refusal(await by(admin, { role: 'admin' }))).toEqual([403, 'forbidden'])
    expect(refusal(await by(boss, { role: 'owner', preset: 'reader' }))).toEqual([400, 'invalid_request'])
    expect(refusal(await by(boss, { preset: 'everything' }))).toEqual([400, 'invalid_request'])
    expect(refusal(await by(boss, { preset: '__proto__' }))).toEqual([400, 'invalid_request'])
    expect(refusal(await by(boss, { preset: 'reader' }, { preset: null }))).toEqual([400, 'invalid_request'])
    expect((await by(boss, { preset: 'reader' }, { preset: 'reader' })).body).toHaveLength(1)
  })
})

describe('the page of a member', () => {
  test('shows each permission by its subject, filled in by a preset, and takes what is ticked', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    await withStepUp('PATCH', `${membersPath(id)}/${admin.userId}`, { token: boss.token, body: { role: 'member' } })
    const page = `/o/${id}/company/people/${admin.userId}`
    const session = boss.token
    const ticked = async (query = '') =>
      [
        ...(await (await show(page + query, { session })).text()).matchAll(/name="removed" value="([\w.]+)" checked/g),
      ].map(([, key]) => key)
    expect(await ticked()).toEqual([])
    expect((await ticked('?fill=preparer')).toSorted()).toEqual([...PRESETS.preparer].toSorted())
    expect(await ticked('?fill=__proto__')).toEqual([])
    const body = new URLSearchParams([
      ['of', 'permissions'],
      ['removed', 'bills.cancel'],
      ['removed', 'cards.freeze'],
    ])
    const sent = await send(`${page}/permissions`, body, { session })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${page}?done=preset`])
    expect((await ticked()).toSorted()).toEqual(['bills.cancel', 'cards.freeze'])
    const wrong = await send(
      `${page}/permissions`,
      new URLSearchParams([
        ['of', 'permissions'],
        ['removed', 'x'],
      ]),
      { session },
    )
    expect(wrong.status).toBe(400)
    const german = await show(page, { session, headers: { 'accept-language': 'de' } })
    expect(await german.text()).toContain('Eingangsrechnungen weglegen')
  })
})

test('a preset that only asks confirms no changed account, and does so again when deciding is given back', async () => {
  const { id, boss, staff, contactId } = await staffedPayer('admin')
  const [admin] = staff
  const [destination] = await owner<{ id: string }[]>`
    select id from payment_destinations where payment_contact_id = ${contactId}`
  const confirm = () =>
    withStepUp('POST', `/payment-destinations/${destination!.id}/confirm-by-callback`, {
      token: admin.token,
      body: { spoken_to: 'Ann' },
    })
  expect((await confirm()).body.error?.type).not.toBe('forbidden')
  await change(boss, id, admin, { preset: 'preparer' })
  const refused = await confirm()
  expect([refusal(refused), refused.body.error.details]).toEqual([
    [403, 'forbidden'],
    { permission: 'approvals.review' },
  ])
  expect((await change(boss, id, admin, { permissions_removed: ['bills.cancel'] })).status).toBe(200)
  expect((await confirm()).body.error?.type).not.toBe('forbidden')
})

test('keys of a maker who is reduced or leaves are named to those who manage keys, once, and work on', async () => {
  const { id, boss, staff } = await staffed('admin', 'admin')
  const [admin, other] = staff
  const keys = [await apiKey(admin, id), await apiKey(other, id), await apiKey(admin, id)]
  await revoke(admin, keys[2])
  const named = async () =>
    (await Promise.all(keys.map(typesOf))).map((types) => types.includes('api_key.maker_reduced'))
  const mails = async ({ email }: TestPerson) =>
    (await sentTo(email)).filter(({ subject }) => subject.includes('API keys of'))
  await change(boss, id, admin, { permissions_removed: ['bills.cancel'] })
  expect(await named()).toEqual([false, false, false])
  await change(boss, id, admin, { preset: 'reader' })
  expect(await named()).toEqual([true, false, false])
  expect([await mails(boss), await mails(other), await mails(admin)].map(({ length }) => length)).toEqual([1, 1, 0])
  expect((await use(keys[0].secret, id)).status).toBe(200)
  await leave(admin, id)
  await leave(other, id)
  expect(await named()).toEqual([true, true, false])
  const reduced = (await eventsOf(keys[0])).filter(({ type }) => type === 'api_key.maker_reduced')
  expect(reduced.map(({ payload }) => payload)).toEqual([{ created_by: admin.userId, left: false }])
  expect(await mails(boss)).toHaveLength(2)
})
