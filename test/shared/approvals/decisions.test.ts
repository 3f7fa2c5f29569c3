import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { main } from '../../../activities/index.ts'
import type { Person } from '../../../domain/people/actor.ts'
import { type ContactId, type OrganizationId, type UserId, newId } from '../../../domain/ids.ts'
import { createPayment as insertPayment } from '../../../services/payments/commands.ts'
import { inOrganization } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, approve, createPayment, fund, join, payerAndPayee, person } from '../../support/api.ts'
import { approvalOf, decide, outcome, staffedPayer, statusOf } from '../../support/approvals/approvals.ts'
import { type Payment, booksAreInOrder, decideOnce, idsOf, paymentsOf, told } from '../../support/approvals/sets.ts'
import { owner } from '../../support/database.ts'
import { decisionOf, earnStepUp, earnedFor, eventually, record, stateOf } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'
import { fullScale } from '../../support/model-runs.ts'
import { ANNA, BERT, age, asked, bankAt, paid, payerOfTwo } from '../../support/account-changes.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { type Deviation, softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

useWorker()

/** Earns the step-up of an approval; the result approves by it, each time it is called. */
async function prepared(by: TestPerson, payment: Payment) {
  await earnStepUp(by, payment)
  return () => decide(by, payment, 'approve')
}

const completed = (payment: Payment) => eventually(() => stateOf(payment)).toBe('COMPLETED')

test('approve and reject at once by two people have one outcome', async () => {
  const { boss, staff, pay } = await staffedPayer('admin')
  const payment = await pay()
  const approving = await prepared(boss, payment)
  const answers = await Promise.all([approving(), decide(staff[0], payment, 'reject')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await statusOf(payment.id)).toBe(answers[0].status === 200 ? 'succeeded' : 'cancelled')
})

test('insufficient funds leave the approval pending; after a deposit the same step-up approves', async () => {
  const { boss, payer, contactId } = await payerAndPayee('10.00')
  const payment = await createPayment(boss, contactId, '25.00')
  const approving = await prepared(boss, payment)
  const short = await approving()
  expect(outcome(short)).toEqual([422, 'insufficient_funds'])
  expect(short.body.error.details).toEqual({
    available: { amount: '10.00', currency: 'USD' },
    required: { amount: '25.00', currency: 'USD' },
  })
  expect((await approvalOf(payment, boss)).status).toBe('pending')
  await fund(payer.id, '15.00')
  expect(outcome(await approving())).toEqual([200, 'approved'])
  expect(await statusOf(payment.id)).toBe('succeeded')
})

const COVERED = fullScale ? 10 : 2
test(`three times as many approvals as a balance covers at once: exactly ${COVERED} succeed, the others stay pending`, async () => {
  const { boss, payer, contactId } = await payerAndPayee(`${10 * COVERED}.00`)
  const payments = await paymentsOf(boss, contactId, Array<string>(3 * COVERED).fill('10.00'))
  const answers = await Promise.all(payments.map((payment) => approve(boss, payment)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(COVERED)
  expect(answers.filter((answer) => answer.body.error?.type === 'insufficient_funds')).toHaveLength(2 * COVERED)
  const { body } = await api('GET', `/organizations/${payer.id}/approvals?limit=100`, { token: boss.token })
  expect(body).toMatchObject({ pending_count: 2 * COVERED, can_take_action: true, organization_id: payer.id })
  expect(body.data).toHaveLength(2 * COVERED)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('a step-up is used once: the deed that used it cannot be followed by another', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '60.00')
  const approving = await prepared(boss, payment)
  const answers = await Promise.all([approving(), approving(), approving()])
  expect([...answers, await approving()].map(outcome)).toEqual(Array(4).fill([200, 'approved']))
  expect(await owner`select from step_ups where status = 'consumed' and user_id = ${boss.userId}`).toHaveLength(1)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
  await completed(payment)
})

test('what decides and what looks answers a repeat of itself with its first answer', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const outcomes = { approve: 'approved', reject: 'rejected', cancel: 'cancelled' } as const
  for (const kind of ['approve', 'reject', 'cancel'] as const) {
    const payment = await createPayment(boss, contactId, '5.00')
    if (kind === 'approve') await earnStepUp(boss, payment)
    const decision = await decisionOf(boss, payment, kind === 'approve' ? await earnedFor(boss, payment) : null, kind)
    const answer = await record(decision)
    expect(answer).toMatchObject({ status: outcomes[kind], subject: { internal_transfer: { id: payment.id } } })
    expect(await record(decision)).toEqual(answer)
    expect(await approvalOf(payment, boss)).toMatchObject(answer)
    await completed(payment)
    const look = () => main.viewPayment({ organizationId: decision.organizationId, id: payment.id })
    const seen = await look()
    expect(seen).toMatchObject({ again: false, at_rest: true, status: kind === 'approve' ? 'succeeded' : 'cancelled' })
    expect(await look()).toEqual(seen)
  }
  const rows = await owner`select 1 from approval_decisions where organization_id = ${payer.id}`
  expect(rows).toHaveLength(3)
  expect(await booksAreInOrder(payer.id, boss)).toBe(true)
})

test('a decision whose turn does not come in time is answered 503, and recorded nowhere', async () => {
  const { boss, contactId } = await payerAndPayee('100.00')
  const payment = await createPayment(boss, contactId, '5.00')
  const approving = await prepared(boss, payment)
  await owner.begin(async (tx) => {
    await tx`select from approvals where id = ${payment.approval_request_id} for update`
    const late = await approving()
    expect(outcome(late)).toEqual([503, 'service_unavailable'])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  })
  const rows = await owner`select from approval_decisions where approval_id = ${payment.approval_request_id}`
  expect(rows).toEqual([])
  expect((await approvalOf(payment, boss)).status).toBe('pending')
  expect((await approving()).body.status).toBe('approved') // the same proof still works
})

test('the transaction that makes a payment asks again whether its person may still pay', async () => {
  const { boss, payer, contactId, staff } = await staffedPayer('admin')
  const [leaver] = staff
  const organizationId = payer.id as OrganizationId // of a row just made
  const userId = leaver.userId as UserId // the same
  const requester = { kind: 'user', userId, sessionId: leaver.sessionId, deviceId: randomUUID() } as unknown as Person
  const create = (status: string) => {
    const request = {
      amount: { amount: '1.00', currency: 'USD' },
      payment_contact_id: contactId as ContactId, // the same
      payout_reason: 'services',
      statement_description: status,
      internal_notes: null,
      labels: [],
      request_id: randomUUID(),
    }
    return inOrganization(requester, organizationId, (tx) => insertPayment(tx, newId(), userId, request))
  }
  expect(await create('active')).toMatchObject({ status: 'awaiting_approval' })
  await owner`update organizations set status = 'paused' where id = ${payer.id}`
  await expect(create('paused')).rejects.toMatchObject({ type: 'organization_unavailable' })
  await owner`update organizations set status = 'active' where id = ${payer.id}`
  await owner`delete from members where organization_id = ${payer.id} and user_id = ${leaver.userId}`
  await expect(create('left')).rejects.toMatchObject({ type: 'not_found' })
  expect((await api('GET', `/organizations/${payer.id}/payments`, { token: boss.token })).body.data).toHaveLength(1)
})

test('an approver who left meanwhile no longer decides, whatever the API saw', async () => {
  const { boss, id, staff, pay } = await staffedPayer('admin')
  const payment = await pay()
  const approving = await prepared(staff[0], payment)
  await owner`delete from members where organization_id = ${id} and user_id = ${staff[0].userId}`
  expect((await approving()).status).toBe(404)
  expect((await approvalOf(payment, boss)).status).toBe('pending')
})

test('an organization that is paused reads and rejects, and approves nothing', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const payments = await paymentsOf(boss, contactId, ['5.00', '6.00', '7.00', '8.00'])
  const [one, two, ...set] = payments
  await owner`update organizations set status = 'paused' where id = ${payer.id}`
  expect(outcome(await decide(boss, one, 'approve'))).toEqual([403, 'organization_unavailable'])
  expect(outcome(await decideOnce(boss, payer.id, idsOf(set)))).toEqual([403, 'organization_unavailable'])
  expect(outcome(await decide(boss, two, 'reject'))).toEqual([200, 'rejected'])
  expect(told(await decideOnce(boss, payer.id, idsOf(set), { decision: 'reject' }))).toEqual(['rejected', 'rejected'])
  await owner`update organizations set status = 'banned' where id = ${payer.id}`
  expect(await approvalOf(one, boss)).toMatchObject({ error: { type: 'not_found' } })
})

test('what blocks an approval is told in the order in which it is refused', async () => {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const [payment, larger] = await paymentsOf(boss, contactId, ['5.00', '101.00'])
  const blockersOf = async (one: Payment) => (await approvalOf(one, boss)).blocked_by
  expect([await blockersOf(payment), await blockersOf(larger)]).toEqual([[], ['insufficient_funds']])
  const approving = await prepared(boss, payment)
  const refused = async () => (await approving()).body.error.type
  await owner`update organizations set books_stopped_at = business_now() where id = ${payer.id}`
  expect([await blockersOf(payment), await refused()]).toEqual([['ledger_unbalanced'], 'ledger_unbalanced'])
  expect(await blockersOf(larger)).toEqual(['ledger_unbalanced', 'insufficient_funds'])
  await owner`update payment_contacts set status = 'archived' where id = ${contactId}`
  expect(await blockersOf(payment)).toEqual(['contact_not_approved', 'ledger_unbalanced'])
  expect(await refused()).toBe('contact_not_approved')
  await owner`update payment_contacts set status = 'active' where id = ${contactId}`
  await owner`update organizations set books_stopped_at = null where id = ${payer.id}`
  expect([await blockersOf(payment), (await approving()).body.status]).toEqual([[], 'approved'])
})

const FRENCH = 'FR1420041010050500013M02606'

async function payer() {
  const { boss, contactOf } = await payerOfTwo()
  const warningsOf = async (payment: Parameters<typeof approvalOf>[0]): Promise<string[]> =>
    (await approvalOf(payment, boss)).warnings
  /** Asks for a payment, and reads its warnings. */
  const warned = async (contactId: string, amount: string, destination?: string): Promise<string[]> =>
    warningsOf(await asked(boss, contactId, amount, destination))
  const payee_address = { town: 'Berlin', country_code: 'DE' }
  const payeeAt = (...ibans: string[]) =>
    contactOf({ name: `Supplier ${ibans[0]}`, payee_address }, ...ibans.map((iban) => bankAt(iban)))
  return { boss, payeeAt, warningsOf, warned }
}

test('the first payment to an account, and to a country, says so; the next does not, at whichever contact', async () => {
  const { boss, payeeAt, warningsOf, warned } = await payer()
  const anna = await payeeAt(ANNA)
  const first = await asked(boss, anna.id, '10.00')
  expect(await warningsOf(first)).toEqual(['first_payment', 'new_country'])
  expect((await approve(boss, first)).status).toBe(200)
  expect(await warningsOf(first)).toEqual([]) // decided
  expect(await warned(anna.id, '11.00')).toEqual([])
  for (const [iban, warnings] of [
    [ANNA, []],
    [BERT, ['first_payment']],
    [FRENCH, ['first_payment', 'new_country']],
  ] as const)
    expect(await warned((await payeeAt(iban)).id, '12.00')).toEqual(warnings)
})

test('another account than the one that the payee was last paid at says so', async () => {
  const { boss, payeeAt, warned } = await payer()
  const { id, destinations } = await payeeAt(ANNA, BERT)
  const [one, other] = destinations.map((destination) => destination.id)
  for (const destination of destinations) await age(destination.id)
  await paid(boss, id, '10.00', one)
  expect(await warned(id, '11.00', one)).toEqual([])
  expect(await warned(id, '12.00', other)).toEqual(['first_payment', 'account_changed'])
  await paid(boss, id, '13.00', other)
  expect(await warned(id, '14.00', one)).toEqual(['account_changed'])
})

test('the same amount within 30 days is a duplicate, also while the other waits; not after, nor if that was given up', async () => {
  const { boss, payeeAt, warningsOf, warned } = await payer()
  const { id } = await payeeAt(ANNA)
  await paid(boss, id, '10.00')
  const second = await asked(boss, id, '20.00')
  expect(await warned(id, '20.00')).toEqual(['duplicate'])
  expect(await warningsOf(second)).toEqual([]) // the later one repeats it
  await decide(boss, second, 'reject')
  const again = await asked(boss, id, '10.00')
  expect(await warningsOf(again)).toEqual(['duplicate'])
  await owner`update payments set inserted_at = inserted_at - interval '31 days'
    where payment_contact_id = ${id} and id <> ${again.id}`
  expect(await warningsOf(again)).toEqual([])
})

test('an amount of more than three times the median of at least three says so', async () => {
  const { boss, payeeAt, warned } = await payer()
  const { id } = await payeeAt(ANNA)
  for (const amount of ['10.00', '11.00']) await paid(boss, id, amount)
  expect(await warned(id, '500.00')).toEqual([])
  await paid(boss, id, '90.00')
  expect(await warned(id, '33.00')).toEqual([])
  expect(await warned(id, '33.01')).toEqual(['unusual_amount'])
})

/** A payment whose approver has a passkey, with the challenge of its approval. */
async function challenged() {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const approver = await person()
  const authenticator = softwareAuthenticator()
  await join(payer.id, approver, 'admin')
  await passkey(approver, authenticator)
  const { approval_request_id: id } = await createPayment(boss, contactId, '12.50')
  const path = `/organizations/${payer.id}/approvals/${id}`
  const approve = () => api('POST', `${path}/approve`, { token: approver.token, body: {}, key: id })
  const { body } = await approve()
  return { approver, authenticator, payer, id, path, approve, challenge: body.error.step_up }
}

const complete = async (by: TestPerson, { id, webauthn }: any, credential: unknown) =>
  (
    await api('POST', `/step-up/${id}/complete`, {
      token: by.token,
      body: { method: 'webauthn', challenge_id: webauthn.challenge_id, credential },
    })
  ).body.status

const shown = ({ payment, webauthn }: any, more: object = {}) => ({
  type: 'payment.get',
  payment: {
    rpId: webauthn.rp_id,
    topOrigin: 'http://localhost:3000',
    payeeName: payment.payee_name,
    total: { currency: payment.currency, value: payment.value },
    instrument: { displayName: 'Balance in USD', icon: 'data:,' },
    ...more,
  },
})

test('a payment that the browser showed is approved, and the evidence says what it showed', async () => {
  const { approver, authenticator, path, approve, challenge } = await challenged()
  expect(challenge.payment).toEqual({ payee_name: expect.any(String), currency: 'USD', value: '12.50' })
  const within = authenticator.assert(challenge.webauthn, shown(challenge, { topOrigin: 'https://evil.example' }))
  expect(await complete(approver, challenge, within)).toBe('failed')
  const credential = authenticator.assert(challenge.webauthn, shown(challenge))
  expect(await complete(approver, challenge, credential)).toBe('verified')
  expect((await approve()).status).toBe(200)
  const { body } = await api('GET', `${path}/evidence`, { token: approver.token })
  const { factor, client_data, assertion, target } = body.decisions[0].step_up
  expect(factor).toBe('webauthn')
  expect(client_data).toBe(credential.response.clientDataJSON)
  const signed = JSON.parse(Buffer.from(client_data, 'base64url').toString())
  expect(signed).toMatchObject(shown(challenge))
  const { authenticatorData, signature } = credential.response
  expect(assertion).toMatchObject({ authenticator_data: authenticatorData, signature })
  // the passkey signed a hash of exactly this approval and its subject
  expect(signed.challenge).toBe(createHash('sha256').update(`${target}\n${assertion.nonce}`).digest('base64url'))
})

test('an answer that showed another payment proves nothing, and one that showed none does', async () => {
  const { approver, authenticator, challenge } = await challenged()
  const { currency, value } = challenge.payment
  const wrong: Deviation[] = [
    shown(challenge, { payeeName: 'Another' }),
    shown(challenge, { total: { currency, value: '12.05' } }),
    shown(challenge, { total: { currency: 'EUR', value } }),
    { type: 'payment.get' },
  ]
  for (const how of wrong) {
    const answer = authenticator.assert(challenge.webauthn, how)
    expect(await complete(approver, challenge, answer), JSON.stringify(how)).toBe('failed')
  }
  expect(await complete(approver, challenge, authenticator.assert(challenge.webauthn))).toBe('verified')
})

test('where a set is approved, an answer that showed one proves nothing', async () => {
  const { approver, authenticator, challenge, payer, id } = await challenged()
  const body = { approval_ids: [id], decision: 'approve' }
  const set = await api('POST', `/organizations/${payer.id}/approvals/decide`, { token: approver.token, body, key: id })
  const other = set.body.error.step_up
  expect(other.payment).toBeNull()
  const answer = authenticator.assert(other.webauthn, shown({ ...challenge, webauthn: other.webauthn }))
  expect(await complete(approver, other, answer)).toBe('failed')
})
