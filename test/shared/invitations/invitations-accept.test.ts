/** Accepting and declining an invitation: with the invited address, in time, once. */
import { describe, expect, test } from 'vitest'
import { moveOrganization } from '../../support/organizations/status.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { api, join, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { PASSWORD, mailsTo, subjectsTo, me, newEmail, signIn } from '../../support/identity/identity.ts'
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
  told,
  tokensTo,
} from '../../support/invitations/invitations.ts'
import { leave, memberEvents, rolesOf } from '../../support/organizations/members.ts'
import { longTest, MANY } from '../../support/model-runs.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

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

longTest('accepted and declined at once, one of them counts', async () => {
  const { id, guest, invitation, token } = await invited()
  const answers = await Promise.all([accept(guest, token), decline(guest, token)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  const joined = (await rolesOf(id, [guest]))[0] === 'member'
  expect(await statusOf(invitation.id)).toBe(joined ? 'accepted' : 'declined')
})

longTest('accepted and taken back at once, one of them counts', async () => {
  const { boss, id, guest, invitation, token } = await invited()
  const [accepted, removed] = await Promise.all([accept(guest, token), remove(boss, id, invitation.id)])
  expect([accepted.status === 200, removed.status === 200].filter(Boolean)).toHaveLength(1)
  expect(await rolesOf(id, [guest])).toEqual([accepted.status === 200 ? 'member' : undefined])
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
