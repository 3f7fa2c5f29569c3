/** Requests that are sent back: nothing that was entered is lost, and the next request names the former one. */
import { expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  baseUrl,
  createPayment,
  fund,
  join,
  payerAndPayee,
  paymentBody,
  person,
} from '../../support/api.ts'
import { attach, attachmentsOf } from '../../support/attachments/attachments.ts'
import { attention } from '../../support/approvals/attention.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { payees, submit, submitted } from '../../support/batches/batches.ts'
import { detail, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { mailsTo } from '../../support/identity/identity.ts'

const { boss, payeeBoss: stranger, payer, contactId } = await payerAndPayee('1000.00')
await fund(payer.id, '1000.00', 'EUR')
const [admin, second, member] = [await person({ authenticator: true }), await person(), await person()]
await join(payer.id, admin, 'admin')
await join(payer.id, second, 'admin')
await join(payer.id, member, 'member')
const steps = [{ required: 1, roles: ['owner', 'admin'] }]
await setRules(payer.id, boss, [
  { steps },
  { action_type: 'payment_batch', steps },
  { action_type: 'payment_contact', steps },
])

type Requested = Parameters<typeof approvalPath>[0]
const sendBack = (by: TestPerson, asked: Requested, reason = 'Wrong amount', key?: string) =>
  api('POST', `${approvalPath(asked)}/send-back`, { token: by.token, body: { reason }, ...(key && { key }) })
const approvalOf = async (asked: Requested, by = boss) =>
  (await api('GET', approvalPath(asked), { token: by.token })).body
const draftOf = async (path: string) => (await api('GET', `${path}/draft`, { token: boss.token })).body
const items = async () => (await attention(boss, payer.id, '?kind=sent_back')).body.data

test('a payment that was sent back is a draft that is asked for again, and names the former request', async () => {
  const payment = await createPayment(boss, contactId, '7.00')
  const answer = await sendBack(admin, payment, 'Wrong amount', 'one-return')
  expect(answer.body).toMatchObject({ status: 'rejected', sent_back: true, rejection_reason: 'Wrong amount' })
  expect((await sendBack(admin, payment, 'Wrong amount', 'one-return')).body).toEqual(answer.body)
  expect((await api('GET', `/payments/${payment.id}`, { token: boss.token })).body.status).toBe('cancelled')
  const mails = (await mailsTo(boss.email)).filter(({ subject }) => /was sent back to you/.test(subject))
  expect(mails).toHaveLength(1)
  expect(JSON.stringify(mails)).toContain('Wrong amount')
  const about = { kind: 'sent_back', approval_request_id: payment.approval_request_id }
  expect(await items()).toMatchObject([{ action: about, actionable_by_viewer: true }])
  expect((await attention(admin, payer.id, '?kind=sent_back')).body.data).toEqual([])

  const draft = await draftOf(`/payments/${payment.id}`)
  expect(draft).toEqual({
    bill_id: null,
    quote: null,
    payment: {
      ...paymentBody(contactId, '7.00'),
      internal_notes: null,
      labels: [],
      execute_on: null,
      former_approval_id: payment.approval_request_id,
    },
  })
  const body = { ...draft.payment, amount: { amount: '6.00', currency: 'USD' } }
  const again = await api('POST', '/payments', { token: boss.token, body })
  expect(again.status).toBe(201)
  const former = payment.approval_request_id
  expect(await approvalOf(again.body)).toMatchObject({
    former_approval_id: former,
    sent_back: false,
    status: 'pending',
  })
  expect(await items()).toEqual([])
  // one request follows another, and only one that was sent back
  const reason = 'not_sent_back'
  expectRefusal(await api('POST', '/payments', { token: boss.token, body }), 'unprocessable_entity', { reason })
  expect((await draftOf(`/payments/${payment.id}`)).payment.former_approval_id).toBeNull()
  const theirs = await createPayment(boss, contactId, '3.00')
  await sendBack(admin, theirs)
  const taking = { ...body, former_approval_id: theirs.approval_request_id }
  expectRefusal(await api('POST', '/payments', { token: second.token, body: taking }), 'unprocessable_entity', {
    reason,
  })
  const named = { name: 'Another', type: 'business', former_approval_id: theirs.approval_request_id }
  const path = `/organizations/${payer.id}/payment-contacts`
  expectRefusal(await api('POST', path, { token: boss.token, body: named }), 'unprocessable_entity', { reason })
  for (const id of [again.body.approval_request_id, boss.userId]) {
    const other = { ...body, former_approval_id: id }
    expectRefusal(await api('POST', '/payments', { token: boss.token, body: other }), 'unprocessable_entity', {
      reason,
    })
  }
  const [{ payload } = { payload: '' }] = await owner<{ payload: string }[]>`
    select payload::text from events where subject_id = ${former} and type = 'approval.rejected'`
  expect(JSON.parse(payload)).toMatchObject({ sent_back: true, role: 'admin' })
})

test('a quoted payment gives the body of its quote, and is asked for again by a new one', async () => {
  const destinations = [
    {
      type: 'bank',
      country_code: 'DE',
      currency: 'EUR',
      account_holder_name: 'Anna Berg',
      iban: 'DE02120300000000202051',
      payee_address: { town: 'Berlin', country_code: 'DE' },
    },
  ]
  const path = `/organizations/${payer.id}/payment-contacts`
  const wanted = { name: 'Anna Berg', type: 'individual', destinations }
  const made = await api('POST', path, { token: boss.token, body: wanted })
  await sendBack(admin, made.body, 'Add an address of mail')
  const { former_approval_id: former, ...kept } = await draftOf(`/payment-contacts/${made.body.id}`)
  expect(former).toBe(made.body.approval_request_id)
  expect(kept).toMatchObject(wanted)
  const body = { ...kept, email: 'anna@berg.example', former_approval_id: former }
  const again = await api('POST', path, { token: boss.token, body })
  expect(again.status).toBe(201)
  expect((await approvalOf(again.body)).former_approval_id).toBe(former)
  expect((await approve(admin, again.body)).status).toBe(200)

  const asked = { payment_contact_id: again.body.id, amount: { amount: '5.00', currency: 'EUR' }, side: 'deducting' }
  const pay = async (question: object, texts: object) => {
    const quote = await api('POST', '/payments/preflight', { token: boss.token, body: question })
    const order = {
      quote_id: quote.body.quote_id,
      payout_reason: 'services',
      statement_description: 'Order 7',
      ...texts,
    }
    return api('POST', '/payments/execute', { token: boss.token, body: order })
  }
  const payment = await pay(asked, {})
  await sendBack(admin, payment.body)
  const draft = await draftOf(`/payments/${payment.body.id}`)
  expect(draft.quote).toMatchObject({ ...asked, speed: 'standard', fallback: 'standard', tag: null })
  const next = await pay(draft.quote, draft.payment)
  expect(next.status).toBe(201)
  expect((await approvalOf(next.body)).former_approval_id).toBe(payment.body.approval_request_id)
})

test('a bill and a batch can be changed again, and their next request follows by itself', async () => {
  await setRules(payer.id, boss, [{ steps }, { action_type: 'payment_batch', steps }]) // new payees need nobody
  const bill = await typedBill(boss, payer.id)
  const ask = async () => (await requestPayment(boss, bill.id)).body
  const first = await ask()
  await sendBack(admin, first)
  expect((await detail(boss, bill.id)).bill.status).toBe('extracted')
  expect((await draftOf(`/payments/${first.fiat_outgoing_id}`)).bill_id).toBe(bill.id)
  const second = await ask()
  expect((await approvalOf(second)).former_approval_id).toBe(first.approval_request_id)
  // the one after a rejection follows nothing
  await api('POST', `${approvalPath(second)}/reject`, { token: admin.token, body: {} })
  expect((await approvalOf(await ask())).former_approval_id).toBeNull()

  const [svc] = await payees(1)
  const batch = await submitted(boss, payer.id, [{ amount: '1.00', ...(svc && { svc }) }])
  await sendBack(admin, batch)
  expect((await api('GET', `/payment-batches/${batch.id}`, { token: boss.token })).body.status).toBe('draft')
  const again = await submit(boss, batch.id)
  expect((await approvalOf(again.body)).former_approval_id).toBe(batch.approval_request_id)
})

test('who decides sends back, with a reason, once; programs, members and strangers do not', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  expect(refusal(await sendBack(stranger, payment))).toEqual([404, 'not_found'])
  expect(refusal(await sendBack(member, payment))).toEqual([403, 'forbidden'])
  expect(refusal(await sendBack(admin, payment, ' '))).toEqual([400, 'invalid_request'])
  expect(refusal(await sendBack(admin, payment, 'x'.repeat(1001)))).toEqual([400, 'invalid_request'])
  const token = await tokenOf(await delegateOf(admin, payer.id, { access: 'prepare' }))
  expect(refusal(await sendBack({ ...admin, token }, payment))).toEqual([403, 'delegate_not_permitted'])
  const answers = await Promise.all([admin, second].map((by) => sendBack(by, payment)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const rejected = await createPayment(boss, contactId, '1.00')
  await api('POST', `${approvalPath(rejected)}/reject`, { token: admin.token, body: {} })
  expect(refusal(await sendBack(admin, rejected))).toEqual([409, 'approval_already_processed'])
  expect(refusal(await approve(boss, payment))).toEqual([409, 'approval_already_processed'])
})

test('the page sends back, says why, and leads to the change', async () => {
  const payment = await createPayment(boss, contactId, '2.00')
  const path = `${baseUrl}/approve/${payment.approval_request_id}`
  const post = (by: TestPerson, to: string, fields: Record<string, string>) =>
    fetch(`${path}/${to}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `session=${by.token}`, origin: baseUrl },
      body: new URLSearchParams(fields),
    })
  const show = async (by: TestPerson) => (await fetch(path, { headers: { cookie: `session=${by.token}` } })).text()
  expect((await post(admin, 'questions', { to: boss.userId, question: 'Which order?' })).status).toBe(303)
  const { data } = (await api('GET', `${approvalPath(payment)}/questions`, { token: boss.token })).body
  const file = await attach(boss, attachmentsOf(payer.id, `payments/${payment.id}`))
  expect((await post(boss, `questions/${data[0].id}`, { answer: 'Order 7', file })).status).toBe(303)
  const answered = await show(admin)
  expect(answered.slice(answered.indexOf('Order 7'))).toContain(`/files/${file}`)
  expect((await post(admin, 'send-back', { change: ' ' })).status).toBe(409)
  const sent = await post(admin, 'send-back', { change: 'Pay <b>half</b>' })
  expect(sent.headers.get('location')).toContain('done=sent-back')
  const html = await show(boss)
  expect(html).toContain('Pay &lt;b&gt;half&lt;/b&gt;')
  expect(html).toMatch(/payments\/new\?payee=[^"]+former=/)
  expect(await show(admin)).not.toContain('/payments/new?')
})
