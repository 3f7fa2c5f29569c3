/** Sessions of pages over HTTP: cookies, forms of other origins, addresses to return to, and who sees what. */
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { expect, test } from 'vitest'
import { createApp } from '../../../api/app.ts'
import { mountPages } from '../../../pages/app.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { api, approvalPath, baseUrl, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { signedInBy, withAuthenticator } from '../../support/identity/identity.ts'
import { until } from '../../support/until.ts'

type Sent = { readonly session?: string; readonly headers?: Record<string, string> }

const OWN = { origin: baseUrl, 'sec-fetch-site': 'same-origin' }

const show = (path: string, { session, headers = {} }: Sent = {}) =>
  fetch(baseUrl + path, {
    redirect: 'manual',
    headers: { ...(session && { cookie: `session=${session}` }), ...headers },
  })

const send = (path: string, fields: Record<string, string>, { session, headers = OWN }: Sent = {}) =>
  fetch(baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { ...(session && { cookie: `session=${session}` }), ...headers },
  })

/** Reads what a form keeps in a hidden field. */
const kept = (html: string, name: string): string =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"')

const sessionIn = (answer: Response): string | undefined =>
  answer.headers.getSetCookie().flatMap((cookie) => /^session=([^;]+)/.exec(cookie)?.[1] ?? [])[0]

test('a sign-in sets cookies that no script reads and no other site sends, and leads back to where one wanted', async () => {
  const { email, password, code } = await withAuthenticator()
  const asked = await show('/approve/history')
  expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fapprove%2Fhistory'])
  const second = await send('/sign-in', { email, password, next: '/approve/history' })
  const html = await second.text()
  const form = { challenge: kept(html, 'challenge'), next: kept(html, 'next'), method: 'totp' }
  const wrong = await send('/sign-in/factor', { ...form, code: '000000' })
  expect([wrong.status, sessionIn(wrong)]).toEqual([401, undefined])
  const done = await send('/sign-in/factor', { ...form, code: await code() })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/approve/history'])
  for (const cookie of done.headers.getSetCookie())
    expect(cookie).toMatch(/^(session|device)=.+; Path=\/; HttpOnly; SameSite=Strict$/)

  const session = sessionIn(done) ?? ''
  expect((await show('/approve/history', { session })).status).toBe(200)
  const api = await fetch(`${baseUrl}/api/v1/me`, { headers: { cookie: `session=${session}` } })
  expect(api.status).toBe(401) // the API knows no cookies
  const out = await send('/sign-out', {}, { session })
  expect([out.status, out.headers.getSetCookie().join()]).toEqual([303, expect.stringContaining('session=; Max-Age=0')])
  expect(out.headers.get('clear-site-data')).toBe('"cache"')
  expect((await show('/approve/history', { session })).status).toBe(303)
})

test('a session that was planted before the sign-in is not the one that begins, and ends with it', async () => {
  const planted = await person()
  const { email, password, code } = await withAuthenticator()
  const html = await (await send('/sign-in', { email, password }, { session: planted.token })).text()
  const form = { challenge: kept(html, 'challenge'), method: 'totp', code: await code() }
  const done = await send('/sign-in/factor', form, { session: planted.token })
  expect(sessionIn(done)).toMatch(/^ses_/)
  expect(sessionIn(done)).not.toBe(planted.token)
  expect((await api('GET', '/me', { token: planted.token })).status).toBe(401)
})

test.each([
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a sibling of our host', { origin: baseUrl, 'sec-fetch-site': 'same-site' }],
  ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['no page', {}],
])('a form of %s decides nothing', async (_, headers) => {
  const { boss, contactId } = await payerAndPayee()
  const payment = await createPayment(boss, contactId)
  const answer = await send(`/approve/${payment.approval_request_id}/reject`, {}, { session: boss.token, headers })
  expect(answer.status).toBe(403)
  expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('awaiting_approval')
})

test.each([
  'https://evil.example/approve',
  '//evil.example/approve',
  '/approve/../docs',
  '/\\evil.example',
  'javascript:1',
  '/approve?next=//evil.example',
  '//evil.example/approve?a=1',
  '/approve?a=1#b',
  '/approve?\r\nset-cookie: a=1',
  '/authorize',
  '',
])('after a sign-in with the address %j one is at the start', async (next) => {
  const { email, password, code } = await withAuthenticator()
  const html = await (await send('/sign-in', { email, password, next })).text()
  const form = { challenge: kept(html, 'challenge'), next, method: 'totp', code: await code() }
  expect((await send('/sign-in/factor', form)).headers.get('location')).toBe('/')
})

test.each(['/approve?kind=payments', '/approve/history?cursor=abc_-%3D', '/o/acme?q=M%C3%BCller+AG&state=on_hold'])(
  'a sign-in leads back to %s, with what was asked there',
  async (address) => {
    const { email, password, code } = await withAuthenticator()
    const begin = (await show(address)).headers.get('location') ?? ''
    expect(begin).toBe(`/sign-in?next=${encodeURIComponent(address)}`)
    const first = { email, password, next: kept(await (await show(begin)).text(), 'next').replaceAll('&amp;', '&') }
    const html = await (await send('/sign-in', first)).text()
    const next = kept(html, 'next').replaceAll('&amp;', '&')
    const form = { challenge: kept(html, 'challenge'), next, method: 'totp', code: await code() }
    expect((await send('/sign-in/factor', form)).headers.get('location')).toBe(address)
  },
)

test('no page is framed, kept, or runs what is not ours; what does not exist and what is not theirs look the same', async () => {
  const [mine, theirs] = [await payerAndPayee(), await payerAndPayee()]
  const { approval_request_id: id } = await createPayment(theirs.boss, theirs.contactId)
  const pages = [`/approve/${id}`, `/approve/${mine.boss.userId}`].map((path) =>
    show(path, { session: mine.boss.token }),
  )
  const [foreign, absent] = await Promise.all(pages)
  expect([foreign?.status, absent?.status]).toEqual([404, 404])
  const bare = async (page: Response | undefined) => (await page?.text())?.replaceAll(/\/approve\/[\da-f-]{36}/g, '')
  expect(await bare(foreign)).toBe(await bare(absent))
  const { headers } = await show('/approve', { session: mine.boss.token })
  const policy = headers.get('content-security-policy') ?? ''
  for (const part of [
    "default-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(part)
  expect(policy).not.toContain('unsafe')
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
})

test('a member sees what they asked for and no button to approve it; a decision by form is refused as by the API', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const member = await person({ authenticator: true })
  await join(payer.id, member, 'member')
  const payment = await createPayment(boss, contactId)
  expect((await show(`/approve/${payment.approval_request_id}`, { session: member.token })).status).toBe(404)
  const own = await createPayment(member, contactId)
  const html = await (await show(`/approve/${own.approval_request_id}`, { session: member.token })).text()
  expect(html).not.toContain('>Approve</button>')
  const answer = await send(`/approve/${own.approval_request_id}/approve`, {}, { session: member.token })
  expect(answer.status).toBe(409)
  expect(await answer.text()).toContain('The policy names others for this step.')
})

test('a link of another site leads to the page itself, by way of our own site, which the browser sends cookies to', async () => {
  const { boss } = await payerAndPayee()
  const first = await show('/approve', { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('content="0; url=/approve?here=1"')])
  const headers = { 'sec-fetch-site': 'same-origin' }
  expect((await show('/approve?here=1', { session: boss.token, headers })).status).toBe(200)
  expect((await show('/approve?here=1', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(303)
})

test('a cookie that no header can carry is no session, and an address cannot say what was done', async () => {
  for (const planted of ['a%0Ab', '%E2%82%AC', '%00'])
    expect((await show('/approve', { session: planted })).headers.get('location')).toBe('/sign-in?next=%2Fapprove')
  const { boss, contactId } = await payerAndPayee()
  const { approval_request_id: id } = await createPayment(boss, contactId)
  const said = async (path: string) => (await show(path, { session: boss.token })).text()
  expect(await said(`/approve/${id}?done=approved`)).not.toContain('You approved this')
  expect(await said('/approve?done=constructor')).not.toContain('class="notice')
})

test('the devices list the programs that act for one, and end them; a program approves on no page', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  const made = await delegateOf(boss, payer.id, { name: 'Books', access: 'prepare' })
  const token = await tokenOf(made)
  const seen = async () => (await show('/approve/devices', { session: boss.token })).text()
  expect(await seen()).toMatch(/Books<\/[^]*may read, and ask for payments that people approve/)
  const { approval_request_id: id } = await createPayment(boss, contactId)
  for (const path of [`/approve/${id}/approve`, `/approve/${id}/reject`]) {
    const tried = await send(path, { reason: 'no' }, { session: token })
    expect([tried.status, await tried.text()]).toEqual([403, expect.stringContaining('A delegate may not do this.')])
  }
  await send(`/approve/devices/delegates/${made.id}/end`, {}, { session: token })
  expect(await seen()).toContain('Books')
  const ended = await send(`/approve/devices/delegates/${made.id}/end`, {}, { session: boss.token })
  expect([ended.status, ended.headers.get('location')]).toEqual([303, '/approve/devices'])
  expect(await seen()).toContain('None acts in your name')
  expect((await show('/approve', { session: token })).status).toBe(303)
})

test('a page that looks for changes keeps no session alive', async () => {
  const { boss } = await payerAndPayee()
  const used = async () => {
    const [row] = await owner<
      { at: string }[]
    >`select last_used_at::text as at from sessions where id = ${boss.sessionId}`
    return row?.at
  }
  await owner`update sessions set last_used_at = business_now() - interval '20 minutes' where id = ${boss.sessionId}`
  const before = await used()
  const { body } = await show('/approve/stream', { session: boss.token })
  const reader = body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  expect(first).toBe(': connected\n\n')
  await reader?.read() // has looked again
  expect(await used()).toBe(before)
  const more = await Promise.all(Array.from({ length: 5 }, () => show('/approve/stream', { session: boss.token })))
  expect(more.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429])
  for (const stream of more) await stream.body?.cancel()
  await reader?.cancel()
  await show('/approve', { session: boss.token })
  await until('the use of the session', async () => (await used()) !== before)
})

test('a page learns at once of a change that came before it began to look', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const page = await (await show(`/approve/${payment.approval_request_id}`, { session: boss.token })).text()
  const live = /data-live="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const firstOf = async () => {
    const { body } = await show(live, { session: boss.token })
    const reader = body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    await reader?.cancel()
    return first
  }
  expect(await firstOf()).toBe(': connected\n\n')
  await api('POST', `${approvalPath(payment)}/cancel`, { token: boss.token, body: {} })
  expect(await firstOf()).toBe('event: changed\ndata: \n\n')
})

test('each page that asks for a sign-in has a sign-out', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const { approval_request_id: id } = await createPayment(boss, contactId, '5.00')
  const app = createApp(routes)
  mountPages(app)
  const paths = app.routes.flatMap(({ method, path }) =>
    method === 'GET' && !/^\/api\/|\*|stream|\.png$|\/file$/.test(path) ? [path.replaceAll(/:\w+/g, id)] : [],
  )
  const found: string[] = []
  for (const path of new Set(paths)) {
    if (!(await show(path)).headers.get('location')?.startsWith('/sign-in')) continue
    const html = await (await show(path, { session: boss.token })).text()
    if (html.includes('<!doctype html>')) expect(html, path).toContain('action="/sign-out"')
    found.push(path)
  }
  expect(found).toEqual(expect.arrayContaining(['/approve', '/approve/devices', `/approve/${id}`, '/approve/history']))
})

test('a session that has proved nothing but a mailbox sees its pages, is told why it confirms nothing, and may reject', async () => {
  const { boss, contactId } = await payerAndPayee()
  const payment = await createPayment(boss, contactId, '5.00')
  await owner`delete from authenticators where user_id = ${boss.userId}`
  await signedInBy(boss, 'password')
  await owner`update people set password_reset_at = business_now() where id = ${boss.userId}`
  const at = `/approve/${payment.approval_request_id}`
  for (const path of ['/approve', '/approve/devices', at])
    expect((await show(path, { session: boss.token })).status).toBe(200)
  const refused = await send(`${at}/approve`, {}, { session: boss.token })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toMatch(/until .+ a mail confirms nothing/)
  const passkey = await show('/approve/devices/passkeys/new', { session: boss.token })
  expect(passkey.status).toBeLessThan(500)
  const rejected = await send(`${at}/reject`, { reason: 'not mine' }, { session: boss.token })
  expect([rejected.status, rejected.headers.get('location')]).toEqual([303, `${at}?done=rejected`])
})
