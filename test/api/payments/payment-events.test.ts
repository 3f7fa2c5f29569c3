/** The history of a payment, page by page. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, approve, createPayment, payerAndPayee } from '../../support/api.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, contactId } = await payerAndPayee('100.00')
const { token } = boss
const pageOf = (id: string, query = '') => api('GET', `/payments/${id}/events${query}`, { token })
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

test('comes in pages of its limit, oldest first, and every event is in one of them', async () => {
  const payment = await createPayment(boss, contactId, '5.00')
  await approve(boss, payment)
  const whole = (await pageOf(payment.id)).body
  expect(whole).toMatchObject({ has_more: false, next_cursor: null })
  const types = whole.data.map((event: { event_type: string }) => event.event_type)
  expect(types).toEqual(['payment.created', 'payment.submitted', 'payment.accepted', 'payment.settled'])
  for (const limit of [1, 2, 3, 4]) {
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { body } = await pageOf(payment.id, `?limit=${limit}${cursor}`)
      seen.push(...idsOf(body.data))
      expect(body.has_more).toBe(seen.length < 4)
      expect(body.next_cursor).toBe(body.has_more ? seen.at(-1) : null)
      if (!body.has_more) break
      expect(body.data).toHaveLength(limit)
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(idsOf(whole.data))
  }
  const after = await pageOf(payment.id, `?cursor=${whole.data.at(-1).id}`)
  expect(after.body).toEqual({ data: [], has_more: false, next_cursor: null })
})

test('is not paged by an event of something else, by a limit that is no number, or by one that is not there', async () => {
  const [payment, other] = [await createPayment(boss, contactId, '5.00'), await createPayment(boss, contactId, '6.00')]
  const foreign = (await pageOf(other.id)).body.data[0].id
  for (const cursor of [foreign, randomUUID()]) {
    const { status, body } = await pageOf(payment.id, `?cursor=${cursor}`)
    expect([status, body.error.details.errors[0].code]).toEqual([400, 'unknown_cursor'])
  }
  expect((await pageOf(payment.id, '?limit=abc')).status).toBe(400)
  expect((await pageOf(payment.id, '?cursor=abc')).status).toBe(400)
})
