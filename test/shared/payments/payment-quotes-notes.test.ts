import { expect, test } from 'vitest'
import { api, createPayment, payerAndPayee } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, contactId } = await payerAndPayee('10.00')
const change = (by: { token: string }, id: string, body: object) =>
  api('PATCH', `/payments/${id}`, { token: by.token, body })
const eventsOf = (id: string) => owner<{ payload: object }[]>`
  select payload::jsonb as payload from events where subject_id = ${id} and type = 'payment.updated' order by id`

test('notes and tag change, absent stays, null clears, and the log says what but not the words', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  const noted = await change(boss, payment.id, { internal_notes: 'For the new office', tag: 'vendor' })
  expect(noted.body).toEqual({ ...payment, internal_notes: 'For the new office', tag: 'vendor' })
  expect((await change(boss, payment.id, { tag: null })).body).toEqual({ ...noted.body, tag: null })
  expect((await change(boss, payment.id, {})).body).toEqual({ ...noted.body, tag: null })
  expect((await change(boss, payment.id, { internal_notes: null })).body).toEqual(payment)
  expect((await eventsOf(payment.id)).map(({ payload }) => payload)).toEqual([
    { changed: ['internal_notes', 'tag'], tag: 'vendor' },
    { changed: ['tag'], tag: null },
    { changed: ['internal_notes'] },
  ])
})

test('nothing else of a payment changes', async () => {
  const payment = await createPayment(boss, contactId, '2.00')
  const others = { amount: { amount: '9.00', currency: 'USD' }, statement_description: 'Another', status: 'succeeded' }
  expect((await change(boss, payment.id, others)).body).toEqual(payment)
})

test('many changes at once all happen, one after the other', async () => {
  const payment = await createPayment(boss, contactId, '6.00')
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => change(boss, payment.id, { internal_notes: `note ${index}` })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(await eventsOf(payment.id)).toHaveLength(5)
})
