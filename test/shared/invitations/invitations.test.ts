import { describe, expect, test } from 'vitest'
import { MANY, fullScale } from '../../support/model-runs.ts'
import { type Answer, api, join, person } from '../../support/api.ts'
import { PASSWORD, mailsTo, me, newEmail, signIn, subjectsTo } from '../../support/identity/identity.ts'
import {
  DAY_SECONDS,
  accept,
  decline,
  eventsOf,
  invite,
  invited,
  list,
  pass,
  read,
  remove,
  resend,
  runState,
  statusOf,
  terminateRun,
  tokensTo,
  told,
} from '../../support/invitations/invitations.ts'
import { changeRole, leave, memberEvents, rolesOf, staffed } from '../../support/organizations/members.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { moveOrganization } from '../../support/organizations/status.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { owner } from '../../support/database.ts'

useWorker()

const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)
const rowsOf = (emails: string[]) => emails.map((email) => ({ email }))

test('somebody is invited, gets a mail, accepts, and is a member', async () => {
  const { boss, id, guest, invitation, token } = await invited('admin')
  expect(invitation).toEqual({
    id: expect.any(String),
    organization_id: id,
    email: guest.email,
    role: 'admin',
    status: 'pending',
    accepted_at: null,
    approval_request_id: null,
    expires_at: expect.any(String),
    inserted_at: expect.any(String),
    user_exists: true,
    preset: null,
    card_approved: false,
    card_limit: null,
  })
  expect(await mailsTo(guest.email)).toMatchObject([
    { subject: 'You are invited to an organization', text: expect.stringContaining('"Inviting" as admin') },
  ])
  const accepted = await accept(guest, token)
  expect(told(accepted)).toEqual([200, 'done'])
  const { card_approved: _, card_limit: __, ...contract } = invitation
  expect(accepted.body).toEqual({ ...contract, status: 'accepted', accepted_at: expect.any(String) })
  const joined = await api('GET', `/organizations/${id}`, { token: guest.token })
  expect(joined.body).toMatchObject({ role: 'admin', is_primary: true })
  expect((await list(boss, id)).body.data).toMatchObject([{ id: invitation.id, status: 'accepted' }])
  expect(await mailsTo(boss.email)).toMatchObject([{ subject: 'Your invitation was accepted' }])
  expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.accepted'])
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
})

test('many are invited at once and answered in their order, with what is planned for a card', async () => {
  const { boss, id } = await invited()
  const emails = ['c', 'a', 'b'].map(() => newEmail())
  const made = await invite(boss, id, [
    { email: ` ${emails[0]?.toUpperCase()}`, role: 'admin', card_approved: true },
    { email: emails[1], card_limit: 250.5 },
    { email: emails[2], card_approved: false, card_limit: null },
  ])
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject([
    { email: emails[0], role: 'admin', card_approved: true, card_limit: null, user_exists: false, status: 'pending' },
    { email: emails[1], role: 'member', card_approved: true, card_limit: 250.5 },
    { email: emails[2], role: 'member', card_approved: false, card_limit: null },
  ])
  expect((await read(boss, id, made.body[1].id)).body).toEqual(made.body[1])
  for (const email of emails) expect(await tokensTo(email)).toHaveLength(1)
})

test('a limit means a card, and an address that is repeated is invited once', async () => {
  const { boss, id } = await invited()
  const [once, other] = [newEmail(), newEmail()]
  const card = { card_approved: false, card_limit: 5 }
  const rows = [{ email: once }, { email: other, ...card }, { email: once.toUpperCase() }]
  const made = await invite(boss, id, rows, 'twice')
  expect(made.body).toMatchObject([
    { email: once, card_approved: false },
    { email: other, card_approved: true, card_limit: 5 },
  ])
  expect((await invite(boss, id, rows, 'twice')).body).toEqual(made.body)
  expect(await tokensTo(once)).toHaveLength(1)
  const taken = await invite(boss, id, [{ email: newEmail() }, { email: other }])
  expect(taken.body.error).toMatchObject({ type: 'invalid_state', details: { index: 1, email: other } })
})

test('one row that cannot be refuses all, with its index', async () => {
  const { boss, id, guest, invitation } = await invited()
  const colleague = await person()
  await join(id, colleague, 'member')
  const fine = newEmail()
  const member = await invite(boss, id, [{ email: fine }, { email: colleague.email.toUpperCase() }])
  expect(told(member)).toEqual([409, 'already_member'])
  expect(member.body.error.details).toEqual({ index: 1, email: colleague.email })
  const open = await invite(boss, id, [{ email: fine }, { email: newEmail() }, { email: guest.email }])
  expect(told(open)).toEqual([409, 'invalid_state'])
  expect(open.body.error.details).toEqual({
    reason: 'already_invited',
    index: 2,
    email: guest.email,
    invitation_id: invitation.id,
    current: 'pending',
    allowed: ['resend', 'delete'],
  })
  expect(idsOf(await list(boss, id))).toEqual([invitation.id])
  expect(await mailsTo(fine)).toEqual([])
})

test('a repeat shows nothing to who may not invite any more', async () => {
  const { id, boss, staff } = await staffed('admin')
  const rows = rowsOf([newEmail()])
  expect((await invite(staff[0], id, rows, 'once')).status).toBe(201)
  await changeRole(boss, id, staff[0].userId, 'member')
  expect(told(await invite(staff[0], id, rows, 'once'))).toEqual([403, 'forbidden'])
})

test('an address that many calls invite at once is invited once', async () => {
  const [{ boss, id }, email] = [await staffed(), newEmail()]
  const answers = await Promise.all(Array.from({ length: MANY }, () => invite(boss, id, [{ email }])))
  expect(answers.map((answer) => told(answer).join(' ')).toSorted()).toEqual([
    '201 done',
    ...Array<string>(MANY - 1).fill('409 invalid_state'),
  ])
  expect(await tokensTo(email)).toHaveLength(1)
})

test('calls with the same addresses in another order do not lock each other out', async () => {
  const { boss, id } = await staffed()
  const rows = rowsOf(Array.from({ length: fullScale ? 30 : 8 }, newEmail))
  const rounds = Array.from({ length: 6 }, (_, round) => (round % 2 ? rows : rows.toReversed()))
  const answers = await Promise.all(rounds.map((some) => invite(boss, id, some)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
  expect((await list(boss, id)).body.data).toHaveLength(rows.length)
})

test('sent again, an invitation has another token and seven days from then; the token before is dead; accepted, it stays', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  await pass(3 * DAY_SECONDS)
  const again = await resend(boss, id, invitation.id)
  expect(again.status).toBe(200)
  const gained = Date.parse(again.body.expires_at) - Date.parse(invitation.expires_at)
  expect(Math.round(gained / (DAY_SECONDS * 1000))).toBe(3)
  const [newest = ''] = await tokensTo(guest.email)
  expect(newest).not.toBe(token)
  expect(told(await accept(guest, token))).toEqual([422, 'token_invalid'])
  await pass(5 * DAY_SECONDS)
  expect(await statusOf(invitation.id)).toBe('pending')
  expect(told(await accept(guest, newest))).toEqual([200, 'done'])
  const refused = await resend(boss, id, invitation.id)
  expect(told(refused)).toEqual([409, 'invalid_state'])
  expect(refused.body.error.details).toEqual({ current: 'accepted', allowed: [] })
  expect(told(await remove(boss, id, invitation.id))).toEqual([409, 'invalid_state'])
  expect(await statusOf(invitation.id)).toBe('accepted')
})

test('taken back, an invitation is gone: its token is dead, it is not found, and the address can be invited again', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  const removed = await remove(boss, id, invitation.id)
  expect([removed.status, removed.body]).toEqual([200, { deleted: true, id: invitation.id }])
  expect(told(await accept(guest, token))).toEqual([422, 'token_invalid'])
  for (const again of [remove, resend, read]) {
    expect(told(await again(boss, id, invitation.id))).toEqual([404, 'not_found'])
  }
  expect((await list(boss, id)).body.data).toEqual([])
  expect((await invite(boss, id, [{ email: guest.email }])).status).toBe(201)
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
})

test('the list pages, newest first, filters, and its cursor survives what it names', async () => {
  const [{ boss, id }, guest] = [await staffed(), await person()]
  const ids: string[] = []
  for (const email of [guest.email, 'ada@list.example.com', 'bob@list.example.com', 'cid@list.example.com']) {
    ids.unshift((await invite(boss, id, [{ email }])).body[0].id)
  }
  await accept(guest, (await tokensTo(guest.email))[0] ?? '')
  const first = await list(boss, id, '?limit=2')
  expect([idsOf(first), first.body.has_more]).toEqual([ids.slice(0, 2), true])
  const { next_cursor } = first.body
  await remove(boss, id, next_cursor)
  for (const [query, found] of [
    [`?limit=2&cursor=${next_cursor}`, ids.slice(2)],
    ['?status=accepted', [ids[3]]],
    ['?status=pending', [ids[0], ids[2]]],
    ['?q=ADA%40', [ids[2]]],
    ['?q=%25', []],
  ] as const)
    expect(idsOf(await list(boss, id, query)), query).toEqual(found)
  expect((await list(boss, id, '?status=deleted')).status).toBe(400)
  expect((await list(boss, id, `?cursor=${boss.userId}`)).status).toBe(400)
})

const move = (id: string, command: 'pause' | 'ban' | 'delete') => moveOrganization(id as OrganizationId, command)

test('nobody but the invited address may accept or decline', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  for (const answer of [accept, decline]) {
    for (const somebody of [await person(), boss]) {
      const refused = await answer(somebody, token)
      expect(told(refused)).toEqual([403, 'forbidden'])
      expect(refused.body.error.details).toEqual({ reason: 'other_address' })
    }
  }
  expect(await statusOf(invitation.id)).toBe('pending')
  expect(await rolesOf(id, [guest])).toEqual([undefined])
})

test('accepted many times at once, there is one membership and one event, and every answer is the same', async () => {
  const { id, guest, invitation, token } = await invited()
  const answers = await Promise.all(Array.from({ length: MANY }, () => accept(guest, token)))
  for (const { status, body } of [...answers, await accept(guest, token)]) {
    expect([status, body]).toEqual([200, answers[0]?.body])
  }
  expect(await rolesOf(id, [guest])).toEqual(['member'])
  const payload = { role: 'member', invitation_id: invitation.id }
  const event = { type: 'member.joined', subject_id: guest.userId, actor_user_id: guest.userId, payload }
  expect(await memberEvents(id)).toEqual([event])
})

test('declined, it is gone for good, and whoever invited is told', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  const declined = await decline(guest, token)
  expect([declined.status, declined.body]).toEqual([200, { deleted: true, id: invitation.id }])
  for (const again of [decline, accept]) expect(told(await again(guest, token))).toEqual([422, 'token_invalid'])
  expect((await list(boss, id)).body.data).toEqual([])
  expect(told(await remove(boss, id, invitation.id))).toEqual([404, 'not_found'])
  expect(await mailsTo(boss.email)).toMatchObject([{ subject: 'Your invitation was declined' }])
  expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.declined'])
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
})

test('a token that was never mailed, of the wrong shape, or of another kind is token_invalid', async () => {
  const { guest } = await invited()
  for (const token of ['made-up', guest.token, 'x'.repeat(512)]) {
    for (const answer of [accept, decline]) expect(told(await answer(guest, token))).toEqual([422, 'token_invalid'])
  }
})

test('after seven days it has expired, and can be neither accepted, sent again nor seen', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  await pass(7 * DAY_SECONDS - 60)
  expect(await statusOf(invitation.id)).toBe('pending')
  await pass(60)
  await eventually(() => statusOf(invitation.id)).toBe('expired')
  for (const answer of [accept, decline]) expect(told(await answer(guest, token))).toEqual([410, 'invitation_expired'])
  expect(told(await resend(boss, id, invitation.id))).toEqual([410, 'invitation_expired'])
  expect(told(await read(boss, id, invitation.id))).toEqual([404, 'not_found'])
  expect(told(await remove(boss, id, invitation.id))).toEqual([404, 'not_found'])
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
  expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.expired'])
})

test('it has expired also where nobody noticed, and does not stand in the way of another one', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  await terminateRun(invitation.id)
  await pass(7 * DAY_SECONDS + 1)
  expect((await list(boss, id)).body.data).toEqual([])
  expect(told(await accept(guest, token))).toEqual([410, 'invitation_expired'])
  expect(told(await resend(boss, id, invitation.id))).toEqual([410, 'invitation_expired'])
  expect(told(await remove(boss, id, invitation.id))).toEqual([404, 'not_found'])
  expect((await invite(boss, id, [{ email: guest.email }])).status).toBe(201)
  expect(await statusOf(invitation.id)).toBe('expired')
})

test('who is a member already, or was removed since, does not join by it', async () => {
  const { id, guest, invitation, token } = await invited()
  await join(id, guest, 'member')
  expect(told(await accept(guest, token))).toEqual([409, 'already_member'])
  expect(await statusOf(invitation.id)).toBe('pending')
  await owner`delete from members where organization_id = ${id} and user_id = ${guest.userId}`
  expect(told(await accept(guest, token))).toEqual([200, 'done'])
  await leave(guest, id)
  expect(told(await accept(guest, token))).toEqual([422, 'token_invalid'])
  expect(await rolesOf(id, [guest])).toEqual([undefined])
})

test('an invitation into an organization that is paused can be accepted, into one that is banned or deleted not', async () => {
  const [paused, banned, deleted] = [await invited(), await invited(), await invited()]
  await Promise.all([move(paused.id, 'pause'), move(banned.id, 'ban'), move(deleted.id, 'delete')])
  expect(told(await accept(paused.guest, paused.token))).toEqual([200, 'done'])
  for (const { guest, token } of [banned, deleted]) {
    for (const answer of [accept, decline]) expect(told(await answer(guest, token))).toEqual([422, 'token_invalid'])
    expect((await api('GET', '/organizations', { token: guest.token })).body.data).toEqual([])
  }
})

describe('signing up with the token of an invitation', () => {
  const signUp = (email: string, token: string) =>
    api('POST', '/auth/sign-up', { body: { email, password: PASSWORD, first_name: 'Ada', invitation_token: token } })
  const stranger = async () => {
    const { boss, id } = await invited()
    const email = newEmail()
    const made = await invite(boss, id, [{ email }])
    expect(made.body[0].user_exists).toBe(false)
    return { boss, id, email, invitation: made.body[0], token: (await tokensTo(email))[0] ?? '' }
  }

  test('makes the person at once and signs them in; accepting is still theirs to do', async () => {
    const { boss, id, email, invitation, token } = await stranger()
    const made = await signUp(email.toUpperCase(), token)
    expect(made).toMatchObject({
      status: 201,
      body: { status: 'authenticated', device_id: expect.any(String), user: { first_name: 'Ada' } },
    })
    expect(made.body.user.emails).toMatchObject([{ address: email, confirmed: true }])
    expect((await me(made.body.token)).body).toEqual(made.body.user)
    expect((await signIn(email)).body.status).toBe('authenticated')
    expect(await subjectsTo(email)).not.toContain('Confirm your email address')
    expect((await read(boss, id, invitation.id)).body).toMatchObject({ status: 'pending', user_exists: true })
    expect(told(await accept(made.body, token))).toEqual([200, 'done'])
  })

  test('of another address, or with a wrong, dead or late token, nobody is made', async () => {
    const { boss, id, email, invitation, token } = await stranger()
    const other = newEmail()
    expect(told(await signUp(other, token))).toEqual([422, 'token_invalid'])
    expect(told(await signUp(email, 'made-up'))).toEqual([422, 'token_invalid'])
    const late = await stranger()
    await remove(boss, id, invitation.id)
    expect(told(await signUp(email, token))).toEqual([422, 'token_invalid'])
    await pass(7 * DAY_SECONDS)
    expect(told(await signUp(late.email, late.token))).toEqual([410, 'invitation_expired'])
    expect(await owner`select from people where email = any (${[other, email, late.email]})`).toHaveLength(0)
  })

  test('a wrong token tells nothing about an address; an address with an account is answered as ever', async () => {
    const { guest, token } = await invited()
    const known = await person()
    const [first, second] = [await signUp(known.email, token), await signUp(newEmail(), token)]
    expect({ ...first.body.error, request_id: '' }).toEqual({ ...second.body.error, request_id: '' })
    const own = await signUp(guest.email, token)
    expect([own.status, own.body]).toMatchObject([201, { status: 'confirmation_required' }])
    expect((await mailsTo(guest.email))[0]?.subject).toBe('You have an account already')
    expect(told(await signIn(guest.email))).toEqual([403, 'email_not_confirmed']) // as for any sign-up
  })

  test('many times at once, there is one person', async () => {
    const { email, token } = await stranger()
    const answers = await Promise.all(Array.from({ length: MANY }, () => signUp(email, token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(MANY).fill(201))
    expect(answers.filter(({ body }) => body.status === 'authenticated')).toHaveLength(1)
    expect(await owner`select from people where email = ${email}`).toHaveLength(1)
  })
})
