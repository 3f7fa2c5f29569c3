/** The typed client: its journey, every operation through it, its retries, and what does not compile. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type AnyWebhookDelivery,
  type Client,
  type Operations,
  ServiceError,
  createClient,
  prove,
  signIn,
  webhooks,
} from '../../../clients/typescript/src/index.ts'
import { OPERATIONS } from '../../../clients/typescript/src/operations.ts'
import { EXAMPLES } from '../../../api/openapi/document.ts'
import { baseUrl, contact, fund, organization, paymentBody, person } from '../../support/api.ts'
import { httpReceiver } from '../../support/webhooks/receivers.ts'
import { subscribed } from '../../support/webhooks/webhooks.ts'
import { useWorker } from '../../support/worker.ts'

useWorker({ chains: true })

test('signs in, pays, proves by an authenticator, waits for the settlement and verifies the webhook', async () => {
  const [boss, payee] = await Promise.all([person({ authenticator: true }), person()])
  const [payer, shop] = await Promise.all([organization(boss), organization(payee)])
  await fund(payer.id, '100.00')
  const receiver = await httpReceiver((_, response) => response.end())
  const { secret } = await subscribed(boss, receiver, { organizationId: payer.id })
  const credentials = async () => ({ email: boss.email, password: boss.password })
  const session = await signIn({ baseUrl }, { credentials, code: () => boss.totp() })
  const client = session.withStepUp(prove.totp(() => boss.totp(1)))
  const contactId = await contact(boss, payer.id, shop.svcId)
  const payment = await client.createPayment(paymentBody(contactId), { idempotencyKey: randomUUID() })
  const { approval_id } = await firstPending(client, payer.id)
  await client.approveRequest({ organization_id: payer.id, approval_id }, { idempotencyKey: randomUUID() })
  await expect.poll(async () => (await client.getPayment({ payment_id: payment.id })).status).toBe('succeeded')
  const deliveries = () => receiver.received.map(({ body, headers }) => webhooks.unwrap(body, headers, secret))
  await expect.poll(() => deliveries().some(isSettled)).toBe(true)
  expect(deliveries().find(isSettled)?.data.subject_id).toBe(payment.id)
  const [forged] = receiver.received
  expect(() => webhooks.unwrap(`${forged?.body} `, forged?.headers ?? {}, secret)).toThrow()
})

const isSettled = (delivery: AnyWebhookDelivery) => delivery.type === 'payment.settled'

async function firstPending(client: Client, organizationId: string) {
  for await (const approval of client.listApprovals({ organization_id: organizationId })) return approval
  throw new Error('nothing waits')
}

/** Refusals that say that a request was built wrongly. */
const MISBUILT =
  /^(route_not_found|method_not_allowed|malformed_request|invalid_request|unsupported_media_type|internal_error)$/

test('every operation reaches its handler through the client: it succeeds, or is refused for a reason of business', async () => {
  const boss = await person({ authenticator: true })
  const client = createClient({ baseUrl, token: boss.token, retries: 0 })
  const misbuilt: string[] = []
  for (const name of Object.keys(OPERATIONS) as (keyof Operations)[]) {
    if (name === 'streamEvents' || name === 'signOut') continue
    const call = client[name] as (input: object, options: object) => Promise<unknown>
    await call(inputOf(name), { idempotencyKey: randomUUID() }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
      if (MISBUILT.test(error.type)) misbuilt.push(`${name} ${error.type} ${JSON.stringify(error.details)}`)
    })
  }
  expect(misbuilt).toEqual([])
})

/** Builds an input from the example of an operation, with ids that name nothing. */
function inputOf(name: keyof Operations): object {
  const [, path] = OPERATIONS[name]
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, key = '']) => [key, PARAMETERS[key] ?? randomUUID()])
  return { ...INPUTS[name], ...(EXAMPLES[name]?.body as object | undefined), ...Object.fromEntries(parameters) }
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = new Blob([Buffer.from(PNG, 'base64')], { type: 'image/png' })
const INPUTS: Readonly<Record<string, object>> = {
  uploadAvatar: { file: picture },
  uploadLogo: { file: picture },
  uploadAccountsChart: { file: new Blob(['code,name\n1,One\n']) },
  uploadDimensions: { file: new Blob(['dimension\nproject\n']) },
  getAuthorizationClient: { client_id: 'bfs', redirect_uri: 'http://127.0.0.1:9000/callback' },
  getPaymentDestinationRequirements: { country_code: 'DE', currency: 'EUR' },
}
const NAMES = { n: '1', country_code: 'DE', svc_id: 'nobody', e164: '+4915112345678', domain: 'example.com' }
const PARAMETERS: Readonly<Record<string, string>> = { item_id: `fix_bill:${randomUUID()}`, ...NAMES }

test('a refusal has its type, its details and the id of the request', async () => {
  const boss = await person()
  const client = createClient({ baseUrl, token: boss.token })
  const error = await client.getPayment({ payment_id: 'no id' }).catch((thrown: unknown) => thrown)
  if (!(error instanceof ServiceError) || !error.is('invalid_request')) throw error
  expect(error.details.errors[0]).toMatchObject({ path: 'payment_id', code: expect.any(String) })
  expect(error.message).toContain(error.requestId)
})

test('repeats the same bytes with the same key after a lost connection and after 503, and never after another refusal', async () => {
  const boss = await person()
  const sent: [string | undefined, unknown][] = []
  const flaky: typeof fetch = async (input, init) => {
    sent.push([new Headers(init?.headers).get('idempotency-key') ?? undefined, init?.body])
    if (sent.length === 1) throw new TypeError('fetch failed')
    if (sent.length === 2) return new Response('', { status: 503, headers: { 'retry-after': '0' } })
    return fetch(input, init)
  }
  const client = createClient({ baseUrl, token: boss.token, fetch: flaky })
  expect((await client.createOrganization({ name: 'Made once' })).name).toBe('Made once')
  expect(sent).toHaveLength(3)
  expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1)
  await expect(client.getPayment({ payment_id: randomUUID() })).rejects.toMatchObject({ type: 'not_found' })
  expect(sent).toHaveLength(4)
})

test('a command without a key is not repeated after a lost connection; an id that would make another path is refused', async () => {
  const client = createClient({ baseUrl, fetch: () => Promise.reject(new TypeError('fetch failed')), retries: 3 })
  await expect(client.cancelPayment({ payment_id: randomUUID() })).rejects.toThrow('fetch failed')
  for (const id of ['', '.', '..'])
    expect(() => client.cancelPayment({ payment_id: id }), id).toThrow('cancelPayment needs payment_id')
})

test('the stream of events goes on until its reader leaves it', async () => {
  const boss = await person()
  const client = createClient({ baseUrl, token: boss.token })
  const { id } = await client.createOrganization({ name: 'Watched' })
  let renamed = 0
  const rename = () => client.updateOrganization({ organization_id: id, name: `Watched ${(renamed += 1)}` })
  const timer = setInterval(() => void rename(), 200) // the stream may open after any of them
  let updates = 0
  for await (const { event_type: type } of client.streamEvents({ organization_id: id })) {
    if (type === 'organization.updated') updates += 1
    if (updates === 2) break
  }
  clearInterval(timer)
  expect(updates).toBe(2)
})

test('the stream of events throws what is no lost connection: an abort, a bearer that is not there, no organization', async () => {
  const { token } = await person()
  const input = { organization_id: randomUUID() }
  const cut: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
  const first = (stream: AsyncIterable<unknown>) => stream[Symbol.asyncIterator]().next()
  const away = createClient({ baseUrl, token, fetch: cut, retries: 0 })
  await expect(first(away.streamEvents(input, { signal: AbortSignal.timeout(50) }))).rejects.toThrow()
  const notSignedIn = createClient({ baseUrl, token: () => Promise.reject(new Error('not signed in')) })
  await expect(first(notSignedIn.streamEvents(input))).rejects.toThrow('not signed in')
  const nameless = { organization_id: '' }
  await expect(first(createClient({ baseUrl, token }).streamEvents(nameless))).rejects.toThrow('needs organization_id')
})

test('a refusal that is over in more than a minute is thrown at once', async () => {
  const full: typeof fetch = async () => new Response('', { status: 429, headers: { 'retry-after': '3600' } })
  await expect(createClient({ baseUrl, fetch: full }).getMe()).rejects.toMatchObject({ status: 429 })
})

test('a session that has ended is renewed once for all requests that notice it, also for one that notices late', async () => {
  const boss = await person()
  let signIns = 0
  const credentials = async () => {
    signIns += 1
    return { email: boss.email, password: boss.password }
  }
  let release = () => {}
  const renewed = new Promise<void>((resolve) => {
    release = resolve
  })
  const holding: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (answer.status === 401 && answer.url.endsWith('/organizations')) await renewed
    return answer
  }
  const client = await signIn({ baseUrl, fetch: holding }, { credentials, code: async () => '' })
  await client.endOtherSessions()
  await client.signOut()
  const late = client.listOrganizations()
  const [me] = await Promise.all([client.getMe(), client.getMe()])
  release()
  expect([(await late).data, signIns, me.id]).toEqual([[], 2, boss.userId])
})

test('lists go through all pages', async () => {
  const client = createClient({ baseUrl })
  const names: string[] = []
  for await (const { type } of client.listErrorTypes()) names.push(type)
  const boss = await person()
  const own = createClient({ baseUrl, token: boss.token })
  for (const name of ['One', 'Two', 'Three']) await own.createOrganization({ name })
  const found: string[] = []
  for await (const { name } of own.listOrganizations({ limit: 1 })) found.push(name)
  expect([names.includes('not_found'), found.toSorted()]).toEqual([true, ['One', 'Three', 'Two']])
})

/** Never called: each line but the last must fail to compile. */
export function typeTests(client: Client) {
  // @ts-expect-error a payment moves money: its key is required
  void client.createPayment({ payment_contact_id: '', amount: { amount: '', currency: '' } })
  // @ts-expect-error there is no such field
  void client.createOrganization({ name: '', colour: 'red' })
  // @ts-expect-error a field is missing
  void client.getPayment({})
  // @ts-expect-error there is no such status
  void client.listPayments({ organization_id: '', status: 'lost' })
  void client.listOrganizations()
}
