/** Operations on how people prove who they are × what their session proved: a mailbox alone weakens no account. */
import { randomBytes, randomUUID } from 'node:crypto'
import { generateSecret } from 'otplib'
import { describe, expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { EXAMPLES } from '../../../api/openapi/document.ts'
import { addAuthenticator } from '../../../services/factors/authenticators.ts'
import type { UserId } from '../../../domain/ids.ts'
import { tokenHash } from '../../../platform/encryption.ts'
import { allRoutes as routes } from '../../../sandbox/routes.ts'
import { type TestPerson, api, createPayment, organization, person } from '../../support/api.ts'
import { callWith, world } from '../../support/contract/world.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { sessionOf } from '../../support/identity/devices.ts'
import { codeTo, newEmail, newNumber, sentTo, signedInBy } from '../../support/identity/identity.ts'
import { invite } from '../../support/invitations/invitations.ts'
import { everyNth } from '../../support/model-runs.ts'
import { businessNow } from '../../support/payments/schedules.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const isOfAccounts = ({ method, path }: Route) =>
  method !== 'get' && (/^\/(auth|me|devices|step-up)\b/.test(path) || path.includes('/delegates'))

/** Operations of accounts that need no proof of this kind, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  signUp: 'begins an account',
  confirmEmail: 'begins an account',
  readMailedLink: 'reads',
  signIn: 'proves the password',
  completeSignIn: 'proves a factor',
  completeSignInWithPasskey: 'proves a factor',
  setUpAuthenticatorAtSignIn: 'refused at the sign-in before it: mailbox.test.ts',
  activateAuthenticatorAtSignIn: 'refused at the sign-in before it: mailbox.test.ts',
  signInOnDevice: 'proves the credential, which ends with a reset',
  startProviderSignIn: 'begins a sign-in',
  completeProviderSignIn: 'proves the name at the provider',
  signOut: 'takes power from the session itself',
  forgotPassword: 'sends a mail',
  resetPassword: 'is the mail: what follows it is here',
  keepFactors: 'keeps factors',
  changePassword: 'needs the password; the day after a reset goes on: mailbox.test.ts',
  activateAuthenticator: 'needs a setup of the same session',
  updateMe: 'names and address',
  setPrimaryOrganization: 'where one works first',
  uploadAvatar: 'a picture',
  removeAvatar: 'a picture',
  renameDevice: 'a name',
  renamePasskey: 'a name',
  getPasskeyOptions: 'a challenge of the same session',
  addPhoneNumber: 'counts from its confirmation on',
  endSession: 'takes power away',
  endOtherSessions: 'takes power away',
  endDelegate: 'takes power away',
  endOrganizationDelegate: 'takes power away',
  completeStepUp: 'is the proof',
  requestStepUpFallback: 'is the way to a proof, and is asked for in each cell here',
  approveChallenge: 'needs the credential of an approval device',
  denyChallenge: 'takes power away',
}

const weakening = routes.filter(({ stepUp }) => stepUp?.weakens)

test('each operation of accounts is one that needs a proof beside the mailbox, or is listed with the reason', () => {
  const others = routes.filter((route) => isOfAccounts(route) && !route.stepUp?.weakens)
  expect(others.map(({ operationId }) => operationId).toSorted()).toEqual(Object.keys(OTHERS).toSorted())
})

async function givePhone({ userId }: TestPerson): Promise<void> {
  await owner`insert into phone_numbers (user_id, e164, confirmed_at, codes_from)
    values (${userId}, ${newNumber()}, business_now(), business_now())`
}

/** Adds an approval device that has cooled off; returns its ids. */
async function giveApprovalDevice({ userId }: TestPerson) {
  const [device] = await owner`insert into devices (user_id) values (${userId}) returning id`
  const [credential] = await owner`
    insert into approval_credentials (user_id, device_id, credential_hash, cooling_off_until)
    values (${userId}, ${device?.['id']}, ${randomBytes(32)}, business_now()) returning id`
  return { deviceId: device?.['id'] as string, id: credential?.['id'] as string }
}

async function givePasskey({ userId }: TestPerson): Promise<string> {
  const [key] = await owner`insert into passkeys (user_id, name, credential_id, public_key, counter, synced)
    values (${userId}, 'Key', ${randomUUID()}, '', 0, true) returning id`
  return key?.['id'] as string
}

const giveAuthenticator = ({ userId }: TestPerson) => addAuthenticator(userId as UserId, generateSecret()) // of a row

/** Adds a name that came from the identity provider of an organization of theirs; returns the token of its browser. */
async function offeredLink(who: TestPerson): Promise<string> {
  const { id } = await organization(who)
  const [provider, attempt] = [randomUUID(), randomUUID()]
  await owner`
    insert into identity_providers (id, organization_id, issuer, client_id, sealed, connected_by)
    values (${provider}, ${id}, 'https://login.example', 'client', '', ${who.userId})`
  await owner`
    insert into provider_sign_ins ${owner({
      id: randomUUID(),
      organization_id: id,
      provider_id: provider,
      state_hash: randomBytes(32),
      attempt_hash: tokenHash(attempt),
      sealed: '',
      subject: who.userId,
      expires_at: new Date(Date.parse(await businessNow()) + 3_600_000),
    })}`
  return attempt
}

type Asked = { readonly path?: string; readonly body?: object }

/** Prepares what an operation acts on; without an entry it needs nothing. */
const THINGS: Readonly<Record<string, (who: TestPerson) => Promise<Asked>>> = {
  removeAuthenticator: async (who) => {
    await giveAuthenticator(who)
    return {}
  },
  createRecoveryCodes: async (who) => {
    await givePasskey(who)
    return {}
  },
  deletePasskey: async (who) => ({ path: `/me/passkeys/${await givePasskey(who)}` }),
  deleteApprovalCredential: async (who) => ({ path: `/me/approval-credentials/${(await giveApprovalDevice(who)).id}` }),
  removeDevice: async (who) => ({ path: `/devices/${(await giveApprovalDevice(who)).deviceId}` }),
  removePhoneNumber: async ({ userId }) => {
    const e164 = newNumber()
    await owner`insert into phone_numbers (user_id, e164, confirmed_at) values (${userId}, ${e164}, business_now())`
    return { path: `/me/phone-numbers/${e164}` }
  },
  confirmPhoneNumber: async ({ token }) => {
    const e164 = newNumber()
    await api('POST', '/me/phone-numbers', { token, body: { e164 } })
    return { body: { e164, code: await codeTo(e164) } }
  },
  createDelegate: async (who) => ({ body: { organization_id: (await organization(who)).id } }),
  rotateDelegate: async (who) => {
    const { id } = await organization(who)
    const [made] = await owner`
      with device as (insert into devices (user_id) values (${who.userId}) returning id)
      insert into delegates (user_id, organization_id, device_id, name, kind, access, secret_hash, expires_at)
      select ${who.userId}, ${id}, device.id, 'Books', 'program', 'read', ${randomBytes(32)}, business_now() + interval '1 day'
      from device returning id`
    return { path: `/me/delegates/${made?.['id']}/rotate` }
  },
  createIdentityLink: async (who) => ({ body: { attempt_token: await offeredLink(who) } }),
  createAuthorization: async (who) => ({
    body: {
      organization_id: (await organization(who)).id,
      client_id: 'bfs',
      redirect_uri: 'http://127.0.0.1:1/callback',
    },
  }),
}

/** Calls the operation, then asks for a code in the place of its proof; tells if it was done, or a code mailed. */
async function attempt(route: Route, who: TestPerson, { path = route.path, body = {} }: Asked) {
  const given = { ...(EXAMPLES[route.operationId]?.body as object | undefined), ...body }
  const { token } = who
  const answer = await api(route.method.toUpperCase(), path, { token, ...(route.body && { body: given }) })
  const id = answer.body.error?.step_up?.id
  if (id) await api('POST', `/step-up/${id}/fallback`, { token, body: { method: 'messaging_code' } })
  const mailed = (await sentTo(who.email)).some(({ code }) => code !== null)
  if (answer.status >= 400) expect([403], JSON.stringify(answer.body)).toContain(answer.status)
  return { done: answer.status < 400, mailed }
}

/** Makes persons by what their session proved, and what they have. */
const STANDINGS: Readonly<Record<string, () => Promise<TestPerson>>> = {
  'a password that a mail has set': async () => {
    const who = await signedInBy(await person(), 'password')
    await owner`update people set password_reset_at = business_now() where id = ${who.userId}`
    return who
  },
  'a password that a mail has set, with a phone': async () => {
    const who = await signedInBy(await person(), 'password')
    await owner`update people set password_reset_at = business_now() where id = ${who.userId}`
    await givePhone(who)
    return who
  },
  'a password, with a phone': async () => {
    const who = await signedInBy(await person(), 'password')
    await givePhone(who)
    return who
  },
  'a password, with an approval device': async () => {
    const who = await signedInBy(await person(), 'password')
    await giveApprovalDevice(who)
    return who
  },
  'a trusted device, with a passkey': async () => {
    const who = await signedInBy(await person(), 'trusted_device')
    await givePasskey(who)
    return who
  },
}

/** A setup of an authenticator by a code to the phone: begun, it changes nothing yet. */
const BEGUN = new Set(['setUpAuthenticator'])

const standings = Object.entries(STANDINGS).map(([standing, begin], place) => [standing, begin, place] as const)

describe.each(standings)('no mail confirms, and no sign-in is enough, after %s', (standing, begin, place) => {
  const sample = everyNth(weakening, 2, place)
  test.each(sample.map((route) => [route.operationId, route] as const))('%s', async (id, route) => {
    const who = await begin()
    const asked = (await THINGS[id]?.(who)) ?? {}
    const { done, mailed } = await attempt(route, who, asked)
    expect({ done: done && !(BEGUN.has(id) && standing.endsWith('a phone')), mailed }).toEqual({
      done: false,
      mailed: false,
    })
  })
})

describe('a person who has just begun, and has nothing but their mailbox, can do what makes them safer', () => {
  const first = weakening.filter(({ path, method }) => method === 'post' && path !== '/me/recovery-codes')
  test.each(first.map((route) => [route.operationId, route] as const))('%s', async (id, route) => {
    const who = await signedInBy(await person(), 'sign_up')
    const { done, mailed } = await attempt(route, who, (await THINGS[id]?.(who)) ?? {})
    expect(done || mailed).toBe(true)
  })
})

/** Operations of an organization that stop something, and are open to a mailbox alone. */
const STOPPING = `cancelBill cancelIpAllowListLift cancelPayment cancelPaymentBatch cancelRequest deleteInvitation deletePaymentBatch
  disableWebhookEndpoint endBillMailbox endOrganizationDelegate forgetInboundMailSender rejectRequest revokeApiKey revokePublicInvoice
  revokeScimToken
  sendBackRequest unschedulePayment`

describe('of an organization a password that a mail has set reads, prepares and stops, and gives no power away', async () => {
  const { boss: owning, ids } = await world()
  const { token, sessionId } = await sessionOf(owning) // in which nothing was proved yet
  const boss = await signedInBy({ ...owning, token, sessionId }, 'password')
  await owner`update people set password_reset_at = business_now() where id = ${boss.userId}`
  const changing = routes.filter(
    ({ can, only, shape, stepUp, credential }) =>
      (can || only) && shape !== 'query' && !stepUp && credential === 'session',
  )

  test('the operations that stop something are these', () => {
    const stopping = changing.filter(({ stops }) => stops).map(({ operationId }) => operationId)
    expect(stopping.toSorted()).toEqual(STOPPING.split(/\s+/).toSorted())
  })

  const giving = changing.filter(({ stops, delegate }) => !stops && !delegate)
  test.each(giving.map((route) => [route.operationId, route] as const))('%s is refused', async (_, route) => {
    const answer = await callWith(route, boss.token, ids)
    const [status, type] = refusal(answer)
    expect([status, type, answer.body.error.details?.reason]).toEqual([403, 'forbidden', 'mailbox_only'])
  })

  test('a rejection and a request are made', async () => {
    const { approval_id = '', organization_id = '', payment_contact_id = '' } = ids
    expect((await createPayment(boss, payment_contact_id)).status).toBe('awaiting_approval')
    const path = `/organizations/${organization_id}/approvals/${approval_id}/reject`
    expect((await api('POST', path, { token: boss.token, body: {} })).status).toBe(200)
  })

  test('all is open again after a proof by a factor', async () => {
    const path = `/organizations/${ids['organization_id']}/settings`
    const asked = await api('PATCH', path, { token: boss.token, body: {} })
    expect(asked.body.error.step_up.methods).toEqual(['totp'])
    const proof = { method: 'totp', code: await boss.totp() }
    const complete = `/step-up/${asked.body.error.step_up.id}/complete`
    expect((await api('POST', complete, { token: boss.token, body: proof })).body.status).toBe('verified')
    expect((await invite(boss, ids['organization_id'] ?? '', [{ email: newEmail() }])).status).toBe(201)
  })
})
