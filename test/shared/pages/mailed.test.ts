/** Links of mails × the person who is signed in: each names its address, asks, and swaps no session. */
import { describe, expect, test } from 'vitest'
import { announceFactorReset } from '../../../services/sign-in/factor-resets.ts'
import { MAILED_PAGES, type MailedPage } from '../../../domain/sign-in/mailed-link.ts'
import { api, baseUrl, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { PASSWORD, me, newEmail, signIn, signUp, tokenTo, withAuthenticator } from '../../support/identity/identity.ts'
import { fieldsOf, open, submit } from '../../support/identity/oauth.ts'
import { invite } from '../../support/invitations/invitations.ts'

type Link = {
  readonly email: string
  /** Session of the person of the link; undefined if they have no account. */
  readonly session?: string
  readonly fields?: Readonly<Record<string, string>>
  /** Tells if the link has done what it is for. */
  readonly isDone: () => Promise<boolean>
  /** Tells who is signed in afterwards, where nobody or the person of the link was. */
  readonly leaves: 'the person of the link' | 'nobody' | 'who was there'
}

const isMember = async (organizationId: string, email: string): Promise<boolean> =>
  (
    await owner`
      select from members m join people p on p.id = m.user_id
      where m.organization_id = ${organizationId} and p.email = ${email}`
  ).length > 0

async function invitation(guest: { email: string; token?: string }, fields: object = {}): Promise<Link> {
  const boss = await person()
  const { id } = await organization(boss, 'Inviting')
  await invite(boss, id, [{ email: guest.email }])
  return {
    email: guest.email,
    ...(guest.token && { session: guest.token }),
    ...(!guest.token && { fields: { email: guest.email, password: PASSWORD, ...fields } }),
    isDone: () => isMember(id, guest.email),
    leaves: 'the person of the link',
  }
}

const NEW_PASSWORD = 'another long pass phrase'

/** A link of each kind. */
const MADE: Readonly<Record<MailedPage, () => Promise<Link>>> = {
  'confirm-email': async () => {
    const email = newEmail()
    await signUp(email)
    const isDone = async () => (await owner`select from people where email = ${email}`).length > 0
    return { email, fields: { password: NEW_PASSWORD }, isDone, leaves: 'the person of the link' }
  },
  'reset-password': async () => {
    const { email, token } = await person()
    await api('POST', '/auth/password/forgot', { body: { email } })
    const isDone = async () => (await signIn(email, NEW_PASSWORD)).status === 200
    return { email, session: token, fields: { password: NEW_PASSWORD }, isDone, leaves: 'nobody' }
  },
  'keep-factors': async () => {
    const { email, token } = await withAuthenticator()
    await announceFactorReset(email, 'lost')
    const isDone = async () =>
      (
        await owner`
          select from factor_resets r join people p on p.id = r.user_id
          where p.email = ${email} and r.ended_at is null`
      ).length === 0
    return { email, session: token, isDone, leaves: 'who was there' }
  },
  invitation: async () => invitation(await person()),
}

/** Reads the session cookie that an answer sets; null if it is taken away, undefined if it stays. */
function setBy(answer: Response): string | null | undefined {
  const cookie = answer.headers.getSetCookie().find((one) => one.startsWith('session='))
  if (cookie === undefined) return undefined
  return /^session=([^;]+)/.exec(cookie)?.[1] ?? null
}

/** Reads the address of the person of a session; null if it is none. */
const signedInAs = async (session: string | undefined): Promise<string | null> =>
  session ? ((await me(session)).body.emails?.[0].address ?? null) : null

const liveSessions = async (email: string) =>
  (
    await owner`
      select from sessions s join people p on p.id = s.user_id where p.email = ${email} and s.ended_at is null`
  ).length

describe.each(MAILED_PAGES)('the link to /%s', (page) => {
  const act = async (link: Link, session: string | undefined) => {
    const token = await tokenTo(link.email)
    expect((await (await open(`/${page}`, session)).text()).includes(link.email)).toBe(false)
    const asked = await submit(`/${page}`, { token }, session)
    const html = await asked.text()
    expect([asked.status, setBy(asked), await link.isDone()]).toEqual([200, undefined, false])
    expect(html).toContain(`<bdi>${link.email}</bdi>`)
    const kept = fieldsOf(html, 'name="token"')
    return { html, kept, send: () => submit(`/${page}`, { ...kept, token, ...link.fields }, session) }
  }

  test('without anyone signed in: names the address, asks, and leaves nobody else signed in', async () => {
    const link = page === 'invitation' ? await invitation({ email: newEmail() }) : await MADE[page]()
    const { send } = await act(link, undefined)
    const done = await send()
    const session = setBy(done)
    if (page === 'invitation') {
      await done.text() // the account is made, and the same link joins with it
      expect(done.headers.get('location')).toMatch(/^\/invitation#token=/)
      expect((await (await act(link, session ?? undefined)).send()).status).toBe(303)
    }
    expect(await link.isDone()).toBe(true)
    expect(await signedInAs(session ?? undefined)).toBe(link.leaves === 'the person of the link' ? link.email : null)
  })

  test.skipIf(page === 'confirm-email')('where its own person is signed in: names them, asks, and acts', async () => {
    const link = await MADE[page]()
    const { send } = await act(link, link.session)
    const done = await send()
    expect([done.status < 400, await link.isDone()]).toEqual([true, true])
    expect(await signedInAs(setBy(done) === null ? undefined : link.session)).toBe(
      link.leaves === 'nobody' ? null : link.email,
    )
  })

  test('where another person is signed in: names both, and leaves them signed in', async () => {
    const other = await person()
    const link = await MADE[page]()
    const before = await liveSessions(link.email)
    const { html, send } = await act(link, other.token)
    expect(html).toContain(`<bdi>${other.email}</bdi>`)
    const done = await send()
    expect([setBy(done), await signedInAs(other.token)]).toEqual([undefined, other.email])
    expect(await link.isDone()).toBe(page !== 'invitation') // it acts for the person who is signed in
    if (page !== 'reset-password') expect(await liveSessions(link.email)).toBe(before)
  })

  test('asked of nobody, or of another person, and sent by one who signed in since: asks again, and does nothing', async () => {
    const [first, second] = [await person(), await person()]
    for (const asked of [undefined, first.token]) {
      const link = await MADE[page]()
      const { kept } = await act(link, asked)
      const late = await submit(`/${page}`, { ...kept, token: await tokenTo(link.email), ...link.fields }, second.token)
      expect([late.status, setBy(late), await link.isDone()]).toEqual([200, undefined, false])
      expect(await late.text()).toContain(`<bdi>${second.email}</bdi>`)
      expect(await signedInAs(second.token)).toBe(second.email)
    }
  })

  test('with a wrong or a used token: says so, and names nobody', async () => {
    const link = await MADE[page]()
    const { kept, send } = await act(link, link.session)
    await send()
    for (const token of ['wrong', kept['token'] ?? '']) {
      const refused = await submit(`/${page}`, { token, address: link.email, viewer: '' })
      const html = await refused.text()
      expect([refused.status, html.includes(link.email)]).toEqual([400, false])
    }
    expect((await api('POST', '/auth/mailed-links', { body: { page, token: 'wrong' } })).body.error.type).toBe(
      'token_invalid',
    )
  })
})

test('a form of another site opens no link', async () => {
  const { email } = await MADE['confirm-email']()
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const sent = await submit('/confirm-email', { token: await tokenTo(email) }, undefined, elsewhere)
  expect([sent.status, new URL(sent.url).origin]).toEqual([403, baseUrl])
})
