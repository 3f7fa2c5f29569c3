/** Rate limits of invitations: calls of one person, mails to one address. */
import { expect, test, vi } from 'vitest'
import { approve, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { newEmail } from '../../support/identity/identity.ts'
import {
  accept,
  asksForApproval,
  invite,
  invited,
  list,
  remove,
  resend,
  statusOf,
  told,
  tokensTo,
} from '../../support/invitations/invitations.ts'

vi.hoisted(() => Object.assign(process.env, { MAIL_LIMIT_PER_HOUR: '3', INVITATION_LIMIT_PER_HOUR: '10' }))

/** An address that has had its three mails, and is not invited any more. */
async function mailed() {
  const { boss, id, guest, invitation } = await invited()
  for (let times = 2; times <= 3; times += 1) await resend(boss, id, invitation.id)
  await remove(boss, id, invitation.id)
  return { boss, id, guest }
}

test('an address gets so many mails an hour; one too many leaves everything as it was', async () => {
  const { boss, id, guest, invitation } = await invited()
  for (let times = 2; times <= 3; times += 1) expect((await resend(boss, id, invitation.id)).status).toBe(200)
  const [token = ''] = await tokensTo(guest.email)
  const refused = await resend(boss, id, invitation.id)
  expect(told(refused)).toEqual([429, 'rate_limited'])
  expect(refused.body.error.details).toEqual({ policy: 'mails', retry_after_seconds: expect.any(Number) })
  expect(refused.headers.get('retry-after')).toBe(String(refused.body.error.details.retry_after_seconds))
  expect(await tokensTo(guest.email)).toHaveLength(3)
  expect(told(await accept(guest, token))).toEqual([200, 'done'])
})

test('an address that has had its mails refuses a whole call, with its index', async () => {
  const { boss, id, guest } = await mailed()
  const fine = newEmail()
  const refused = await invite(boss, id, [{ email: fine }, { email: guest.email }])
  expect(told(refused)).toEqual([429, 'rate_limited'])
  expect(refused.body.error.details).toMatchObject({ policy: 'mails', index: 1, email: guest.email })
  expect(await tokensTo(fine)).toEqual([])
  expect((await list(boss, id)).body.data).toEqual([])
  for (let times = 1; times <= 3; times += 1) {
    const made = await invite(boss, id, [{ email: fine }])
    expect(made.status).toBe(201) // a refused try consumed no limit
    await remove(boss, id, made.body[0].id)
  }
})

test('a person calls so often an hour, in whatever organization', async () => {
  const boss = await person()
  const [here, there] = [await organization(boss), await organization(boss)]
  const answers = []
  for (let times = 1; times <= 11; times += 1) {
    answers.push(await invite(boss, times % 2 ? here.id : there.id, [{ email: newEmail() }]))
  }
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(201), 429])
  expect(answers[10]?.body.error.details.policy).toBe('invitations')
  expect((await invite(await person(), here.id, [{ email: newEmail() }])).status).toBe(404)
})

test('an approval whose mail would be one too many is refused, and can be given later', async () => {
  const { boss, id, guest } = await mailed()
  await asksForApproval(boss, id)
  const [asked] = (await invite(boss, id, [{ email: guest.email }])).body
  expect(told(await approve(boss, asked))).toEqual([429, 'rate_limited'])
  expect(await statusOf(asked.id)).toBe('pending_approval')
  await owner`delete from rate_limits` // as an hour later
  expect(told(await approve(boss, asked))).toEqual([200, 'done'])
  expect(await tokensTo(guest.email)).toHaveLength(4)
})
