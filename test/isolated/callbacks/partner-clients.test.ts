import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type PartnerEndpoint, partnerRefusal } from '../../../partners/http.ts'
import type { DepositView } from '../../../partners/driver.ts'
import { httpDriver } from '../../../partners/http/driver.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'
import { deskRates } from '../../../partners/http/rates.ts'
import { askRate, tradesAt } from '../../../partners/rates.ts'

const { putTrade, listTrades } = tradesAt('rates')
import { arrive } from '../../../sandbox/db/deposits.ts'
import { setMarket } from '../../../sandbox/db/rates.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { answering, partnerServer, payoutOf } from '../../support/partners/server.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()
const usd = (amount: string) => ({ amount, currency: 'USD' })
const eur = (amount: string) => ({ amount, currency: 'EUR' })
const beneficiary = { type: 'bank', country_code: 'US', account_number: '000123456789', aba_code: '021000021' }
const order = (id: string, amount = '10.00', reference = 'INV 1') => ({
  id,
  amount: usd(amount),
  reference,
  beneficiary,
  speed: 'standard' as const,
  payeeAddress: null,
  payer: null,
  payee: null,
})
const soughtOf = (id: string) => ({ id, key: id, operation: null, theirId: null, amount: usd('10.00') })
const refusalOf = (call: Promise<unknown>) =>
  call.then((answer) => expect.fail(`answered ${JSON.stringify(answer)}`), partnerRefusal)

async function all<Entry>(list: (after?: string) => Promise<{ data: readonly Entry[]; next: string | null }>) {
  const entries: Entry[] = []
  for (let after: string | undefined; ;) {
    const { data, next } = await list(after)
    entries.push(...data)
    if (next === null) return entries
    after = next
  }
}

describe.each(['bank', 'custodian'] as const)('the %s, as its stand-in speaks', (name) => {
  const partner = moneyPartner(name)

  test('pays under our id once, and tells where it stands; refuses at the door, with its reason', async () => {
    const id = randomUUID()
    const send = (...given: Parameters<typeof order>) => partner.send(partner.plan(order(...given)), given[0])
    expect(await partner.find(soughtOf(id))).toBeNull()
    const made = await Promise.all([send(id), send(id)])
    for (const view of made) expect(view).toMatchObject({ theirId: null, version: expect.any(Number) })
    await expect.poll(async () => (await partner.find(soughtOf(id)))?.status).toBe('settled')
    const listed = (await all(partner.payouts)).filter((one) => one.id === id)
    const got = await partner.find(soughtOf(id))
    expect(listed).toMatchObject([{ id, amount: usd('10.00'), status: 'settled', ...got }])
    await expect(send(id, '11.00')).rejects.toMatchObject({ type: 'PartnerMisused' })
    const refused = send(randomUUID(), '10.00', 'to be refused at the door')
    expect(await refusalOf(refused)).toEqual({ code: 'beneficiary_refused', message: expect.any(String) })
  })

  test('tells of deposits, and sends them back', async () => {
    const id = randomUUID()
    expect(await partner.deposit(id)).toBeNull()
    const sender = { name: 'Ada', account_reference: null, country: 'GB', reference: 'INV 2' }
    await transaction((tx) => arrive(tx, { id, partner: name, account: 'nobody-s', amount: usd('7.00'), sender }))
    const told = { id, account: 'nobody-s', amount: usd('7.00'), sender, status: 'received' } as const
    const expected: DepositView = { ...told, reference: expect.any(String), receivedAt: expect.stringMatching(/Z$/) }
    expect(await partner.deposit(id)).toMatchObject(expected)
    expect((await all(partner.deposits)).filter((one) => one.id === id)).toMatchObject([expected])
    const returned = { ...expected, status: 'returned' }
    for (const _time of ['first', 'again'])
      expect(
        await partner.returnDeposit({ id, amount: usd('7.00'), reason: 'Nobody said who sent it.' }, id),
      ).toMatchObject(returned)
  })

  test('opens one account for an id', async () => {
    const id = randomUUID()
    const coins = { network: 'ethereum', coin: 'USDC' } as const
    const wanted = { id, ...(name === 'bank' ? { currency: 'EUR', holder: 'Payer' } : coins) }
    const [opened, again] = [await partner.openAccount(wanted, id), await partner.openAccount(wanted, id)]
    expect(opened).toEqual({ account: expect.any(String), details: expect.any(Object) })
    expect(again).toEqual(opened)
  })
})

describe('the rates desk, as its stand-in speaks', () => {
  test.each(['EUR USD', 'JPY BTC', 'BTC KRW'])('tells the rate of %s as a plain decimal', async (pair) => {
    const [source = '', target = ''] = pair.split(' ')
    const market = expect.stringMatching(/^(open|closed)$/)
    expect(await askRate(source, target)).toEqual({ rate: expect.stringMatching(/^\d+\.?\d*$/), market })
  })

  test('trades under our id once, and not while its market is closed', async () => {
    await transaction((tx) => setMarket(tx, { state: 'closed' }))
    const [early, id] = [randomUUID(), randomUUID()]
    const trade = { sell: usd('10.00'), buy: eur('9.00') }
    const order = { ...trade, fixed: 'buy' } as const
    expect(await refusalOf(putTrade(early, order))).toMatchObject({ code: 'market_closed' })
    await transaction((tx) => setMarket(tx, { state: 'open' }))
    await Promise.all([putTrade(id, order), putTrade(id, order)])
    const listed = await all(listTrades)
    expect(listed.filter((one) => one.id === id)).toMatchObject([{ id, ...trade, executedAt: expect.any(String) }])
    expect(listed.map((one) => one.id)).not.toContain(early)
  })

  test('a rate that is none, and a rate or a trade of others than were asked for, are not believed', async () => {
    const none = ['0', '0.000', '-1', '1e3', '.5', 'NaN', '1'.repeat(16), 1.5, null]
    const rates = none.map((rate) => ({ source: 'EUR', target: 'USD', market: 'open', rate }))
    for (const body of [...rates, { source: 'USD', target: 'EUR', rate: '1.1', market: 'open' }]) {
      const { askRate: ask } = deskRates((await partnerServer(answering(200, body))).door)
      await expect(ask('EUR', 'USD'), JSON.stringify(body)).rejects.toMatchObject(UNCLEAR)
    }
    const id = randomUUID()
    const trade = { id, sell: usd('10.00'), buy: eur('9.01'), status: 'executed', executed_at: '2030-01-01T00:00:00Z' }
    const { putTrade: put } = deskRates((await partnerServer(answering(200, trade))).door).trades
    const order = { sell: usd('10.00'), buy: eur('9.00') }
    await expect(put(id, { ...order, fixed: 'buy' })).rejects.toMatchObject(UNCLEAR)
    await expect(put(id, { sell: eur('10.00'), buy: eur('9.01'), fixed: 'buy' })).rejects.toMatchObject(UNCLEAR)
    await expect(put(id, { sell: usd('10.01'), buy: eur('9.01'), fixed: 'sell' })).rejects.toMatchObject(UNCLEAR)
    const made = { sold: usd('10.00'), bought: eur('9.01'), settlesOn: null }
    expect(await put(id, { sell: usd('9.98'), buy: eur('9.01'), fixed: 'buy' })).toEqual(made)
    expect(await put(id, { ...order, fixed: 'sell' })).toEqual(made)
  })
})

const UNCLEAR = { type: 'PartnerUnclear' }
/** A client of a partner that answers so. */
const clientOf = async (answer: unknown) => driverAt((await partnerServer(answering(200, answer))).door)
const driverAt = (endpoint: PartnerEndpoint) =>
  httpDriver({ endpoint, rail: 'fiat', callbackSecret: null, keysKeptHours: null, instant: [], verifies: false })

describe('a list', () => {
  test('goes on where the page before says, whatever it says', async () => {
    const server = await partnerServer(answering(200, { data: [payoutOf(randomUUID())], next: 'a b&c/ü' }))
    const partner = driverAt(server.door)
    const { next } = await partner.payouts()
    await partner.payouts(next ?? undefined)
    const [plain, followed] = server.asked.map(({ url }) => new URL(url, server.door.url).searchParams)
    expect([plain?.has('after'), plain?.get('limit')]).toEqual([false, '50'])
    expect(followed?.get('after')).toBe('a b&c/ü')
  })

  test.each([
    ['more than was asked for', { data: Array.from({ length: 51 }, () => payoutOf(randomUUID())), next: null }],
    ['no word on what comes next', { data: [] }],
  ])('with %s is not believed', async (_, body) => {
    const partner = await clientOf(body)
    await expect(partner.payouts()).rejects.toMatchObject(UNCLEAR)
  })

  test('names what cannot be read of it, and the rest is used', async () => {
    const [id, other] = [randomUUID(), randomUUID()]
    const data = [payoutOf(id), payoutOf('none'), payoutOf(other.toUpperCase(), { status: 'new' }), null]
    const odd = [null, other, null].map((of, index) => ({ id: of, position: index + 1, isZeroAmount: false }))
    const list = await (await clientOf({ data, next: 'more' })).payouts()
    expect(list).toMatchObject({ data: [{ id }], odd, next: 'more' })
  })

  test.each(['0', '0.00', '0.000000000000000000000000000001', '1.0000001', '1'])(
    'and a deposit of %s in a token that nobody knows is of nothing or of unknown money',
    async (amount) => {
      const [id, isZeroAmount] = [randomUUID(), /^0(\.0+)?$/.test(amount)]
      const one = { id, amount: { amount, currency: 'SCAM' } }
      const list = await clientOf({ data: [one], next: null })
      expect(await list.deposits()).toEqual({ data: [], odd: [{ id, position: 0, isZeroAmount }], next: null })
      const asked = (await clientOf(one)).deposit(id)
      if (isZeroAmount) expect(await asked).toBeNull()
      else await expect(asked).rejects.toMatchObject({ type: 'UnknownMoney', nonRetryable: true })
    },
  )

  test('of the longest deposits, or of fifty of the longest payouts, fits into what is read', async () => {
    const [long, x] = ['𝒳'.repeat(255), 'x'.repeat(255)]
    const sender = { name: long, account_reference: long, country: long, reference: long }
    const more = { amount: usd('1.00'), status: 'received', received_at: '2030-01-01T00:00:00Z' }
    const longest = Array.from({ length: 10 }, () => ({ id: randomUUID(), account: x, sender, reference: x, ...more }))
    const deposits = await (await clientOf({ data: longest, next: null })).deposits()
    expect(deposits.data[9]?.sender.name).toBe(long)
    const fifty = Array.from({ length: 50 }, () => payoutOf(randomUUID(), { detail: x, reference: x }))
    expect((await (await clientOf({ data: fifty, next: null })).payouts()).data).toHaveLength(50)
  })
})
