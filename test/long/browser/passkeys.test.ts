/** Passkeys in Chromium with its virtual authenticator. */
import { addAuthenticator } from '../../../dev/walk/authenticator.ts'
import { type Browser, type Page, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RegistrationOptions, WebauthnOptions } from '../../../domain/factors/passkey.ts'
import { api, baseUrl, person } from '../../support/api.ts'
import { chromiumPath } from '../../support/identity/chromium.ts'
import { passkeyOptions, registerPasskey } from '../../support/identity/passkeys.ts'

describe('in Chromium', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  test.each([
    ['of this device', false],
    ['that is synced', true],
  ])('a passkey %s is made, signs in and proves a step-up', async (_, synced) => {
    const tab = await pageWithAuthenticator(browser, synced)
    const somebody = await person()
    const added = await registerPasskey(somebody, await create(tab, await passkeyOptions(somebody)))
    expect(added).toMatchObject({ status: 201, body: { synced, transports: ['internal'], this_device: true } })
    await expect(create(tab, await passkeyOptions(somebody))).rejects.toThrow('InvalidStateError') // it already has one

    const { email, password } = somebody
    const asked = (await api('POST', '/auth/sign-in', { body: { email, password } })).body
    expect(asked.status).toBe('webauthn_required')
    const body = { challenge_token: asked.challenge_token, credential: await get(tab, asked.webauthn) }
    const done = await api('POST', '/auth/webauthn', { body })
    expect(done).toMatchObject({ status: 200, body: { status: 'authenticated' } })

    const { token } = done.body
    const path = `/me/passkeys/${added.body.id}`
    const { id, methods, webauthn } = (await api('DELETE', path, { token })).body.error.step_up
    expect(methods).toContain('webauthn')
    const proof = { method: 'webauthn', challenge_id: webauthn.challenge_id, credential: await get(tab, webauthn) }
    const proved = await api('POST', `/step-up/${id}/complete`, { token, body: proof })
    expect(proved.body.status).toBe('verified')
    expect(await api('DELETE', path, { token })).toMatchObject({ status: 200, body: { deleted: true } })
  })

  test('a person who is not verified is not taken for the holder of the passkey', async () => {
    const tab = await pageWithAuthenticator(browser, false)
    const somebody = await person()
    const added = await registerPasskey(somebody, await create(tab, await passkeyOptions(somebody)))
    expect(added.status).toBe(201)
    const { email, password } = somebody
    const asked = (await api('POST', '/auth/sign-in', { body: { email, password } })).body
    await tab.send('WebAuthn.setUserVerified', false)
    await expect(get(tab, asked.webauthn)).rejects.toThrow('NotAllowedError') // the browser itself insists
    const credential = await get(tab, { ...asked.webauthn, user_verification: 'discouraged' })
    const answer = await api('POST', '/auth/webauthn', { body: { challenge_token: asked.challenge_token, credential } })
    expect(answer.body).toEqual({ status: 'mfa_failed' })
  })
})

type Tab = { page: Page; send: (method: 'WebAuthn.setUserVerified', isUserVerified: boolean) => Promise<unknown> }

/** The service's own page on localhost, with a context and authenticator of its own. */
async function pageWithAuthenticator(browser: Browser, synced: boolean): Promise<Tab> {
  const page = await (await browser.newContext()).newPage()
  await page.route('**/*.js', (route) => route.abort()) // the page only has to be of our origin
  await page.goto(`${baseUrl.replace('127.0.0.1', 'localhost')}/docs`, { waitUntil: 'domcontentloaded' })
  const backup = { defaultBackupEligibility: synced, defaultBackupState: synced }
  const { devtools, authenticatorId } = await addAuthenticator(page, backup)
  return { page, send: (method, isUserVerified) => devtools.send(method, { authenticatorId, isUserVerified }) }
}

/** Creates a passkey as a frontend does. The page's globals have no types here. */
const create = ({ page }: Tab, options: RegistrationOptions): Promise<unknown> =>
  page.evaluate(async (json) => {
    const { PublicKeyCredential, navigator } = globalThis as any
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json)
    return (await navigator.credentials.create({ publicKey })).toJSON()
  }, options)

/** Signs with a passkey as a frontend does. */
const get = ({ page }: Tab, options: WebauthnOptions): Promise<unknown> =>
  page.evaluate(async (json) => {
    const { PublicKeyCredential, navigator } = globalThis as any
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({
      challenge: json.challenge,
      rpId: json.rp_id,
      timeout: json.timeout,
      userVerification: json.user_verification,
      allowCredentials: json.allow_credentials,
    })
    return (await navigator.credentials.get({ publicKey })).toJSON()
  }, options)
