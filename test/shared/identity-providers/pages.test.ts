/** Pages of the sign-in at a company's provider: to the provider, back, and the link with an account. */
import { expect, test } from 'vitest'
import { join } from '../../support/api.ts'
import { company, accountOf, identityProvider, personOf, walk } from '../../support/identity/providers.ts'
import { fieldsOf, leadOf, open, submit } from '../../support/identity/oauth.ts'
import { baseUrl } from '../../support/api.ts'

const provider = await identityProvider()
const shared = await company(provider)

/** A browser that keeps cookies, and sends forms of our own pages. */
function browser() {
  const cookies = new Map<string, string>()
  return async (path: string, form?: Record<string, string>, site = 'same-origin') => {
    const answer = await fetch(new URL(path, baseUrl), {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        'sec-fetch-site': site,
        // browsers keep a strict cookie back where another site leads here
        ...(site !== 'cross-site' && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...(form && { origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form && { body: new URLSearchParams(form) }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0/i.test(set)) cookies.delete(name)
      else cookies.set(name, decodeURIComponent(value))
    }
    return { status: answer.status, location: answer.headers.get('location'), html: await answer.text(), cookies }
  }
}

/** Goes to the provider and back; answers the page that the browser lands on. */
async function goThere(visit: ReturnType<typeof browser>, email: string, next = '/') {
  const begun = await visit('/sign-in/company', { email, next })
  const address = /class="button" href="([^"]+)"/.exec(begun.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(address, begun.html).toContain(provider.issuer)
  const landing = await visit(`/sign-in/company/callback?${await walk(address)}`, undefined, 'cross-site')
  const again = leadOf(landing.html)
  expect(again?.pathname).toBe('/sign-in/company/callback')
  return visit(again!.pathname + again!.search)
}

test('a member goes to the provider, comes back, links the account with a proof, and is signed in from then on', async () => {
  const member = await personOf(shared.domain, { authenticator: true })
  await join(shared.id, member, 'member')
  provider.signsIn(accountOf(member))
  const visit = browser()
  const unknown = await goThere(visit, member.email)
  expect([unknown.status, unknown.html.includes('/sign-in?next=%2Fme%2Fcompany-sign-in')]).toEqual([200, true])
  unknown.cookies.set('session', member.token)
  const asked = await visit('/me/company-sign-in', {})
  const proof = { ...fieldsOf(asked.html, 'name="code"'), code: await member.totp() }
  const done = await visit('/me/company-sign-in', proof)
  expect([done.status, done.location], done.html).toEqual([303, `/o/${shared.id}`])
  const fresh = browser()
  const signedIn = await goThere(fresh, member.email, `/o/${shared.id}/company`)
  expect([signedIn.status, signedIn.location]).toEqual([303, `/o/${shared.id}/company`])
  expect(signedIn.cookies.get('session')).toMatch(/^ses_company_/)
  expect((await fresh(`/o/${shared.id}/company`)).status).toBe(200)
  const replayed = await goThere(browser(), member.email)
  expect(replayed.status).toBe(303)
})

test('what is unknown, over, or of another browser is said on the page, and signs in nobody', async () => {
  const visit = browser()
  const unknown = await visit('/sign-in/company', { email: 'a@nowhere.example', next: '/' })
  expect([unknown.status, unknown.html.includes('No company signs in here')]).toEqual([422, true])
  const other = await visit('/sign-in/company/callback?code=x&state=y&here=1')
  expect([other.status, other.html.includes('Begin again'), other.cookies.has('session')]).toEqual([422, true, false])
  expect((await open('/me/company-sign-in')).status).toBe(303)
  const none = await submit('/me/company-sign-in', {}, shared.boss.token)
  expect([none.status, (await none.text()).includes('Begin again')]).toEqual([422, true])
})

test('owners alone see the settings of the sign-in, without its secret', async () => {
  const member = await personOf(shared.domain)
  await join(shared.id, member, 'admin')
  const path = `/o/${shared.id}/company/sign-in`
  expect((await open(path, member.token)).status).toBe(404)
  const html = await (await open(path, shared.boss.token)).text()
  for (const shown of [provider.issuer, shared.domain, 'proved']) expect(html).toContain(shown)
  expect(html).not.toContain('a secret &amp; more')
})
