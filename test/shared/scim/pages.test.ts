/** Pages of members that the identity provider manages: for owners, in both languages, with a secret that is shown once. */
import { expect, test } from 'vitest'
import { join } from '../../support/api.ts'
import { fieldsOf, open, submit } from '../../support/identity/oauth.ts'
import { company, identityProvider, personOf } from '../../support/identity/providers.ts'
import { listOf, scimOf, userBody } from '../../support/identity/scim.ts'

const provider = await identityProvider()
const { boss, id, domain } = await company(provider)
const at = `/o/${id}/company/sign-in/scim`

let steps = -1 // each code is taken once

/** Sends a form, and the proof that it asks for. */
async function send(path: string, form: Record<string, string>) {
  const asked = await submit(path, form, boss.token)
  const html = await asked.text()
  if (!html.includes('name="code"')) return { status: asked.status, location: asked.headers.get('location'), html }
  const proof = { ...fieldsOf(html, 'name="code"'), code: await boss.totp((steps += 1)) }
  const done = await submit(path, proof, boss.token)
  return { status: done.status, location: done.headers.get('location'), html: await done.text(), proof }
}

test('an owner makes a token, which is shown once, gives a role to a group, and revokes the token', async () => {
  expect(await (await open(`/o/${id}/company/sign-in`, boss.token)).text()).toContain(`href="${at}"`)
  const made = await send(at, { name: 'Okta & Co' })
  const secret = /bfs_scim_[\w-]+/.exec(made.html)?.[0] ?? ''
  expect([made.status, secret.length > 40], made.html).toEqual([200, true])
  const again = await submit(at, made.proof ?? {}, boss.token)
  expect([again.status, (await again.text()).includes(secret)]).toEqual([409, false])
  const scim = scimOf(secret)
  const member = await personOf(domain)
  await join(id, member, 'member')
  const { body: user } = await scim('POST', '/Users', userBody(member.email))
  const { body: group } = await scim('POST', '/Groups', { displayName: 'Finance', members: [{ value: user.id }] })
  const html = await (await open(at, boss.token)).text()
  for (const shown of ['/scim/v2', 'Okta &amp; Co', 'Finance', '1 person']) expect(html).toContain(shown)
  expect(html).not.toContain(secret)
  const given = await send(`${at}/role`, { group: group.id, role: 'admin', preset: 'reader' })
  expect([given.status, given.location]).toEqual([303, `${at}?done=saved`])
  expect((await listOf(boss, id, '/groups'))[0]).toMatchObject({ role: 'admin', preset: 'reader' })
  const page = await (await open(`/o/${id}/company/people/${member.userId}`, boss.token)).text()
  expect(page).toContain('the identity provider: changes there come first')
  const [token] = await listOf(boss, id, '/tokens')
  const revoked = await send(`${at}/revoke`, { token: token.id })
  expect([revoked.status, (await scim('GET', '/Users')).status]).toEqual([303, 401])
  expect(await (await open(at, boss.token)).text()).toContain('revoked')
})

test('others than owners see nothing of it', async () => {
  const admin = await personOf(domain)
  await join(id, admin, 'admin')
  expect((await open(at, admin.token)).status).toBe(404)
  expect((await submit(at, { name: 'x' }, admin.token)).status).toBe(404)
})
