import { generate, generateSecret } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAuthenticator } from '../../services/factors/authenticators.ts'
import type { UserId } from '../../domain/ids.ts'
import { tokenHash } from '../../platform/encryption.ts'
import { fund, organization, person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { type History, readable } from '../support/histories/recorded.ts'
import { historyOf, stateOf } from '../support/runs/runs.ts'
import { found, secret, secrets, startBoth, until, whileRefusing, without } from '../support/identity/secrets.ts'

const { api, worker } = await startBoth()
afterAll(() => Promise.all([api.stop(), worker.stop()]))

async function post(path: string, body: unknown, token?: string) {
  const response = await fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as any }
}

/** Signs up and in with password, mail and authenticator, and one wrong try of each. */
async function signedIn() {
  const email = secret('address', 'philippa.secret@example.com')
  const password = secret('password', 'correct horse battery staple 7')
  await post('/auth/sign-up', { email, password, first_name: secret('first name', 'Philippavictoria') })
  const mails: any = await (await fetch(`${api.url}/sandbox/messages?to=${email}`)).json()
  const confirmation = secret('confirmation token', mails.data[0].token)
  const { token: first, user } = (await post('/auth/email/confirm', { token: confirmation, password })).body
  secret('first session token', first)

  const base32 = secret('authenticator secret', generateSecret())
  await addAuthenticator(user.id as UserId, base32) // the id of a row that was just written
  const code = (stepsAhead: number) =>
    generate({ secret: base32, epoch: Math.floor(Date.now() / 1000) + stepsAhead * 30 })
  const wrong = await post('/auth/sign-in', { email, password: secret('wrong password', 'incorrect horse battery') })
  expect(wrong.body.error.type).toBe('invalid_credentials')
  expect((await post('/auth/sign-in', `{"password": "${password}", `)).body.error.type).toBe('malformed_request')
  const { challenge_token } = (await post('/auth/sign-in', { email, password })).body
  secret('challenge token', challenge_token)
  const failed = await post('/auth/mfa', { challenge_token, code: secret('wrong code', 'qqq777') })
  expect(failed.body.status).toBe('mfa_failed')
  const { token } = (await post('/auth/mfa', { challenge_token, code: secret('code at sign-in', await code(0)) })).body
  return { userId: user.id as string, code, token: secret('session token', token) }
}

/** Settles a payment, with every free text that the API takes. */
async function paid() {
  const { userId, code, token } = await signedIn()
  const boss = { ...(await person()), userId, token } // support/api.ts asks for no more of an owner
  const [payer, payee] = [await organization(boss, 'Payer'), await organization(await person(), 'Payee')]
  await fund(payer.id, '100.00')
  const contact = await post(
    `/organizations/${payer.id}/payment-contacts`,
    {
      name: secret('contact', 'Quarrystone Zanzibar'),
      type: 'business',
      destinations: [{ type: 'svc_id', svc_id: payee.svcId }],
    },
    token,
  )
  const body = {
    amount: { amount: '41.97', currency: 'USD' },
    payment_contact_id: contact.body.id,
    payout_reason: secret('payout_reason', 'consultancy about a takeover'),
    statement_description: secret('statement_description', 'Retainer for November'),
    internal_notes: secret('internal_notes', 'Do not tell the auditors before Friday'),
  }
  expect((await post('/payments', body, secret('foreign token', 'ses_nobodyeverhadthistoken'))).status).toBe(401)
  expect((await post('/payments', { ...body, amount: body.internal_notes }, token)).status).toBe(400)
  const payment = (await post('/payments', body, token)).body
  const approve = () =>
    post(
      `/organizations/${payer.id}/approvals/${payment.approval_request_id}/approve`,
      { comment: secret('comment', 'Agreed with the chairwoman') },
      token,
    )
  const asked = await approve()
  expect(asked.body.error.type).toBe('step_up_required')
  const proof = { method: 'totp', code: secret('code at step-up', await code(1)) }
  expect((await post(`/step-up/${asked.body.error.step_up.id}/complete`, proof, token)).body.status).toBe('verified')
  expect((await approve()).body.status).toBe('approved')
  await until(async () => expect(await stateOf(payment)).toBe('COMPLETED'))
  return { history: await historyOf(payment), token, body }
}

/** Repeats it while tables are missing: errors of statements go to the logs of both processes. */
async function failed(token: string, body: object) {
  const [email, password] = [secrets.get('address'), secrets.get('password')]
  const again = { email: `2-${email}`, password, first_name: secrets.get('first name') }
  secret('other address', again.email)
  await whileRefusing('sign_ups', async () => {
    expect((await post('/auth/sign-up', again)).body.error.type).toBe('internal_error')
  })
  await without('sign_in_challenges', async () => {
    expect((await post('/auth/sign-in', { email, password })).body.error.type).toBe('internal_error')
  })
  await without('sessions', async () => {
    expect((await post('/payments', body, token)).body.error.type).toBe('internal_error')
  })
  await without('approvals', async () => {
    expect((await post('/payments', body, token)).body.error.type).toBe('internal_error')
  })
  const { status, body: made } = await post('/payments', body, token)
  expect(status).toBe(201)
  await without('approvals', async () => {
    await owner`update processes set look_at = business_now() - interval '3 seconds' where id = ${made.id}`
    await until(() => expect(worker.said()).toContain('relation \\"approvals\\" does not exist'))
  })
}

let history: History
beforeAll(async () => {
  const done = await paid()
  history = done.history
  await failed(done.token, done.body)
  await post('/auth/sign-out', {}, done.token)
  await until(() => expect(api.said()).toContain('"route":"POST /auth/sign-out"'))
})

test('the search finds what is there: in the text of a log, and under the hash of nothing', () => {
  expect(found([...secrets.values()].join('\n'))).toEqual([...secrets.keys()])
  expect([...secrets.keys()]).toEqual(
    expect.arrayContaining(['password', 'session token', 'challenge token', 'internal_notes']),
  )
})

test('no secret and no word of a request is in the logs, at the level that tells most', async () => {
  expect(api.said()).toContain('"msg":"bug"')
  expect(found(api.said())).toEqual([])
  expect(found(worker.said())).toEqual([])
})

test('none is in the history of the workflow', () => {
  const text = readable(history)
  expect(text).toContain('Payment by service ID')
  expect(found(text)).toEqual([])
})

test('none is in the log of events, but the name of the contact that was made', async () => {
  const events = await owner`select e::text as event from events e`
  const text = events.map((row) => row['event']).join('\n')
  expect(text).toContain('payment.created')
  expect(text).toContain('41.97')
  expect(found(text).filter((name) => name !== 'contact')).toEqual([])
})

test('tokens are kept as hashes, passwords as argon2id, authenticator secrets sealed', async () => {
  const [stored] = await owner`
    select (select string_agg(s::text, ' ') from sessions s) as sessions,
      (select string_agg(c::text, ' ') from sign_in_challenges c) as challenges,
      (select string_agg(p::text, ' ') from people p) as people,
      (select string_agg(a::text, ' ') from authenticators a) as authenticators`
  const { sessions, challenges, people, authenticators } = stored ?? {}
  expect(sessions).toContain(tokenHash(secrets.get('session token') ?? '').toString('hex'))
  expect(people).toContain('$argon2id$')
  expect(found([sessions, challenges, authenticators].join(' '))).toEqual([])
  expect(found(people)).toEqual(['address', 'first name'])
})

test('the metrics that anybody scrapes name routes, never what was asked', async () => {
  const metrics = await (await fetch(new URL('/metrics', api.url))).text()
  expect(metrics).toContain('POST /payments')
  expect(found(metrics)).toEqual([])
})
