import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { XeroFailure, ask } from '../../partners/xero-http.ts'
import { config } from '../../platform/config.ts'
import { type PartnerServer, answering, partnerServer } from '../support/partners/server.ts'

const TOKEN = 'eyJ-a-token-that-nobody-reads'
const Answer = v.object({ Accounts: v.array(v.object({ Code: v.string() })) })

const question = ({ door }: PartnerServer) =>
  ask({ method: 'GET', url: `${door.url}/Accounts`, headers: { authorization: `Bearer ${TOKEN}` }, answer: Answer })

/** Returns the failure of a call, whose message must not contain the token. */
async function failureOf(server: PartnerServer): Promise<XeroFailure> {
  const failure = await question(server).then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(failure instanceof XeroFailure)) throw failure
  expect(`${failure.message} ${failure.stack}`).not.toContain(TOKEN)
  return failure
}

test('an answer is what the schema knows of it', async () => {
  const server = await partnerServer(answering(200, { Accounts: [{ Code: '090', Name: 'Bank' }], Status: 'OK' }))
  expect(await question(server)).toEqual({ Accounts: [{ Code: '090' }] })
})

test.each<[string, number, unknown, string, string]>([
  ['500', 500, { Title: 'broken' }, 'away', 'it answered 500'],
  ['503 in HTML', 503, '<html>away</html>', 'away', 'it answered 503'],
  ['a redirect, which would take the token along', 302, '', 'away', 'it answered 302'],
  ['no JSON', 200, '<html>fine</html>', 'away', 'its answer is not JSON'],
  ['another shape', 200, { Accounts: [{ Code: 7 }] }, 'away', 'its answer has another shape: Accounts.0.Code'],
  ['a token that has expired', 401, { Detail: 'TokenExpired: old' }, 'expired', 'it answered 401: TokenExpired: old'],
  ['books that are closed', 403, { Detail: 'Unsuccessful' }, 'denied', 'it answered 403: Unsuccessful'],
  ['a validation', 400, { Message: 'A validation\nexception' }, 'refused', 'A validation exception'],
])('%s is told apart', async (_, status, body, kind, message) => {
  const headers = { location: 'http://127.0.0.1:1/' } // of a redirect
  const failure = await failureOf(await partnerServer(answering(status, body, status === 302 ? headers : {})))
  expect([failure.kind, failure.message]).toEqual([kind, message])
})

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '7', 'x-rate-limit-problem': 'minute' }, 7],
  [{ 'retry-after': '86000', 'x-rate-limit-problem': 'day' }, 3600],
  [{ 'x-rate-limit-problem': 'concurrent' }, 2],
  [{}, 60],
])('too many calls, with %j: asked again after %i seconds', async (headers, seconds) => {
  const failure = await failureOf(await partnerServer(answering(429, '', headers)))
  expect([failure.kind, failure.seconds]).toEqual(['busy', seconds])
})

test('an answer that is too large once it is unpacked is given up, and so is one that nobody hears', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 'a'))
  const large = await failureOf(await partnerServer(answering(200, bomb, { 'content-encoding': 'gzip' })))
  expect([large.kind, large.message]).toEqual(['away', 'its answer is larger than 8388608 bytes'])
  const closed = await failureOf(await partnerServer((response) => void response.socket?.destroy()))
  expect([closed.kind, closed.message.startsWith('the connection failed')]).toEqual(['away', true])
  expect(config.partnerTimeoutMs).toBeGreaterThan(0)
})
