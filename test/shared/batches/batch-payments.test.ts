import { expect, test } from 'vitest'
import {
  type TestOrganization,
  api,
  approvalPath,
  fund,
  join,
  organization,
  person,
  verifyStepUp,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { IBAN, approved, ended, payees, submit, violations } from '../../support/batches/batches.ts'
import { owner } from '../../support/database.ts'
import { HEADER, TERMS, imported, newBatch, readBatch, rowsOf } from '../../support/batches/imports.ts'
import { fault, usePartners } from '../../support/partners/partners.ts'
import { advance } from '../../support/payments/payouts.ts'
import { preflight } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const boss = await person({ authenticator: true })
const payer = await organization(boss, 'Payer')
await fund(payer.id, '1000.00')
await fund(payer.id, '100.00', 'EUR')
const people = (await payees(3)) as [TestOrganization, TestOrganization, TestOrganization]

test('a file of five people is paid by service ID and by bank with one proof of a reviewer, who has paged its rows', async () => {
  const [own, reviewer, stranger] = [await organization(boss, 'House'), await person(), await person()]
  for (const one of [reviewer, stranger]) await join(own.id, one, 'member')
  const steps = [{ required: 1, user_ids: [reviewer.userId] }]
  await setRules(own.id, boss, [{ action_type: 'payment_batch', steps, self_approval: false }])
  for (const currency of ['USD', 'EUR']) await fund(own.id, '100.00', currency)
  const lines = [
    ...people.map(({ svcId }, index) => `${svcId},,,,${index + 1}.00,USD,${TERMS}`),
    ...['4.00', '5.00'].map((amount) => `,,Jane Doe,${IBAN},${amount},EUR,${TERMS}`),
  ]
  const id = await newBatch(boss, own.id)
  expect((await readBatch(reviewer, id)).error.type).toBe('not_found')
  expect(await imported(boss, id, [HEADER, ...lines].join('\n'))).toMatchObject({ rows_valid: 5, rows_processed: 0 })
  const { body: batch } = await submit(boss, id)
  expect(await rowsOf(reviewer, id, 'limit=2')).toEqual(await rowsOf(boss, id))
  expect((await readBatch(stranger, id)).error.type).toBe('not_found')

  await fault('bank', 'manual', 2)
  const approving = () => api('POST', `${approvalPath(batch)}/approve`, { token: reviewer.token, body: {} })
  await verifyStepUp(await approving())
  expect((await approving()).body.status).toBe('approved')
  const processed = (count: number) =>
    until(`${count} rows to be processed`, async () => {
      const now = await readBatch(boss, id)
      return now.rows_processed === count && now
    })
  expect(await processed(3)).toMatchObject({ status: 'processing', rows_succeeded: 3, rows_failed: 0 })
  const [first, second] = (await rowsOf(boss, id, 'status=processing')).map((row) => ({ id: row.payment_id as string }))
  for (const [payment, count] of [[first!, 4] as const, [second!, 5] as const]) {
    await until('the bank to have it', async () => (await advance(payment, 'succeeded')).status === 200)
    await processed(count)
  }
  expect(await ended(id)).toMatchObject({ status: 'completed', rows_succeeded: 5, rows_failed: 0 })
  expect((await rowsOf(boss, id)).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
  const proofs = await owner`select status from step_ups where user_id = any (${[boss.userId, reviewer.userId]}::uuid[])
    and target like ${`approval:${batch.approval_request_id}:%`}`
  expect(proofs.map(({ status }) => status)).toEqual(['consumed'])
  expect(await violations(own.id)).toEqual([])
})

test('rows through the bank are priced when the batch is submitted, and the last of them that ends completes it', async () => {
  const batch = await approved(boss, payer.id, [
    { iban: IBAN, amount: '10.00' },
    { svc: people[0], amount: '1.00' },
    { iban: IBAN, amount: '20.00' },
  ])
  expect(batch.fees).toEqual([{ amount: '0.40', currency: 'EUR' }])
  expect(await ended(batch.id)).toMatchObject({ status: 'completed', rows_succeeded: 3, rows_failed: 0 })
  const list = `/organizations/${payer.id}/payments?payment_batch_id=${batch.id}&rail=fiat`
  const { data } = (await api('GET', list, { token: boss.token })).body
  const amounts = data.map(
    ({ deducting, landing }: Record<'deducting' | 'landing', { amount: string }>) =>
      `${deducting.amount} for ${landing.amount}`,
  )
  expect(amounts.toSorted()).toEqual(['10.20 for 10.00', '20.20 for 20.00']) // made at one instant, in any order
  expect(await violations(payer.id)).toEqual([])
})

test('a payee whom the file alone names is a contact of one payment: read by its id, in no list, and left as it is', async () => {
  const batch = await approved(boss, payer.id, [{ iban: IBAN, amount: '1.00' }])
  await ended(batch.id)
  const [payment] = await owner<{ payment_contact_id: string; destination_id: string }[]>`
    select payment_contact_id, destination_id from payments where payment_batch_id = ${batch.id}`
  const { payment_contact_id: contact, destination_id: destination } = payment!
  const { token } = boss
  const read = await api('GET', `/payment-contacts/${contact}`, { token })
  expect(read.body).toMatchObject({ one_time: true, status: 'archived', name: 'Jane Doe' })
  expect((await api('GET', `/payment-destinations/${destination}`, { token })).body).toMatchObject({ iban: IBAN })
  for (const query of ['', '?status=archived']) {
    const { body } = await api('GET', `/organizations/${payer.id}/payment-contacts${query}`, { token })
    expect(body.data.map((one: { id: string }) => one.id)).not.toContain(contact)
  }
  const changes = [
    ['PATCH', `/payment-contacts/${contact}`, { name: 'Else' }],
    ['DELETE', `/payment-contacts/${contact}`, undefined],
    ['POST', `/payment-contacts/${contact}/destinations`, { type: 'svc_id', svc_id: people[0].svcId }],
    ['PATCH', `/payment-destinations/${destination}`, { label: 'Else' }],
    ['DELETE', `/payment-destinations/${destination}`, undefined],
  ] as const
  for (const [method, path, body] of changes) {
    const answer = await api(method, path, { token, ...(body && { body }) })
    expect([answer.status, answer.body.error.details?.reason]).toEqual([409, 'one_time'])
  }
  const quote = await preflight(boss, contact, { amount: '1.00', currency: 'EUR' })
  expect(quote.body.blocked_by.map(({ type }: { type: string }) => type)).toContain('contact_not_approved')
})

test('a payment that the bank returns after the end of its batch counts as failed from then on, in all that is read', async () => {
  const batch = await approved(boss, payer.id, [
    { iban: IBAN, amount: '3.00' },
    { svc: people[0], amount: '1.00' },
  ])
  expect(await ended(batch.id)).toMatchObject({ status: 'completed', rows_succeeded: 2, rows_failed: 0 })
  const [payment] = await owner<{ id: string }[]>`
    select id from payments where payment_batch_id = ${batch.id} and rail = 'fiat'`
  expect((await advance(payment!, 'reversed', 'account closed')).status).toBe(200)
  const counted = await until('a batch that counts what came back', async () => {
    const { body } = await api('GET', `/payment-batches/${batch.id}`, { token: boss.token })
    return body.rows_failed === 1 && body
  })
  expect(counted).toMatchObject({ status: 'completed', rows_total: 2, rows_succeeded: 1, rows_processed: 2 })
  const failed = await rowsOf(boss, batch.id, 'status=failed')
  expect(failed.map(({ row_number, payment_id }) => [row_number, payment_id])).toEqual([[1, payment!.id]])
  const results = await api('GET', `/payment-batches/${batch.id}/results.csv`, { token: boss.token })
  const [, first, second] = results.body.split('\r\n')
  // some banks say a code before their words
  expect(first).toMatch(new RegExp(`,failed,(?:[A-Z]+\\d+ )?account closed,${payment!.id},`))
  expect(second).toContain(',succeeded,,')
  expect(await violations(payer.id)).toEqual([])
})
