import { expect, test } from 'vitest'
import { api, person, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { challenged, eventTypes, mailsTo, mfa, withAuthenticator } from '../../support/identity/identity.ts'
import { passkey, removePasskey } from '../../support/identity/passkeys.ts'

const generate = async (token: string): Promise<string[]> =>
  (await withStepUp('POST', '/me/recovery-codes', { token })).body.codes
const count = async (token: string): Promise<number> =>
  (await api('GET', '/me/recovery-codes', { token })).body.remaining

test('ten codes, each of which signs in once in the place of the authenticator code, however it is typed', async () => {
  const somebody = await withAuthenticator()
  const codes = await generate(somebody.token)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/)
  const [first = '', second = ''] = codes
  const done = await mfa(await challenged(somebody), first.toLowerCase().replaceAll('-', ' '))
  expect(done.body.status).toBe('authenticated')
  expect((await mfa(await challenged(somebody), first)).body.status).toBe('mfa_failed')
  expect((await mfa(await challenged(somebody), second)).body.status).toBe('authenticated')
  expect(await count(somebody.token)).toBe(8)
  expect(await eventTypes(somebody.token)).toContain('recovery_code.used')
  const mails = await mailsTo(somebody.email)
  expect(mails.map(({ text }) => text).join()).toContain('8 of your codes are left')
})

test('new codes void the earlier ones; nobody else can use them; of 20 uses at once one succeeds', async () => {
  const [somebody, other] = [await withAuthenticator(), await withAuthenticator()]
  const [old = ''] = await generate(somebody.token)
  const [code = ''] = await generate(somebody.token)
  expect((await mfa(await challenged(somebody), old)).body.status).toBe('mfa_failed')
  expect((await mfa(await challenged(other), code)).body.status).toBe('mfa_failed')
  const challenges = await Promise.all(Array.from({ length: 20 }, () => challenged(somebody)))
  const answers = await Promise.all(challenges.map((token) => mfa(token, code)))
  expect(answers.filter(({ body }) => body.status === 'authenticated')).toHaveLength(1)
})

test('they need a step-up and a factor to stand in for, and are kept as hashes only', async () => {
  const [plain, somebody] = [await person(), await withAuthenticator()]
  expect((await api('POST', '/me/recovery-codes', { token: somebody.token })).body.error.type).toBe('step_up_required')
  const refused = await withStepUp('POST', '/me/recovery-codes', { token: plain.token })
  expect(refused).toMatchObject({ status: 409, body: { error: { type: 'invalid_state' } } })
  const codes = await generate(somebody.token)
  const rows = await owner`select r::text as row from recovery_codes r where user_id = ${somebody.userId}`
  const text = rows.map(({ row }) => row).join()
  for (const code of codes) {
    for (const shape of [code, code.replaceAll('-', '')]) expect(text).not.toContain(shape)
  }
})

test('removing the last factor takes the codes with it, be it a passkey or the authenticator', async () => {
  const [somebody, other] = [await person(), await withAuthenticator()]
  const [one, two] = [await passkey(somebody), await passkey(somebody)]
  for (const { token } of [somebody, other]) await generate(token)
  await removePasskey(somebody, one.id)
  expect(await count(somebody.token)).toBe(10)
  await removePasskey(somebody, two.id)
  await withStepUp('DELETE', '/auth/totp', { token: other.token })
  expect([await count(somebody.token), await count(other.token)]).toEqual([0, 0])
})
