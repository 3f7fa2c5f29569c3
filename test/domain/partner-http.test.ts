import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { mayHaveExecuted, partnerRefusal } from '../../partners/http.ts'
import { checkAnswers } from '../../partners/answers.ts'
import { isAnotherAmount } from '../../partners/failures.ts'
import type { PayoutView } from '../../partners/driver.ts'
import { httpDriver } from '../../partners/http/driver.ts'
import { KEY, type PartnerServer, answering, partnerServer, payoutOf } from '../support/partners/server.ts'

const SECRET_WORDS = 'Ada Lovelace DE89370400440532013000'

const id = randomUUID()
const order = {
  amount: { amount: '10.00', currency: 'USD' },
  reference: 'INV 1',
  beneficiary: { iban: 'DE89370400440532013000', account_holder: SECRET_WORDS },
}
const driverOf = ({ door }: PartnerServer) =>
  checkAnswers(
    'bank',
    httpDriver({
      endpoint: door,
      rail: 'fiat',
      callbackSecret: null,
      keysKeptHours: null,
      instant: [],
      verifies: false,
    }),
  )
const put = (server: PartnerServer) => {
  const driver = driverOf(server)
  return driver
    .send(driver.plan({ ...order, id, speed: 'standard', payeeAddress: null, payer: null, payee: null }), id)
    .then(viewOf)
}
const get = async (server: PartnerServer) => {
  const found = await driverOf(server).find({ id, key: id, operation: null, theirId: null, amount: order.amount })
  return found && viewOf(found)
}
const viewOf = ({ status, detail, reference, version }: PayoutView) => ({ status, detail, reference, version })
const VIEW = { status: 'processing', detail: 'On its way', reference: 'BANK-1', version: 2 }

/** Returns the failure of the call, which quotes nothing of the answer. */
async function failureOf(call: Promise<unknown>): Promise<ApplicationFailure> {
  const failure = await call.then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(failure instanceof ApplicationFailure)) throw failure
  for (const word of [...SECRET_WORDS.split(' '), KEY])
    expect(`${failure.message} ${failure.stack} ${String(failure.cause)}`).not.toContain(word)
  return failure
}

type Answer = Parameters<typeof partnerServer>[0]

/** Expects a retryable failure that states whether the partner may have acted. */
async function expectUnclear(call: Promise<unknown>, arrived: boolean): Promise<ApplicationFailure> {
  const failure = await failureOf(call)
  expect([failure.type, failure.nonRetryable, mayHaveExecuted(failure)]).toEqual(['PartnerUnclear', false, arrived])
  expect(partnerRefusal(failure)).toBeUndefined()
  return failure
}

test('what is asked goes out as JSON with the key, and the answer, also in gzip, is what the schema knows of it', async () => {
  const server = await partnerServer(answering(200, payoutOf(id, { extra: SECRET_WORDS })))
  expect(await put(server)).toEqual(VIEW)
  const packed = answering(200, gzipSync(JSON.stringify(payoutOf(id))), { 'content-encoding': 'gzip' })
  expect(await put(await partnerServer(packed))).toEqual(VIEW)
  expect(server.asked).toMatchObject([{ method: 'PUT', url: `/v1/payouts/${id}` }])
  expect(JSON.parse(server.asked[0]?.body ?? '')).toEqual(order)
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  expect(server.asked[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, ...json })
})

test('what is asked goes over connections that stay, and over others where the partner closed them in between', async () => {
  const [unknown, taken] = [answering(404, { code: 'not_found' }), answering(200, payoutOf(id))]
  const server = await partnerServer((response, { method }) => (method === 'GET' ? unknown : taken)(response))
  for (let time = 0; time < 10; time += 1) expect([await put(server), await get(server)]).toEqual([VIEW, null])
  const before = server.connections()
  expect(before).toBeLessThan(5)
  server.hangUp()
  await expect.poll(() => put(server).catch(() => null)).toEqual(VIEW)
  expect(server.connections()).toBeGreaterThan(before)
})

test.each<[string, Answer, number?]>([
  ['nothing', () => {}, 200],
  ['headers alone', (response) => response.writeHead(200).flushHeaders(), 200],
  [
    'a byte now and then',
    (response) => {
      const dripping = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(dripping)) // drips until the client gives up
    },
    300,
  ],
  ['no HTTP at all', (response) => response.socket?.end('SSH-2.0-nonsense\r\n\r\n')],
  ['a cut before it', (response) => response.destroy()],
  [
    'a cut after its headers',
    (response) => {
      response.writeHead(200, { 'content-length': '500' }).flushHeaders()
      response.write('{"id":', () => response.destroy())
    },
  ],
  [
    'a cut within its body, which is chunked and has no end',
    (response) => void response.writeHead(200).write(JSON.stringify(payoutOf(id)), () => response.destroy()),
  ],
])('an answer that does not come is unclear, whatever comes in its place: %s', async (_, answer, timeoutMs) => {
  await expectUnclear(put(await partnerServer(answer, timeoutMs)), true)
})

test('an answer that does not come never arrived where nobody listens or the name is unknown', async () => {
  const server = await partnerServer(answering(200, {}))
  await server.close()
  await expectUnclear(put(server), false)
  await expectUnclear(put({ ...server, door: { ...server.door, url: 'http://partner.invalid' } }), false)
})

describe('a body', () => {
  test('that has no end is not read to the end', async () => {
    let written = 0
    const endless = await partnerServer((response) => {
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384
      }
      response.on('drain', write)
      write()
    })
    await expectUnclear(put(endless), true)
    await expect.poll(() => endless.asked.length).toBe(1)
    expect(written).toBeLessThan(64 * 1024 * 1024)
  })

  const bomb = gzipSync(JSON.stringify(payoutOf(id, { extra: 'x'.repeat(5_000_000) }))) // of less than 10 kB
  test.each<[string, unknown, Record<string, string>?]>([
    ['more than 64 KiB', payoutOf(id, { extra: 'x'.repeat(70_000) })],
    ['more than that once it is unpacked', bomb, { 'content-encoding': 'gzip' }],
    ['gzip that is none', 'x', { 'content-encoding': 'gzip' }],
    ['no JSON', `${SECRET_WORDS} {`],
    ['nothing', ''],
    ['a list', [payoutOf(id)]],
    ['null', 'null'],
    ['another id', payoutOf(randomUUID())],
    ['an unknown currency', payoutOf(id, { amount: { amount: '10.00', currency: SECRET_WORDS } })],
    ['an unknown status', payoutOf(id, { status: SECRET_WORDS })],
    ['no version', payoutOf(id, { version: undefined })],
    ['a version that is none', payoutOf(id, { version: 1.5 })],
    ['a version that cannot be kept', payoutOf(id, { version: 2 ** 31 })],
    ['a reference of no length', payoutOf(id, { reference: '' })],
    ['a reference that is long', payoutOf(id, { reference: 'x'.repeat(256) })],
    ['a reference with NUL', payoutOf(id, { reference: 'BANK\0' })],
    ['half of a character', payoutOf(id, { reference: 'BANK\ud800' })],
  ])('of %s is unclear, and tells the names of fields alone', async (_, body, headers) => {
    await expectUnclear(put(await partnerServer(answering(200, body, headers))), true)
  })

  test.each([
    ['amount', { amount: '10.01', currency: 'USD' }],
    ['currency', { amount: '10.00', currency: 'EUR' }],
  ])('of another %s is no answer that asking again would change', async (_, amount) => {
    const failure = await failureOf(put(await partnerServer(answering(200, payoutOf(id, { amount })))))
    expect([isAnotherAmount(failure), failure.nonRetryable]).toEqual([true, true])
  })

  test('with free text that is long or cannot be kept is taken, cut and cleaned; capitals and precision mean the same', async () => {
    const detail = `a\0b\nc\ud800${'𝒳'.repeat(300)}`
    const view = await put(await partnerServer(answering(200, payoutOf(id, { detail, reference: null }))))
    expect(view).toEqual({ ...VIEW, reference: null, detail: `a b c\ufffd${'𝒳'.repeat(249)}` })
    const body = payoutOf(id.toUpperCase(), { amount: { amount: '10', currency: 'USD' } })
    expect(await put(await partnerServer(answering(201, body)))).toEqual(VIEW)
  })
})

describe('a status', () => {
  test('422 is a refusal, for good, with its code and what it says', async () => {
    const body = { code: 'account_closed', message: `The account of ${SECRET_WORDS} is closed` }
    const failure = await failureOf(put(await partnerServer(answering(422, body))))
    expect([failure.type, failure.nonRetryable]).toEqual(['PartnerRefused', true])
    expect(partnerRefusal(failure)).toEqual(body)
    expect(mayHaveExecuted(failure)).toBeUndefined()
  })

  test('422 with words that cannot be kept is a refusal all the same, and one without a reason is unclear', async () => {
    const long = { code: SECRET_WORDS, message: `a\0${'x'.repeat(1000)}` }
    const failure = await failureOf(put(await partnerServer(answering(422, long))))
    expect(partnerRefusal(failure)).toEqual({ code: 'other', message: `a ${'x'.repeat(253)}` })
    await expectUnclear(put(await partnerServer(answering(422, '<html>'))), true)
  })

  test('404 is null where it may be, and our fault elsewhere', async () => {
    const server = await partnerServer(answering(404, { code: 'not_found', message: SECRET_WORDS }))
    expect(await get(server)).toBeNull()
    expect((await failureOf(put(server))).type).toBe('PartnerMisused')
  })

  test.each([['<html>Not Found</html>'], [''], [{}], [{ code: 'no_such_path' }]])(
    '404 that says %j is a gateway that lost its way, and no word on a payment',
    async (body) => {
      const server = await partnerServer(answering(404, body))
      await expectUnclear(get(server), true)
      await expectUnclear(put(server), true)
    },
  )

  test.each([400, 405, 409, 410, 413, 415])('%i is our fault, for good', async (status) => {
    const failure = await failureOf(put(await partnerServer(answering(status, { message: SECRET_WORDS }))))
    expect([failure.type, failure.nonRetryable]).toEqual(['PartnerMisused', true])
    expect([partnerRefusal(failure), mayHaveExecuted(failure)]).toEqual([undefined, undefined])
  })

  test.each<[number, boolean, (string | undefined)?, string?]>([
    ...[500, 502, 503, 504, 408].map((status): [number, boolean] => [status, true]),
    [503, true, '7', '7 seconds'],
    [401, false], // the key is changed by people
    [403, false],
    [429, false],
    [429, false, '120', '120 seconds'],
    [429, false, '0', '1 seconds'],
    [429, false, '999999', '3600 seconds'],
    [429, false, new Date(Date.now() - 60_000).toUTCString(), '1 seconds'],
    [429, false, 'soon'],
  ])(
    '%i is tried again, and may have arrived: %j; with Retry-After %s after %s',
    async (status, arrived, after, delay) => {
      const server = await partnerServer(answering(status, SECRET_WORDS, after ? { 'retry-after': after } : {}))
      expect((await expectUnclear(put(server), arrived)).nextRetryDelay).toBe(delay)
    },
  )

  test.each([301, 302, 303, 307, 308])('%i leads nowhere: the key stays here', async (status) => {
    const elsewhere = await partnerServer(answering(200, payoutOf(id)))
    const server = await partnerServer(answering(status, '', { location: `${elsewhere.door.url}/v1/payouts/${id}` }))
    await expectUnclear(put(server), true)
    expect(elsewhere.asked).toEqual([])
  })
})
