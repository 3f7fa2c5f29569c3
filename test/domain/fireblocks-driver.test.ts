/** Driver `fireblocks` against answers of a test: orders, statuses, lists, returns, callbacks. */
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import type * as v from 'valibot'
import * as valibot from 'valibot'
import { describe, expect, test } from 'vitest'
import { fireblocksDriver } from '../../partners/fireblocks/driver.ts'
import type { PayoutOrder, SentCallback } from '../../partners/driver.ts'
import { mayHaveExecuted, partnerRefusal } from '../../partners/http.ts'
import { SANDBOX_FIREBLOCKS } from '../../platform/drivers/sandbox.ts'
import { type Asked, partnerServer } from '../support/partners/server.ts'

const settings = {
  driver: 'fireblocks',
  privateKey: SANDBOX_FIREBLOCKS.ourKey,
  callbackKey: SANDBOX_FIREBLOCKS.theirPublicKey,
  vault: '7',
  feeLevel: 'MEDIUM',
  travelRule: true,
  travelRuleFloors: {},
  sweepFloors: {},
  assets: { 'USDC/ethereum': 'USDC', 'USDT/tron': 'TRX_USDT_S2UZ', 'BTC/bitcoin': 'BTC' },
} as const
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const id = randomUUID()
const order: PayoutOrder = {
  id,
  amount: { amount: '10.500000', currency: 'USDC' },
  speed: 'standard',
  reference: 'INV 1',
  beneficiary: { network: 'ethereum', coin: 'USDC', address: ADDRESS, memo: null },
  payeeAddress: null,
  payer: {
    name: 'Pay GmbH',
    address: { line1: 'Hauptstr. 1', postal_code: '10115', town: 'Berlin', country_code: 'DE' },
  },
  payee: { name: 'Ada Ltd' },
}
const sought = { id, key: id, operation: null, theirId: null, amount: order.amount }
const nothing = { status: 404, body: { message: 'Not found', code: 1405 } }

let instant = Date.now() - 3_600_000
const transactionOf = (more: object = {}) => ({
  id: randomUUID(),
  externalTxId: id,
  status: 'COMPLETED',
  subStatus: '',
  assetId: 'USDC',
  source: { type: 'VAULT_ACCOUNT', id: '7', name: 'Main' },
  destination: { type: 'ONE_TIME_ADDRESS' },
  destinationAddress: ADDRESS,
  amountInfo: { amount: '10.5', netAmount: '10.5' },
  createdAt: (instant += 1000),
  lastUpdated: instant,
  ...more,
})
const incomingOf = (more: object = {}) =>
  transactionOf({
    externalTxId: undefined,
    source: { type: 'UNKNOWN', name: 'External' },
    sourceAddress: ADDRESS,
    destination: { type: 'VAULT_ACCOUNT', id: '9' },
    ...more,
  })

type Reply = { readonly status?: number; readonly body: unknown }
/** Makes a driver whose provider answers so. */
async function playing(answer: (path: string, asked: Asked) => Reply) {
  const server = await partnerServer((response, request) => {
    const { status = 200, body } = answer(request.url, request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return { asked: server.asked, driver: fireblocksDriver({ ...server.door, party: 'coins' }, settings) }
}
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => expect.fail(JSON.stringify(answer)),
    (error: unknown) => error,
  )

describe('orders', () => {
  test('an order is planned without a call, the same each time, and sent under the id of its payment', async () => {
    const { driver, asked } = await playing(() => ({ body: { id: 'their', status: 'SUBMITTED' } }))
    expect(driver.plan(order)).toEqual(driver.plan(structuredClone(order)))
    const view = await driver.send(driver.plan(order), id)
    expect(view).toEqual({
      theirId: null,
      status: 'pending',
      detail: 'SUBMITTED',
      reference: null,
      amount: order.amount,
    })
    expect(asked).toHaveLength(1)
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
      operation: 'TRANSFER',
      externalTxId: id,
      assetId: 'USDC',
      source: { type: 'VAULT_ACCOUNT', id: '7' },
      destination: { type: 'ONE_TIME_ADDRESS', oneTimeAddress: { address: ADDRESS } },
      amount: '10.500000',
      treatAsGrossAmount: false,
      feeLevel: 'MEDIUM',
      note: 'INV 1',
      travelRuleMessage: {
        protocol: 'IVMS101',
        originator: {
          originatorPersons: [
            {
              legalPerson: {
                name: { legalPersonName: 'Pay GmbH', legalPersonNameIdentifierType: 'REGISTERED' },
                geographicAddress: [
                  {
                    addressType: 'BIZZ',
                    addressLine: ['Hauptstr. 1'],
                    postCode: '10115',
                    townName: 'Berlin',
                    country: 'DE',
                  },
                ],
              },
            },
          ],
        },
        beneficiary: {
          beneficiaryPersons: [
            { legalPerson: { name: { legalPersonName: 'Ada Ltd', legalPersonNameIdentifierType: 'REGISTERED' } } },
          ],
          accountNumber: [ADDRESS],
        },
        transactionBlockchainInfo: { destination: ADDRESS },
      },
    })
  })

  test('a memo is a tag, a network without levels of fees has none; a coin without an asset, or at once, is refused', async () => {
    const { driver, asked } = await playing(() => ({ body: { id: 'their', status: 'SUBMITTED' } }))
    const beneficiary = { network: 'tron', coin: 'USDT', address: 'T1', memo: '42' }
    const amount = { amount: '1.000000', currency: 'USDT' }
    await driver.send(driver.plan({ ...order, amount, beneficiary, payer: null, payee: null }), id)
    const body = JSON.parse(asked[0]?.body ?? '')
    expect(body.destination.oneTimeAddress).toEqual({ address: 'T1', tag: '42' })
    expect([body.assetId, body.feeLevel, body.travelRuleMessage]).toEqual(['TRX_USDT_S2UZ', undefined, undefined])
    const elsewhere = { ...order, amount, beneficiary: { ...beneficiary, network: 'ethereum' } }
    expect(() => driver.plan(elsewhere)).toThrow('coins refused')
    expect(() => driver.plan({ ...order, speed: 'instant' })).toThrow('coins refused')
  })

  test('an order whose id has a transaction already is looked at, and is unclear if that is not shown', async () => {
    const taken = { status: 400, body: { message: 'The external tx id already exists', code: 1438 } }
    const { driver } = await playing((path) => (path === '/v1/transactions' ? taken : { body: transactionOf() }))
    expect(await driver.send(driver.plan(order), id)).toMatchObject({ status: 'settled', amount: order.amount })
    const hidden = await playing((path) => (path === '/v1/transactions' ? taken : nothing))
    const failure = await failureOf(hidden.driver.send(hidden.driver.plan(order), id))
    expect([mayHaveExecuted(failure), partnerRefusal(failure)]).toEqual([true, undefined])
  })

  test.each([
    ['SUBMITTED', 'pending'],
    ['PENDING_AML_SCREENING', 'pending'],
    ['PENDING_ENRICHMENT', 'pending'],
    ['PENDING_AUTHORIZATION', 'pending'],
    ['QUEUED', 'pending'],
    ['PENDING_SIGNATURE', 'pending'],
    ['PENDING_3RD_PARTY_MANUAL_APPROVAL', 'on_hold'],
    ['PENDING_3RD_PARTY', 'pending'],
    ['BROADCASTING', 'processing'],
    ['COMPLETED', 'settled'],
    ['CONFIRMING', 'processing'],
    ['CANCELLING', 'pending'],
    ['CANCELLED', 'cancelled'],
    ['BLOCKED', 'rejected'],
    ['REJECTED', 'rejected'],
    ['FAILED', 'rejected'],
  ])('%s is %s', async (status, expected) => {
    const { driver } = await playing(() => ({ body: transactionOf({ status, txHash: '0x1', subStatus: 'X' }) }))
    expect(await driver.find(sought)).toMatchObject({ status: expected, detail: `${status}, X`, reference: '0x1' })
  })

  test('a status that the document does not have is unclear, and one that failed after its broadcast is held', async () => {
    const { driver } = await playing(() => ({ body: transactionOf({ status: 'PARTIALLY_COMPLETED' }) }))
    expect(mayHaveExecuted(await failureOf(driver.find(sought)))).toBe(true)
    const failed = { status: 'FAILED', subStatus: 'DROPPED_BY_BLOCKCHAIN' }
    const dropped = await playing(() => ({ body: transactionOf({ ...failed, txHash: '0x1' }) }))
    expect(await dropped.driver.find(sought)).toMatchObject({ status: 'on_hold' })
    const early = await playing(() => ({ body: transactionOf(failed) }))
    expect(await early.driver.find(sought)).toMatchObject({ status: 'rejected' })
  })

  test.each([
    ['a final one in ether', {}, { amount: '0.002100000000000000', currency: 'ETH' }],
    ['one that is under way', { status: 'CONFIRMING' }, undefined],
    ['one in a coin that the books do not have', { feeCurrency: 'TRX' }, undefined],
    [
      'one that another has paid',
      { feeInfo: { networkFee: '0.0021', paidByRelay: true, relayType: 'THIRD_PARTY' } },
      undefined,
    ],
  ])('the fee of a transaction: %s', async (_, more, charges) => {
    const fee = { feeInfo: { networkFee: '0.0021' }, feeCurrency: 'ETH' }
    const { driver } = await playing(() => ({ body: transactionOf({ ...fee, ...more }) }))
    expect((await driver.find(sought))?.charges).toEqual(charges)
  })

  test('one that is being cancelled is not asked again, and one that is on its way is refused', async () => {
    const cancelling = await playing(() => ({ body: transactionOf({ status: 'CANCELLING' }) }))
    expect(await cancelling.driver.cancel?.(sought)).toMatchObject({ status: 'pending' })
    expect(cancelling.asked).toHaveLength(1)
    const late = { status: 400, body: { message: 'too late', code: 1411 } }
    const { driver } = await playing((path) =>
      path.endsWith('/cancel') ? late : { body: transactionOf({ status: 'BROADCASTING' }) },
    )
    expect(partnerRefusal(await failureOf(driver.cancel?.(sought) ?? Promise.resolve()))).toMatchObject({
      code: '1411',
    })
  })
})

describe('lists', () => {
  /** Answers as Fireblocks does: created after an instant, oldest first, up to a limit; no returns. */
  const listing = (all: readonly { createdAt: number }[]) => (path: string) => {
    const { pathname, searchParams: query } = new URL(path, 'http://x')
    if (pathname !== '/v1/transactions') return nothing
    expect([query.get('orderBy'), query.get('sort')]).toEqual(['createdAt', 'ASC'])
    const after = all.filter(({ createdAt }) => createdAt > Number(query.get('after')))
    return { body: after.toSorted((a, b) => a.createdAt - b.createdAt).slice(0, Number(query.get('limit'))) }
  }

  test('none is skipped, whatever stands at one millisecond across the end of a page', async () => {
    const tie = (instant += 1000)
    const all = Array.from({ length: 200 }, (_, at) =>
      transactionOf({ externalTxId: randomUUID(), createdAt: at < 30 ? tie - 60 + at : at < 150 ? tie : tie + at }),
    )
    const { driver } = await playing(listing(all))
    const seen = new Set<string>()
    let pages = 0
    for (let after: string | undefined; pages < 20; pages += 1) {
      const { data, odd, next } = await driver.payouts(after)
      expect(odd).toEqual([])
      for (const one of data) seen.add(String(one.id))
      if (next === null) break
      expect(Number(next)).toBeGreaterThan(Number(after ?? 0))
      after = next
    }
    expect(seen.size).toBe(200)
  })

  test('a page with an unfinished deposit is read again, and lists it when it is completed', async () => {
    const late = incomingOf({ status: 'CONFIRMING' })
    const lost = incomingOf({ status: 'CONFIRMING', createdAt: Date.now() - 15 * 86_400_000 })
    const all = [lost, late, incomingOf()]
    const { driver } = await playing(listing(all))
    const before = await driver.deposits()
    expect([before.data.length, before.isUnfinished]).toEqual([1, true])
    late.status = 'COMPLETED'
    const after = await driver.deposits()
    expect([after.data.map((one) => one.id), after.isUnfinished]).toEqual([all.slice(1).map((one) => one.id), false])
  })

  test('coins of our own accounts, and fuel, are no deposits; what cannot be booked is named', async () => {
    const own = ['VAULT_ACCOUNT', 'GAS_STATION'].map((type) => incomingOf({ source: { type } }))
    const [unknown, zero] = [incomingOf({ assetId: 'DOGE' }), incomingOf({ amountInfo: { amount: '0' } })]
    const others = [incomingOf({ status: 'REJECTED' }), incomingOf({ subStatus: 'AUTO_FREEZE' })]
    const { driver } = await playing(listing([...own, unknown, zero, ...others]))
    expect(await driver.deposits()).toEqual({
      data: [],
      odd: [
        { id: unknown.id, position: 2, isZeroAmount: false },
        { id: zero.id, position: 3, isZeroAmount: true },
      ],
      next: null,
      isUnfinished: false,
    })
  })

  test('payouts have our ids, those of others their own; returns and moves between our accounts are none', async () => {
    const stranger = transactionOf({ externalTxId: 'by hand' })
    const [ours, own] = [transactionOf(), transactionOf({ destination: { type: 'VAULT_ACCOUNT' } })]
    const { driver } = await playing(listing([ours, stranger, own, transactionOf({ externalTxId: `return-${id}` })]))
    const { data, odd } = await driver.payouts()
    expect([data.map((one) => one.id), odd]).toEqual([[stranger.id, id], []])
  })

  test('balances are what is completed: without what comes, with what leaves', async () => {
    const { driver } = await playing((path) =>
      path.startsWith('/v1/vault/assets')
        ? { body: [{ id: 'USDC', total: '100.5', available: '80', pending: '20.5', frozen: '0', lockedAmount: '0' }] }
        : { body: [transactionOf({ status: 'CONFIRMING', feeInfo: { networkFee: '0.001' }, feeCurrency: 'BTC' })] },
    )
    const balances = await driver.balances?.()
    expect(balances?.map(({ currency, network, amount }) => [currency, network, Number(amount)])).toEqual([
      ['USDC', 'ethereum', 90.5],
      ['USDT', 'tron', 0],
      ['BTC', 'bitcoin', 0.001],
    ])
  })
})

describe('returns of deposits', () => {
  const incoming = incomingOf()
  const wanted = { id: incoming.id, amount: { amount: '10.500000', currency: 'USDC' }, reason: 'nobody knows it' }
  const externalTxId = `return-${incoming.id}`
  const returning = (back: Reply | null, deposit: object = incoming) => {
    let sent = back === null ? 0 : 1
    return playing((path, { method }) => {
      if (method === 'POST') return { body: { id: randomUUID(), status: ++sent && 'SUBMITTED' } }
      if (path.includes('external_tx_id'))
        return sent > 0 ? (back ?? { body: transactionOf({ externalTxId }) }) : nothing
      return { body: deposit }
    })
  }

  test('the coins go back to where they came from, once, and the deposit is returned when they have', async () => {
    const { driver, asked } = await returning(null)
    expect(await driver.returnDeposit?.(wanted, wanted.id)).toMatchObject({ id: incoming.id, status: 'returned' })
    expect(await driver.returnDeposit?.(wanted, wanted.id)).toMatchObject({ status: 'returned' })
    const orders = asked.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
    expect(orders).toMatchObject([{ externalTxId, amount: '10.500000', source: { id: '7' } }])
    expect(orders[0].destination.oneTimeAddress).toEqual({ address: ADDRESS })
  })

  test('one under way is unclear, one that failed is refused, and so is one without an address', async () => {
    const status = (of: string) => returning({ body: transactionOf({ externalTxId, status: of }) })
    const open = await failureOf((await status('CONFIRMING')).driver.returnDeposit?.(wanted, id) ?? Promise.resolve())
    expect(mayHaveExecuted(open)).toBe(true)
    const failed = await failureOf((await status('FAILED')).driver.returnDeposit?.(wanted, id) ?? Promise.resolve())
    expect(partnerRefusal(failed)).toMatchObject({ code: 'return_failed' })
    const { driver, asked } = await returning(null, { ...incoming, sourceAddress: '' })
    const refused = await failureOf(driver.returnDeposit?.(wanted, id) ?? Promise.resolve())
    expect(partnerRefusal(refused)).toMatchObject({ code: 'no_sender_address' })
    expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
  })
})

describe('callbacks', () => {
  const driver = fireblocksDriver(
    { party: 'coins', url: 'http://x', key: SANDBOX_FIREBLOCKS.apiKey, timeoutMs: 1, queues: [] },
    settings,
  )
  const sent = (body: string, headers: Record<string, string>): SentCallback => ({
    headers: new Headers(headers),
    raw: Buffer.from(body),
    read: <Schema extends v.GenericSchema>(schema: Schema) => valibot.parse(schema, JSON.parse(body)),
  })
  const signature = (text: string, key: string = SANDBOX_FIREBLOCKS.theirKey) =>
    sign('RSA-SHA512', Buffer.from(text), createPrivateKey(key))
  const jws = (body: string, alg = 'RS512', key: string = SANDBOX_FIREBLOCKS.theirKey) => {
    const header = Buffer.from(JSON.stringify({ alg, kid: 'a' })).toString('base64url')
    const signed = `${header}.${Buffer.from(body).toString('base64url')}`
    return `${header}..${signature(signed, key).toString('base64url')}`
  }
  const second = (data: object, more: object = {}) =>
    JSON.stringify({ id: 'event-1', eventType: 'transaction.status.updated', data, ...more })

  test('both forms name a payout by our id, and a deposit by theirs', () => {
    const payout = JSON.stringify({ type: 'TRANSACTION_STATUS_UPDATED', timestamp: 1, data: transactionOf() })
    const first = sent(payout, { 'fireblocks-signature': signature(payout).toString('base64') })
    const messageId = createHash('sha256').update(payout).digest('hex')
    expect(driver.readCallback(first)).toEqual([{ messageId, subject: 'payout', named: { id } }])
    const incoming = incomingOf()
    const deposit = second(incoming)
    const hint = { messageId: 'event-1', subject: 'deposit', named: { theirId: incoming.id } }
    expect(driver.readCallback(sent(deposit, { 'fireblocks-webhook-signature': jws(deposit) }))).toEqual([hint])
    const back = second(transactionOf({ externalTxId: `return-${incoming.id}` }))
    expect(driver.readCallback(sent(back, { 'fireblocks-webhook-signature': jws(back) }))).toEqual([hint])
  })

  test.each([
    ['of another event', second({}, { eventType: 'vault_account.created' })],
    ['of coins that move between our accounts', second(incomingOf({ source: { type: 'VAULT_ACCOUNT' } }))],
    ['without a transaction', second([])],
  ])('one %s names nothing', (_, body) => {
    expect(driver.readCallback(sent(body, { 'fireblocks-webhook-signature': jws(body) }))).toEqual([])
  })

  const body = second(transactionOf())
  test.each([
    ['without a signature', {}],
    ['with the signature of other bytes', { 'fireblocks-signature': signature(`${body} `).toString('base64') }],
    ['signed by another key', { 'fireblocks-webhook-signature': jws(body, 'RS512', SANDBOX_FIREBLOCKS.ourKey) }],
    ['signed by another method', { 'fireblocks-webhook-signature': jws(body, 'none') }],
    ['with a payload of its own', { 'fireblocks-webhook-signature': jws(body).replace('..', '.e30.') }],
    ['with half a signature', { 'fireblocks-webhook-signature': jws(body).slice(0, -50) }],
    [
      'with a wrong new signature beside a right old one',
      { 'fireblocks-webhook-signature': 'a..b', 'fireblocks-signature': signature(body).toString('base64') },
    ],
  ])('one %s is refused', (_, headers: Record<string, string>) => {
    expect(() => driver.readCallback(sent(body, headers))).toThrow('Unauthorized')
  })
})
