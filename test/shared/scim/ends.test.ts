/** A deactivation by the provider ends all that a membership gave. It names what lacks an approver. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  api,
  approve,
  contact,
  createPayment,
  fund,
  join,
  organization,
  person,
  verifyStepUp,
  withStepUp,
} from '../../support/api.ts'
import { decide, outcome, setRules, statusOf } from '../../support/approvals/approvals.ts'
import { nameSubstitute } from '../../support/approvals/substitutions.ts'
import { owner, untilBlocked } from '../../support/database.ts'
import { delegateOf } from '../../support/identity/delegates.ts'
import { sentTo } from '../../support/identity/identity.ts'
import { accountOf, company, identityProvider, linked, personOf, signInAt } from '../../support/identity/providers.ts'
import { newAddress, patchBody, scimOf, scimToken, userBody } from '../../support/identity/scim.ts'
import { invite } from '../../support/invitations/invitations.ts'

const provider = await identityProvider()

/** A company with money, a payee, and a rule that asks for two approvals. */
async function payer() {
  const { boss, id, domain } = await company(provider)
  const payee = await organization(await person())
  await fund(id, '1000.00')
  const contactId = await contact(boss, id, payee.svcId)
  await setRules(id, boss, [{ steps: [{ required: 2, roles: ['owner', 'admin'] }] }])
  const { secret } = await scimToken(boss, id)
  const scim = scimOf(secret)
  const managed = async () => {
    const member = await personOf(domain, { authenticator: true })
    await join(id, member, 'admin')
    const { body } = await scim('POST', '/Users', userBody(member.email))
    return { ...member, scimId: body.id as string }
  }
  const off = (user: string) =>
    scim('PATCH', `/Users/${user}`, patchBody({ op: 'replace', path: 'active', value: false }))
  const on = (user: string) =>
    scim('PATCH', `/Users/${user}`, patchBody({ op: 'replace', path: 'active', value: true }))
  const read = async (token: string) => (await api('GET', `/organizations/${id}`, { token })).status
  return { boss, id, domain, scim, managed, off, on, read, pay: () => createPayment(boss, contactId) }
}

test('sessions, delegates, substitutions, trust and approvals end with it, and none comes back with the membership', async () => {
  const { boss, id, managed, off, on, read, pay } = await payer()
  const [member, colleague] = [await managed(), await managed()]
  const { id: other } = await organization(member, 'Other company')
  const token = await linked({ provider }, member)
  const delegate = await delegateOf(member, id)
  const elsewhere = await delegateOf(member, other)
  expect((await nameSubstitute(member, id, colleague)).status).toBe(201)
  await owner`
    insert into trust_tokens (token_hash, user_id, device_id, expires_at)
    select ${Buffer.from(randomUUID())}, user_id, device_id, business_now() + interval '1 day' from sessions
    where id = ${member.sessionId}`
  const payment = await pay()
  expect((await approve(member, payment)).status).toBe(200)
  expect((await invite(member, id, [{ email: newAddress('elsewhere.test'), role: 'member' }])).status).toBe(201)

  expect((await off(member.scimId)).body.active).toBe(false)
  const left = async () => {
    const [counted] = await owner<
      { delegates: string[]; substitutions: number; trusted: number; links: number; invitations: number }[]
    >`
      select (select array_agg(d.id) from delegates d where d.user_id = ${member.userId} and d.ended_at is null) as delegates,
        (select count(*)::int from substitutions s where s.user_id = ${member.userId} and s.ended_at is null) as substitutions,
        (select count(*)::int from trust_tokens t where t.user_id = ${member.userId}) as trusted,
        (select count(*)::int from identity_links l where l.user_id = ${member.userId}) as links,
        (select count(*)::int from invitations i where i.invited_by = ${member.userId} and i.status like 'pending%') as invitations`
    return counted
  }
  const none = { delegates: [elsewhere.id], substitutions: 0, trusted: 0, links: 0, invitations: 0 }
  expect(await left()).toEqual(none)
  expect([await read(token), await read(member.token)]).toEqual([401, 404])
  expect((await api('GET', `/organizations/${other}`, { token: member.token })).status).toBe(200)
  expect((await approve(boss, payment)).body).toMatchObject({ status: 'pending' })
  expect(delegate.secret).toMatch(/^dlg_/)

  expect((await on(member.scimId)).body.active).toBe(true)
  expect([await left(), await read(token), await read(member.token)]).toEqual([none, 401, 404])
  provider.signsIn(accountOf(member))
  expect((await signInAt(member.email)).body.status).toBe('authenticated')
  expect(await read(member.token)).toBe(200)
})

test('a person of no other organization is signed out everywhere', async () => {
  const { managed, off } = await payer()
  const member = await managed()
  await off(member.scimId)
  expect((await api('GET', '/me', { token: member.token })).status).toBe(401)
})

test('what lacks an approver then is an event, is mailed to the owners, and blocks in attention', async () => {
  const { boss, id, managed, off, pay } = await payer()
  const member = await managed()
  const payment = await pay()
  await off(member.scimId)
  const [lost] = await owner<{ payload: object }[]>`
    select payload::jsonb as payload from events where subject_id = ${member.scimId} and type = 'scim_user.approvers_lost'`
  expect(lost?.payload).toEqual({ approvals: 1, rules: [0] })
  expect((await sentTo(boss.email)).map(({ subject }) => subject)).toContain('Approvals lack an approver')
  const { body } = await api('GET', `/organizations/${id}/attention`, { token: boss.token })
  const blocking = body.data.find((one: { id: string }) => one.id.includes(payment.approval_request_id))
  expect(blocking).toMatchObject({ kind: 'review_approval', severity: 'blocking' })
})

test('a decision in flight counts before a deactivation, or is refused after it, and never counts after', async () => {
  const { boss, managed, off, pay } = await payer()
  await managed() // so that two are left
  for (let round = 0; round < 4; round += 1) {
    const member = await managed()
    const payment = await pay()
    expect((await approve(boss, payment)).status).toBe(200)
    await verifyStepUp(await decide(member, payment, 'approve'))
    const [decided, ended] = await Promise.all([decide(member, payment, 'approve'), off(member.scimId)])
    expect(ended.status).toBe(200)
    const counted = decided.status === 200
    expect([outcome(decided), await statusOf(payment.id)]).toEqual(
      counted
        ? [[200, 'approved'], 'succeeded']
        : [[expect.toSatisfy((status) => [401, 403, 404].includes(status)), expect.any(String)], 'awaiting_approval'],
    )
  }
})

test('a deactivation waits for a decision that is under way, and ends the membership then', async () => {
  const { id, managed, off, read } = await payer()
  const member = await managed()
  let ending: ReturnType<typeof off> | undefined
  await owner.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock_shared(7340024, hashtext(${id}))`
    ending = off(member.scimId)
    await untilBlocked(tx)
    expect(await read(member.token)).toBe(200)
  })
  expect([(await ending)?.status, await read(member.token)]).toEqual([200, 401])
})

test('requests for one user at once, and an owner beside them, leave one state that all agree on', async () => {
  const { boss, id, managed, scim, off, on } = await payer()
  const member = await managed()
  const { body: group } = await scim('POST', '/Groups', { displayName: randomUUID() })
  await withStepUp('PATCH', `/organizations/${id}/scim/groups/${group.id}`, {
    token: boss.token,
    body: { role: 'member' },
  })
  const byHand = { token: boss.token, body: { role: 'member' } }
  const answers = await Promise.all([
    off(member.scimId),
    on(member.scimId),
    off(member.scimId),
    scim('PATCH', `/Groups/${group.id}`, patchBody({ op: 'add', path: 'members', value: [{ value: member.scimId }] })),
    withStepUp('PATCH', `/organizations/${id}/members/${member.userId}`, byHand),
    scim('POST', '/Users', userBody(member.email)),
    scim('PUT', `/Users/${member.scimId}`, userBody(member.email, { displayName: 'Ada' })),
  ])
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(answers[5]?.status).toBe(409)
  const { body: user } = await scim('GET', `/Users/${member.scimId}`)
  const found = await owner`
    select from members where organization_id = ${id} and user_id = ${member.userId}
    union all select from scim_users where id = ${member.scimId} and active and awaits_sign_in`
  expect(found.length === 1).toBe(user.active)
  const email = newAddress(new URL(`mailto:${member.email}`).pathname.split('@')[1] ?? '')
  const twice = await Promise.all(Array.from({ length: 3 }, () => scim('POST', '/Users', userBody(email))))
  expect(twice.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})

test('an open invitation ends when the provider names the address, and none is made beside it', async () => {
  const { boss, id, domain, scim } = await payer()
  const email = newAddress(domain)
  expect((await invite(boss, id, [{ email, role: 'admin' }])).status).toBe(201)
  expect((await scim('POST', '/Users', userBody(email, { active: false }))).status).toBe(201)
  const invited = await invite(boss, id, [{ email, role: 'admin' }])
  expect(invited.body.error).toMatchObject({ type: 'already_member', details: { reason: 'managed_by_provider' } })
  const [old] = await owner<{ status: string }[]>`
    select status from invitations where organization_id = ${id} and email = ${email}`
  expect(old?.status).toBe('deleted')
  provider.signsIn({ sub: email, email, email_verified: true })
  expect((await signInAt(email)).body.status).toBe('link_required') // it is not active
})

test('a member who was removed by hand is inactive, and gets in again by the provider alone', async () => {
  const { boss, id, domain, scim, off, on } = await payer()
  const email = newAddress(domain)
  const { body: user } = await scim('POST', '/Users', userBody(email))
  provider.signsIn({ sub: email, email, email_verified: true })
  const { body } = await signInAt(email)
  const gone = await withStepUp('DELETE', `/organizations/${id}/members/${body.user.id}`, { token: boss.token })
  expect(gone.status).toBe(200)
  expect((await scim('GET', `/Users/${user.id}`)).body.active).toBe(false)
  expect((await signInAt(email)).body.status).toBe('link_required')
  await off(user.id)
  expect((await on(user.id)).body.active).toBe(true)
  expect((await signInAt(email)).body.status).toBe('authenticated')
  const members = await owner`select from members where organization_id = ${id} and user_id = ${body.user.id}`
  expect(members).toHaveLength(1)
})
