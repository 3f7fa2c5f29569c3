import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import type { OrganizationId, SwapId, UserId } from '../../../domain/ids.ts'

/** A desk that reports itself whether its market is open, and knows no weekends. */
const desk = await vi.hoisted(async () => {
  const { createServer } = await import('node:http')
  const said = { market: 'open' }
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://desk').searchParams
    const rate = { source: query.get('source'), target: query.get('target'), rate: '0.92', market: said.market }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(rate))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  server.unref()
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { said, url: `http://127.0.0.1:${port}` }
})
/** Live speaks to partners by TLS alone: this terminates it for the desk. */
const byTls = globalThis.fetch
vi.stubGlobal('fetch', (url: string, init: RequestInit) => byTls(url.replace('https://desk.test', desk.url), init))
afterAll(() => void vi.unstubAllGlobals())

const secret = randomBytes(32).toString('base64')
Object.assign(process.env, {
  SERVICE_ENV: 'live',
  BUILD_ID: 'live-test',
  ENCRYPTION_KEYS: `live1:${secret}`,
  EVENT_LOG_KEYS: `live1:${secret}`,
  OPERATOR_TOKEN: secret,
  PASSWORD_HASH_MEMORY_KIB: '',
  PASSWORD_HASH_PASSES: '',
  SMTP_URL: 'smtp://localhost:1',
  MAIL_FROM: 'service@example.com',
  PUBLIC_URL: 'https://api.bank.test',
  BANK_URL: 'https://bank.test',
  BANK_KEY: secret,
  BANK_CALLBACK_SECRET: `whsec_${secret}`,
  CUSTODIAN_URL: 'https://custodian.test',
  CUSTODIAN_KEY: secret,
  CUSTODIAN_CALLBACK_SECRET: `whsec_${secret}`,
  RATES_URL: 'https://desk.test',
  RATES_KEY: secret,
})
const { askQuote, exchanger, execute, personOf } = await import('../../support/swaps.ts')
const { api, person } = await import('../../support/api.ts')
const { WALLET, contactWith } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { verified } = await import('../../support/onboarding/onboarding.ts')
const { quoteOf } = await import('../../support/payments/quotes.ts')
const { codeRecipient } = await import('../../../services/factors/messaging-codes.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { executeSwap } = await import('../../../services/swaps/swaps.ts')
const { inOrganization, transaction } = await import('../../../db/postgres/sql.ts')
const { now, raiseOffset } = await import('../../../platform/clock.ts')

const [WEDNESDAY, SATURDAY, HOUR_MS] = [3, 6, 3_600_000]
/** Moves the clock of this process forward, which is the API's too. */
const moveTo = (instant: Date) => raiseOffset((instant.getTime() - Date.now()) / 1000)

test('in live the market is closed from Friday 22:00 to Sunday 22:00 UTC, whatever the desk says, and when the desk says so', async () => {
  const at = await exchanger('100.00')
  await verified(at.org.id, { reviewers: ['service'] })
  const quote = () => askQuote(at, { source_amount: '1.00' })
  const saturday = new Date()
  saturday.setUTCHours(12, 0, 0, 0)
  saturday.setUTCDate(saturday.getUTCDate() + 7 + SATURDAY - saturday.getUTCDay())
  moveTo(saturday)
  const opensAt = new Date(saturday.getTime() + 34 * HOUR_MS)
  const atWeekend = await quote()
  expect([atWeekend.status, atWeekend.body.error.type]).toEqual([422, 'market_closed'])
  expect(atWeekend.body.error.details).toEqual({ opens_at: opensAt.toISOString() })
  moveTo(opensAt)
  expect((await quote()).status).toBe(200)
  desk.said.market = 'closed'
  const { status, body } = await quote()
  expect([status, body.error.type, body.error.details]).toEqual([422, 'market_closed', undefined])
})

test('in live there is no sandbox: no path of it answers to any method, and the document knows none', async () => {
  for (const [method, path] of [
    ['GET', '/sandbox/messages'],
    ['POST', '/sandbox/clock/advance'],
    ['PATCH', '/sandbox/messages'],
    ['OPTIONS', '/sandbox/clock/advance'],
  ] as const) {
    const { status, body, headers } = await api(method, path)
    expect([status, body.error.type, headers.get('allow')]).toEqual([404, 'route_not_found', null])
  }
  const { body } = await api('GET', '//openapi.json')
  expect(Object.keys(body.paths).filter((path) => path.includes('sandbox'))).toEqual([])
})

test('in live without a messenger phone numbers are refused, and codes go to the mail address', async () => {
  const { token, userId, email } = await person()
  const refused = await api('POST', '/me/phone-numbers', { token, body: { e164: '+12133730000' } })
  expect([refused.status, refused.body.error.type]).toEqual([422, 'unprocessable_entity'])
  expect(refused.body.error.details).toEqual({ reason: 'no_messenger' })
  expect(await owner`select from phone_numbers where user_id = ${userId}`).toEqual([])
  await owner`insert into phone_numbers (user_id, e164, confirmed_at, codes_from)
    values (${userId}, '+12133730000', business_now(), business_now())`
  const to = await transaction((tx) => codeRecipient(tx, userId as UserId)) // the id of a row that was just written
  expect(to).toEqual({ recipient: email, channel: 'email' })
})

test('in live payments by partners need a verified payer, whatever ONBOARDING says', async () => {
  const { boss, payer, contact } = await contactWith([WALLET])
  const blocked = async () => {
    const quote = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' })
    return quote.blocked_by.map(({ type }: { type: string }) => type)
  }
  expect(await blocked()).toEqual(['onboarding_incomplete'])
  await verified(payer.id, { reviewers: ['service'] })
  expect(await blocked()).toEqual([])
})

test('in live an exchange needs a verified organization: its quote, and again when it is carried out', async () => {
  desk.said.market = 'open'
  const wednesday = new Date(now())
  wednesday.setUTCDate(wednesday.getUTCDate() + 7 + WEDNESDAY - wednesday.getUTCDay())
  moveTo(wednesday)
  const at = await exchanger('100.00')
  const quote = () => askQuote(at, { source_amount: '1.00' })
  const exchanges = async () => {
    const { body } = await api('GET', `/organizations/${at.org.id}/capabilities`, { token: at.boss.token })
    return body.data.find(({ currency }: { currency: string }) => currency === 'EUR').exchange
  }
  const refused = await quote()
  expect(refusal(refused)).toEqual([422, 'onboarding_incomplete'])
  expect(refused.body.error.details.fields).toContain('entity.legal_name')
  expect(await exchanges()).toEqual({ available: false, reason: 'onboarding_incomplete' })
  await verified(at.org.id, { name: '株式会社', reviewers: ['service'] }) // it names no payer, in whatever letters
  expect(await exchanges()).toEqual({ available: true, reason: null })
  const { quote_id: id } = (await quote()).body
  await owner`update onboarding_reviews set status = 'rejected' where organization_id = ${at.org.id}`
  expect(refusal(await execute(at.boss, id))).toEqual([422, 'onboarding_incomplete'])
  expect(await owner`select from swaps where organization_id = ${at.org.id}`).toEqual([])
  const actor = personOf(at.boss)
  const late = inOrganization(actor, at.org.id as OrganizationId, (tx) =>
    executeSwap(tx, actor, randomUUID() as SwapId, id),
  )
  await expect(late).rejects.toMatchObject({ type: 'onboarding_incomplete' }) // rejected after the request was let in
  await verified(at.org.id, { reviewers: ['service'] })
  expect((await execute(at.boss, id)).status).toBe(201)
})
