/** The typed client behind gateways that lose requests or answer by themselves. */
import { expect, test } from 'vitest'
import { ServiceError, createClient } from '../../clients/typescript/src/index.ts'

const baseUrl = 'https://api.example.com'
const AT_ONCE = { 'retry-after': '0' }
const page = (status: number) => () => new Response('<html>gateway</html>', { status, headers: AT_ONCE })
const json = (body: object) => () => Response.json(body)
const lost = () => {
  throw new TypeError('fetch failed')
}

/** Replaces `fetch` by these answers in turn, the last of them for ever; notes what was asked. */
function answering(...answers: (() => Response)[]): { fetch: typeof fetch; urls: string[] } {
  const urls: string[] = []
  return {
    urls,
    fetch: async (url) => {
      urls.push(url instanceof Request ? url.url : url.toString())
      return (answers[urls.length - 1] ?? answers.at(-1) ?? lost)()
    },
  }
}

test.each([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524])(
  '%s of a gateway is repeated where nothing happens twice',
  async (status) => {
    const made = answering(page(status), json({ id: 'made' }))
    const { id } = await createClient({ baseUrl, fetch: made.fetch }).createOrganization({ name: 'Once' })
    expect([id, made.urls.length]).toEqual(['made', 2])

    const cancelled = answering(page(status), json({ id: 'cancelled' }))
    const cancelling = createClient({ baseUrl, fetch: cancelled.fetch }).cancelPayment({ payment_id: 'p' })
    if (status === 429) return void (await cancelling) // it was not taken
    await expect(cancelling).rejects.toMatchObject({
      status,
      type: 'service_unavailable',
      message: expect.stringContaining(`HTTP ${status}`),
    })
    expect(cancelled.urls).toHaveLength(1)
  },
)

test('an answer that is no error of the service is one by its status, and no sentence without words', async () => {
  for (const body of ['{"error":"bad gateway"}', '{"message":"Forbidden"}', '[]', 'null', '"x"', '']) {
    const { fetch } = answering(() => new Response(body, { status: 403 }))
    const thrown: unknown = await createClient({ baseUrl, fetch })
      .getMe()
      .catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(ServiceError)
    expect(thrown).toMatchObject({ status: 403, type: 'internal_error', message: 'HTTP 403 (internal_error)' })
  }
})

test('a stream of events goes on after a gateway that answers for longer than a request is repeated', async () => {
  const event = new Response(`id: e1\ndata: ${JSON.stringify({ id: 'e1' })}\n\n`, { status: 200 })
  const { fetch, urls } = answering(page(502), page(504), lost, page(503), () => event)
  const stream = createClient({ baseUrl, fetch, retries: 1 }).streamEvents({ organization_id: 'o' })
  for await (const { id } of stream) {
    expect(id).toBe('e1')
    break
  }
  expect(urls).toHaveLength(5)
})

test('bytes are sent to their slot, and got from their address, once more after a gateway', async () => {
  const slot = { id: 'f', upload_url: `${baseUrl}/files/f`, headers: { 'content-type': 'text/csv' } }
  const sent = answering(json(slot), lost, page(502), () => new Response(null, { status: 204 }))
  const input = { batch_id: 'b', filename: 'a.csv', byte_size: 1, content_type: 'text/csv' } as const
  const client = createClient({ baseUrl, fetch: sent.fetch })
  expect(await client.upload('createPaymentBatchUpload', input, new Blob(['x']))).toBe('f')
  const got = answering(lost, page(504), () => new Response('bytes'))
  const stream = await createClient({ baseUrl, fetch: got.fetch }).download(`${baseUrl}/files/f`)
  expect([await new Response(stream).text(), sent.urls.length, got.urls.length]).toEqual(['bytes', 4, 3])
})

test('an address with a slash at its end is the same', async () => {
  const { fetch, urls } = answering(json({}))
  await createClient({ baseUrl: `${baseUrl}/finance/`, fetch }).getMe()
  expect(urls).toEqual([`${baseUrl}/finance/api/v1/me`])
})
