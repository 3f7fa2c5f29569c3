/** Requests to partners that sign each request, and say errors in words of their own. */
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { type PartnerEndpoint, mayHaveExecuted, partnerRefusal, requestOrNull } from '../../partners/http.ts'
import { answering, partnerServer } from '../support/partners/server.ts'

/** Asks a partner that answers so; 404 with a number means absent, 400 with one is a refusal. */
async function ask(answer: ReturnType<typeof answering>) {
  const server = await partnerServer(answer)
  const endpoint: PartnerEndpoint = {
    ...server.door,
    sign: ({ path, body }) => ({ 'x-signature': Buffer.from(`${path} ${body}`).toString('base64') }),
    readFailure: (status, body) => {
      const words = v.safeParse(v.object({ code: v.number(), message: v.string() }), body)
      if (!words.success) return undefined
      return status === 404 ? 'absent' : { code: `code_${words.output.code}`, message: words.output.message }
    },
  }
  const headers = { 'idempotency-key': 'once' }
  const question = { method: 'POST', path: '/v1/x?y=1', body: { a: 'ü' }, headers, answer: v.object({}) } as const
  const outcome = await requestOrNull(endpoint, question).catch((error: unknown) => error)
  return { outcome, asked: server.asked }
}

test('a request is signed over its path and its bytes, in place of the key, and has its own headers', async () => {
  const { outcome, asked } = await ask(answering(200, {}))
  expect(outcome).toEqual({})
  expect(asked).toMatchObject([{ method: 'POST', url: '/v1/x?y=1', body: '{"a":"ü"}' }])
  const headers = asked[0]?.headers ?? {}
  expect(Buffer.from(String(headers['x-signature']), 'base64').toString()).toBe('/v1/x?y=1 {"a":"ü"}')
  expect(headers).toMatchObject({ 'idempotency-key': 'once', 'content-type': 'application/json' })
  expect(headers.authorization).toBeUndefined()
})

test('an error in the words of the partner is absent or a refusal', async () => {
  expect((await ask(answering(404, { code: 1405, message: 'none' }))).outcome).toBeNull()
  const { outcome } = await ask(answering(400, { code: 1401, message: 'No such\nasset' }))
  expect(partnerRefusal(outcome)).toEqual({ code: 'code_1401', message: 'No such asset' })
})

test.each([
  [404, '<html>'],
  [404, { statusCode: 404 }],
  [502, { code: 1, message: 'x' }],
])('%s with %j may be of a gateway: the outcome is unknown', async (status, body) => {
  const { outcome } = await ask(answering(status, body))
  expect([mayHaveExecuted(outcome), partnerRefusal(outcome)]).toEqual([true, undefined])
})
