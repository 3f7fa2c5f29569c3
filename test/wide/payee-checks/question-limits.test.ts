/** Questions to the bank about names: limited by organization, and no money waits for one. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('PAYEE_QUESTION_LIMIT_PER_HOUR', '3')
vi.stubEnv('PAYEE_ROW_LIMIT_PER_DAY', '4')
const { ANNA, BERT, CORA, bankAt, payerOfTwo, quoted } = await import('../../support/account-changes.ts')
const { api, approve } = await import('../../support/api.ts')
const { TERMS, atRest, fileOf, importFile, newBatch, uploaded } = await import('../../support/batches/imports.ts')
const { requestPayment, typedBill } = await import('../../support/bills/bills.ts')
const { owner } = await import('../../support/database.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { executed } = await import('../../support/payments/quotes.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const NONE = 'No Match GmbH'
const FOURTH = 'DE02500105170137075030'
const TOO_MANY = { result: 'not_possible', reason: 'too_many_questions' }

test('quotes and bills of an organization share one limit; past it an answer stands, and what is paid goes on', async () => {
  const { id, boss, admin, contactOf } = await payerOfTwo()
  const contacts = []
  for (const [index, iban] of [ANNA, BERT, CORA, FOURTH].entries()) {
    contacts.push(await contactOf({ name: `Payee ${index}` }, bankAt(iban, { account_holder_name: NONE })))
  }
  const checks = []
  for (const [index, { id: contactId }] of contacts.entries()) {
    checks.push((await quoted(index % 2 ? admin : boss, contactId)).payee_check)
  }
  expect(checks).toMatchObject([...Array(3).fill({ result: 'no_match', reason: null }), TOO_MANY])
  expect((await quoted(boss, contacts[0]!.id)).payee_check).toMatchObject({ result: 'no_match' })
  const bill = await typedBill(boss, id, { amount: '2.00', iban: FOURTH, supplier_name: NONE })
  const asked = (await requestPayment(boss, bill.id, { payment_contact_id: contacts[3]!.id })).body
  expect(asked.status).toBe('payment_requested')
  const { subject } = (
    await api('GET', `/organizations/${id}/approvals/${asked.approval_request_id}`, { token: boss.token })
  ).body
  expect(subject.fiat_outgoing.payee_check).toMatchObject(TOO_MANY)
  const payment = await executed(boss, (await quoted(boss, contacts[3]!.id)).quote_id)
  expect((await approve(boss, payment)).status).toBe(200)
})

test('rows of drafts have a limit of their own by day; a draft that is imported again asks no more', async () => {
  const { id, boss } = await payerOfTwo()
  const batch = await newBatch(boss, id)
  const imported = async (...ibans: string[]) => {
    const rows = ibans.map((iban) => `,,${NONE},${iban},1.00,EUR,${TERMS}`)
    await importFile(boss, batch, await uploaded(boss, batch, fileOf(...rows)))
    await atRest(boss, batch)
    await until('the bank to be asked', async () => {
      const [row] = await owner`select payees_unasked from payment_batches where id = ${batch}`
      return row?.['payees_unasked'] === false
    })
    const { data } = (await api('GET', `/payment-batches/${batch}/rows`, { token: boss.token })).body
    return data.map(({ payee_check: check }: { payee_check: object | null }) => check)
  }
  expect(await imported(ANNA, BERT, CORA)).toMatchObject(Array(3).fill({ result: 'no_match' }))
  expect(await imported(BERT, FOURTH)).toMatchObject([TOO_MANY, TOO_MANY])
})
