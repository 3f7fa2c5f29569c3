/** The stand-in accounting program, through Xero's own client at another address. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { api } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import {
  SCOPE,
  booksOf,
  connected,
  connectionsOf,
  consented,
  consentOf,
  refusalOf,
  posted,
  refreshed,
  spent,
  tokensFor,
  xeroClient,
} from '../../support/accounting/desk.ts'

usePartners()
beforeEach(() => api('DELETE', '/sandbox/faults'))

async function later(tokens: { readonly access_token: string }, minutes: number): Promise<void> {
  await owner`
    update sandbox_accounting_tokens
    set expires_at = expires_at - make_interval(mins => ${minutes}), used_at = used_at - make_interval(mins => ${minutes})
    where consent_id = ${consentOf(tokens)}`
}

describe('consent', () => {
  test("Xero's own client signs in, refreshes and signs out", async () => {
    const client = await xeroClient()
    const address = await client.buildConsentUrl()
    const back = await fetch(address, { redirect: 'manual' })
    const tokens = await client.apiCallback(back.headers.get('location') ?? '')
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: SCOPE })
    const { refresh_token: before } = client.readTokenSet()
    expect((await client.refreshToken()).refresh_token).not.toBe(before)
    await client.revokeToken()
    expect((await refreshed(before)).body).toEqual({ error: 'invalid_grant' })
  })

  test('an access token lasts 30 minutes; a refresh token 60 days, and is taken again for 30 minutes after its first use', async () => {
    const tokens = await tokensFor(await consented())
    await later(tokens, 29)
    expect((await connectionsOf(tokens)).status).toBe(200)
    await later(tokens, 1)
    const { status, body } = await connectionsOf(tokens)
    expect([status, body.Title, body.Status]).toEqual([401, 'Unauthorized', 401])
    expect(body.Detail).toMatch(/^TokenExpired: token expired at \d{4}-/)
    const invalid = { error: 'invalid_grant' }
    await later(tokens, 60 * 24 * 60 - 31)
    const [first, again] = [await refreshed(tokens.refresh_token), await refreshed(tokens.refresh_token)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(first.body.refresh_token).not.toBe(again.body.refresh_token)
    await later(first.body, 1)
    expect((await refreshed(tokens.refresh_token)).body).toEqual(invalid)
    const next = await refreshed(first.body.refresh_token)
    await later(next.body, 30)
    expect((await refreshed(first.body.refresh_token)).body).toEqual(invalid)
    expect((await refreshed(next.body.refresh_token)).status).toBe(200)
    await later(next.body, 60 * 24 * 60)
    expect((await refreshed(next.body.refresh_token)).body).toEqual(invalid)
  })
})

test('the limits are 60 calls a minute and 5,000 a day, each tenant for itself', async () => {
  const [{ books, tenantId }, other] = [await connected(), await connected()]
  const call = async () => (await books.getAccounts(tenantId)).response
  const counted = (set: ReturnType<typeof owner>) =>
    owner`update sandbox_accounting_tenants set ${set} where id = ${tenantId}`
  expect((await call()).headers).toMatchObject({ 'x-minlimit-remaining': '59', 'x-daylimit-remaining': '4999' })
  await counted(owner`minute_calls = 59, minute_started_at = minute_started_at - interval '20 seconds'`)
  expect((await call()).headers).toMatchObject({ 'x-minlimit-remaining': '0' })
  const { status, headers } = await refusalOf(call())
  expect([status, headers['x-rate-limit-problem']]).toEqual([429, 'minute'])
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(40)
  expect((await other.books.getAccounts(other.tenantId)).response.status).toBe(200)
  await counted(owner`minute_started_at = minute_started_at - interval '1 minute'`)
  expect((await call()).status).toBe(200)
  await counted(owner`day_calls = 5000, day_started_at = day_started_at - interval '1 hour'`)
  const ofDay = (await refusalOf(call())).headers
  expect(ofDay['x-rate-limit-problem']).toBe('day')
  expect(Number(ofDay['retry-after'])).toBeLessThanOrEqual(23 * 3600)
  await counted(owner`day_started_at = day_started_at - interval '1 day'`)
  expect((await call()).status).toBe(200)
  const tenant = (await api('GET', '/sandbox/accounting/tenants')).body.data.find(({ id }: any) => id === tenantId)
  expect(tenant).toMatchObject({ calls: 4, limited_calls: 2, base_currency: 'EUR', items: {} })
})

describe('faults', () => {
  const post = ({ books, tenantId }: Awaited<ReturnType<typeof connected>>, key?: string) =>
    books.createBankTransactions(tenantId, { bankTransactions: [spent('one'), spent('two')] }, false, 4, key)
  const postedIn = async (tenantId: string) => (await posted(tenantId, 'BankTransactions')).length as number

  test('down, error and rate_limited: nothing was done', async () => {
    const desk = await connected()
    await fault('accounting', 'down')
    expect(await refusalOf(post(desk))).toMatchObject({ status: 0 })
    await fault('accounting', 'error', 2)
    const statuses = [(await refusalOf(post(desk))).status, (await refusalOf(post(desk))).status]
    expect(statuses.toSorted()).toEqual([500, 503])
    await fault('accounting', 'rate_limited')
    const { status, headers } = await refusalOf(post(desk))
    expect([status, headers['retry-after'], headers['x-rate-limit-problem']]).toEqual([429, '1', 'minute'])
    expect(await postedIn(desk.tenantId)).toBe(0)
    await post(desk)
    expect(await postedIn(desk.tenantId)).toBe(2)
  })

  test('ambiguous and malformed: it is posted, and its key answers it', async () => {
    const desk = await connected()
    for (const [index, name] of (['ambiguous', 'malformed'] as const).entries()) {
      const key = randomUUID()
      await fault('accounting', name)
      expect((await post(desk, key).catch(() => undefined))?.body.bankTransactions).toBeUndefined()
      expect(await postedIn(desk.tenantId)).toBe(2 * (index + 1))
      expect((await post(desk, key)).body.bankTransactions).toHaveLength(2)
      expect(await postedIn(desk.tenantId)).toBe(2 * (index + 1))
    }
  })

  test('ambiguous: tokens are made, and the refresh token that was used is taken again', async () => {
    const tokens = await tokensFor(await consented())
    await fault('accounting', 'ambiguous')
    await expect(refreshed(tokens.refresh_token)).rejects.toThrow('fetch failed')
    expect((await refreshed(tokens.refresh_token)).status).toBe(200)
  })

  test('partial_failure: of several items every second is refused', async () => {
    const desk = await connected()
    await fault('accounting', 'partial_failure')
    const { body } = await post(desk)
    expect(body.bankTransactions?.map(({ statusAttributeString }) => statusAttributeString)).toEqual(['OK', 'ERROR'])
    expect(await postedIn(desk.tenantId)).toBe(1)
  })

  test('expired_token: the token is over, and the next one is good', async () => {
    const desk = await connected()
    await fault('accounting', 'expired_token')
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await refusalOf(post(desk))
      expect([status, body.Detail]).toEqual([401, expect.stringMatching(/^TokenExpired/)])
    }
    const { body: tokens } = await refreshed(desk.tokens.refresh_token)
    await post({ ...(await booksOf(tokens)), tenantId: desk.tenantId })
    expect(await postedIn(desk.tenantId)).toBe(2)
  })

  test('refused_refresh and declined_consent: a person has to consent again, and has the same books', async () => {
    const desk = await connected()
    await post(desk)
    await fault('accounting', 'refused_refresh')
    for (let times = 0; times < 2; times += 1)
      expect(await refreshed(desk.tokens.refresh_token)).toEqual({ status: 400, body: { error: 'invalid_grant' } })
    await fault('accounting', 'declined_consent')
    expect(await consented()).toMatchObject({ error: 'access_denied' })
    const again = await connected({ tenant_id: desk.tenantId })
    const where = 'Reference=="one" OR Reference=="two"'
    const { bankTransactions } = (await again.books.getBankTransactions(desk.tenantId, undefined, where)).body
    expect(bankTransactions).toHaveLength(2)
  })
})
