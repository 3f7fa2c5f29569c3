/** Invitations under an approval policy, and those that end with the inviter's role. */
import { describe, expect, test } from 'vitest'
import { type Answer, type TestPerson, api, approvalPath, approve, person, withStepUp } from '../../support/api.ts'
import { approvalOf, decide, expectAsRead } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { PASSWORD, mailsTo, newEmail } from '../../support/identity/identity.ts'
import {
  DAY_SECONDS,
  accept,
  asksForApproval,
  decline,
  decodedHistory,
  detailsOf,
  eventsOf,
  invite,
  invited,
  list,
  pass,
  remove,
  resend,
  runState,
  statusOf,
  terminateRun,
  told,
  tokensTo,
} from '../../support/invitations/invitations.ts'
import {
  changeRole,
  leave,
  membersPath,
  remove as removeMember,
  rolesOf,
  staffOf,
  staffed,
  transfer,
} from '../../support/organizations/members.ts'
import { eventually } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { everyNth } from '../../support/model-runs.ts'

useWorker()

const reduce = ({ token }: TestPerson, id: string, { userId }: TestPerson) =>
  withStepUp('PATCH', `${membersPath(id)}/${userId}`, { token, body: { preset: 'preparer' } })

async function waiting(required = 1, ...admins: 'admin'[]) {
  const { boss, id, staff } = await staffed(...admins)
  const guest = await person()
  await asksForApproval(boss, id, required)
  const made = await invite(boss, id, [{ email: guest.email, role: 'admin', card_limit: 300 }])
  expect(made.status).toBe(201)
  return { boss, staff, guest, id, invitation: made.body[0] }
}

test('where the policy asks for it an invitation waits, and its mail goes out with the approval', async () => {
  const { boss, guest, id, invitation } = await waiting()
  expect(invitation).toMatchObject({ status: 'pending_approval', approval_request_id: expect.any(String) })
  expect(await mailsTo(guest.email)).toEqual([])
  const approval = await approvalOf(invitation, boss)
  expect(approval).toMatchObject({
    action_type: 'organization_invitation',
    target_type: 'organization_invitation',
    target_id: invitation.id,
    summary: `Invite ${guest.email} as admin.`,
    expires_at: invitation.expires_at,
    subject: {
      type: 'organization_invitation',
      organization_invitation: { id: invitation.id, email: guest.email, role: 'admin', card_limit: 300 },
    },
  })
  await pass(DAY_SECONDS)
  const approved = await approve(boss, invitation)
  expect(approved.body.status).toBe('approved')
  await expectAsRead(approved, approvalPath(invitation), boss)
  const [seen] = (await list(boss, id)).body.data
  expect(seen).toMatchObject({ id: invitation.id, status: 'pending', approval_request_id: approval.approval_id })
  const days = (Date.parse(seen.expires_at) - Date.parse(invitation.inserted_at)) / (DAY_SECONDS * 1000)
  expect(Math.round(days)).toBe(8)
  const [token = ''] = await tokensTo(guest.email)
  expect(told(await accept(guest, token))).toEqual([200, 'done'])
  expect(await eventsOf(invitation.id)).toEqual(['invitation.created', 'invitation.approved', 'invitation.accepted'])
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
})

test('rejected, it is gone, nobody was mailed, and the address can be invited again', async () => {
  const { boss, guest, id, invitation } = await waiting()
  const rejected = await decide(boss, invitation, 'reject')
  expect(rejected.body.status).toBe('rejected')
  await expectAsRead(rejected, approvalPath(invitation), boss)
  expect((await list(boss, id)).body.data).toEqual([])
  expect(await mailsTo(guest.email)).toEqual([])
  expect(await statusOf(invitation.id)).toBe('deleted')
  expect((await invite(boss, id, [{ email: guest.email }])).status).toBe(201)
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
})

test('while it waits it is not sent again, and taken back its approval is cancelled', async () => {
  const { boss, id, invitation } = await waiting()
  const refused = await resend(boss, id, invitation.id)
  expect(told(refused)).toEqual([409, 'invalid_state'])
  expect(refused.body.error.details).toEqual({ current: 'pending_approval', allowed: ['delete'] })
  expect(told(await remove(boss, id, invitation.id))).toEqual([200, 'done'])
  const approval = await approvalOf(invitation, boss)
  expect(approval).toMatchObject({ status: 'cancelled', approver: null, can_take_action: false })
  expect(approval.decisions).toMatchObject([{ decision: 'cancel', user_id: boss.userId }])
  expect(await statusOf(invitation.id)).toBe('deleted')
  await eventually(() => runState(invitation.id)).toBe('COMPLETED')
  expect(told(await approve(boss, invitation))).toEqual([409, 'approval_already_processed'])
})

test('when nobody approves in time it is gone, also for whoever invites before anybody noticed', async () => {
  const { boss, guest, id, invitation } = await waiting()
  await terminateRun(invitation.id) // no run will notice
  await pass(2 * DAY_SECONDS + 1)
  const again = await invite(boss, id, [{ email: guest.email }])
  expect(told(again)).toEqual([201, 'done'])
  expect(await statusOf(invitation.id)).toBe('deleted')
  expect((await approvalOf(invitation, boss)).decisions).toMatchObject([{ decision: 'expire' }])
  await pass(2 * DAY_SECONDS + 1)
  await eventually(() => statusOf(again.body[0].id)).toBe('deleted')
})

test('a set is invited with an approval of its own for each', async () => {
  const { boss, id } = await staffed()
  await asksForApproval(boss, id)
  const made = await invite(boss, id, [{ email: newEmail() }, { email: newEmail() }])
  const approvals: string[] = made.body.map((row: { approval_request_id: string }) => row.approval_request_id)
  expect(new Set(approvals).size).toBe(2)
  await approve(boss, made.body[1])
  expect(await statusOf(made.body[0].id)).toBe('pending_approval')
  expect(await statusOf(made.body[1].id)).toBe('pending')
})

test('an operator reads who is waited for, and no name, address or token', async () => {
  const { boss, staff, guest, id, invitation } = await waiting(2, 'admin')
  await eventually(() => detailsOf(invitation.id)).toMatch(
    /^Waits for approval since .* UTC, until .* UTC: step 1 of 1: 2 more of owner, admin\.$/,
  )
  await approve(boss, invitation)
  await eventually(() => detailsOf(invitation.id)).toMatch(/: step 1 of 1: 1 more of owner, admin\.$/)
  await approve(staff[0]!, invitation)
  await eventually(() => detailsOf(invitation.id)).toMatch(/^Waits for an answer to the mail since/)
  const [token = ''] = await tokensTo(guest.email)
  const kept = await decodedHistory(invitation.id)
  const events = await owner`select * from events where organization_id = ${id}`
  expect(kept).toContain(invitation.id)
  for (const secret of [token, guest.email, 'Test Person']) expect(kept + JSON.stringify(events)).not.toContain(secret)
})

describe('what somebody invited', () => {
  const GOES: Record<string, (boss: TestPerson, id: string, admin: TestPerson) => Promise<Answer>> = {
    'are removed': (boss, id, admin) => removeMember(boss, id, admin.userId),
    leave: (_, id, admin) => leave(admin, id),
    'become a member': (boss, id, admin) => changeRole(boss, id, admin.userId, 'member'),
  }
  test.each(everyNth(Object.entries(GOES), 2))(
    'is taken back when they %s, and what others invited is not',
    async (_, goes) => {
      const { id, boss, staff } = await staffed('admin')
      const [[admin], guest, email] = [staff, await person(), newEmail()]
      const [first, second] = (await invite(admin, id, [{ email: guest.email, role: 'admin' }, { email }])).body
      const [kept] = (await invite(boss, id, [{ email: newEmail() }])).body
      const [[token = ''], [other = '']] = [await tokensTo(guest.email), await tokensTo(email)]
      expect((await goes(boss, id, admin)).status).toBe(200)
      for (const answer of [accept, decline]) expect(told(await answer(guest, token))).toEqual([422, 'token_invalid'])
      const late = await api('POST', '/auth/sign-up', { body: { email, password: PASSWORD, invitation_token: other } })
      expect(told(late)).toEqual([422, 'token_invalid'])
      expect(await owner`select from people where email = ${email}`).toHaveLength(0)
      expect((await list(boss, id)).body.data).toMatchObject([{ id: kept.id }])
      for (const ended of [first, second]) {
        expect(await eventsOf(ended.id)).toEqual(['invitation.created', 'invitation.deleted'])
        await eventually(() => runState(ended.id)).toBe('COMPLETED')
      }
      expect((await invite(boss, id, [{ email: guest.email }])).status).toBe(201)
    },
  )

  test('does not wait for approval any more when they go', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [admin] = staff
    await asksForApproval(boss, id)
    const [invitation] = (await invite(admin, id, [{ email: newEmail(), role: 'admin' }])).body
    await removeMember(boss, id, admin.userId)
    expect(await approvalOf(invitation, boss)).toMatchObject({
      status: 'cancelled',
      decisions: [{ decision: 'cancel', user_id: boss.userId, comment: 'inviter may not invite any more' }],
    })
    expect(told(await approve(boss, invitation))).toEqual([409, 'approval_already_processed'])
    await eventually(() => runState(invitation.id)).toBe('COMPLETED')
  })

  test('ends when they are left with less than it gives, also approved; what they could still send goes on', async () => {
    const { id, boss, staff } = await staffed('admin')
    const [[admin], friend, clerk] = [staff, await person(), await person()]
    await asksForApproval(boss, id)
    const rows = [{ email: friend.email, role: 'admin' }, { email: clerk.email }]
    const [whole, less] = (await invite(admin, id, rows)).body
    for (const one of [whole, less]) expect((await approve(boss, one)).body.status).toBe('approved')
    const [waits] = (await invite(admin, id, [{ email: newEmail(), role: 'admin' }])).body
    const [[token = ''], [other = '']] = [await tokensTo(friend.email), await tokensTo(clerk.email)]
    const took = await owner`
      update members set permissions_removed = '{approvals.review}'
      where organization_id = ${id} and user_id = ${admin.userId} returning user_id`
    expect(took).toHaveLength(1)
    expect(told(await accept(friend, token))).toEqual([422, 'token_invalid']) // however that came
    const again = await resend(boss, id, whole.id)
    expect([...told(again), again.body.error.details]).toEqual([
      409,
      'invalid_state',
      { current: 'pending', allowed: ['delete'] },
    ])
    expect((await reduce(boss, id, admin)).status).toBe(200)
    for (const ended of [whole, waits]) expect(await statusOf(ended.id)).toBe('deleted')
    expect(await approvalOf(waits, boss)).toMatchObject({
      status: 'cancelled',
      decisions: [{ decision: 'cancel', comment: 'inviter may not give this role any more' }],
    })
    expect(told(await accept(friend, token))).toEqual([422, 'token_invalid'])
    expect(told(await accept(clerk, other))).toEqual([200, 'done'])
    expect(await rolesOf(id, [friend, clerk])).toEqual([undefined, 'member'])
  })

  test('stays when they become an admin', async () => {
    const { boss, id, guest, token } = await invited('admin')
    const [other] = await staffOf(id, 'admin')
    await transfer(boss, id, other.userId)
    expect(told(await accept(guest, token))).toEqual([200, 'done'])
  })

  test('lets nobody in while they may not invite, however that came', async () => {
    const { boss, id, guest, token } = await invited()
    await owner`update members set role = 'member' where organization_id = ${id} and user_id = ${boss.userId}`
    expect(told(await accept(guest, token))).toEqual([422, 'token_invalid'])
    expect(await rolesOf(id, [guest])).toEqual([undefined])
    expect(await mailsTo(boss.email)).toEqual([])
  })
})
