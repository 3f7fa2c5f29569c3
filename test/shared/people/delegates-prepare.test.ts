/** Delegates that prepare: what they ask for always waits, never for their own person alone, and is marked as theirs. */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  join,
  payerAndPayee,
  paymentBody,
  person,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { draftOf, rowIdOf, submit } from '../../support/batches/batches.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { BANK } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'

let world: Awaited<ReturnType<typeof payerAndPayee>>
let made: { id: string }
/** Caller with the token of the delegate, and its person's other members. */
let agent: TestPerson
let other: TestPerson

beforeAll(async () => {
  world = await payerAndPayee()
  const { boss, payer } = world
  const delegate = await delegateOf(boss, payer.id, { name: 'Books', kind: 'agent', access: 'prepare' })
  made = delegate
  agent = { ...boss, token: await tokenOf(delegate) }
  other = await person({ authenticator: true, name: 'Grace Hopper' })
  await join(payer.id, other, 'owner')
})

const pay = (amount = '10.00') =>
  api('POST', '/payments', { token: agent.token, body: paymentBody(world.contactId, amount) })
const detail = async (by: TestPerson, payment: { organization_id: string; approval_request_id: string }) =>
  (await api('GET', approvalPath(payment), { token: by.token })).body

test('a payment says who asked, its own person is barred from it, and another approves it', async () => {
  const payment = (await pay()).body
  const seen = await detail(world.boss, payment)
  expect(seen).toMatchObject({
    delegate: { id: made.id, name: 'Books', kind: 'agent' },
    can_take_action: false,
    blocked_by: ['requester_cannot_approve'],
    requester: { id: world.boss.userId },
    summary: expect.stringMatching(/\. Prepared by the delegate "Books"\.$/),
  })
  expect(seen.warnings).toContain('by_delegate')
  expect(refusal(await approve(world.boss, payment))).toEqual([403, 'requester_cannot_approve'])
  expect((await approve(other, payment)).status).toBe(200)
  const events = await owner`
    select type, actor_kind, actor_user_id, provider from events
    where subject_id = any (${[payment.id, payment.approval_request_id]}) and actor_user_id = ${world.boss.userId}
    order by type`
  const by = { actor_kind: 'llm_on_behalf_of_user', actor_user_id: world.boss.userId, provider: `delegate:${made.id}` }
  expect(events).toEqual([
    { type: 'approval.requested', ...by },
    { type: 'payment.created', ...by },
  ])
})

describe('what would need no approval waits for one', () => {
  test('a new contact, and a new account of one', async () => {
    const body = { name: 'Supplier', type: 'business', destinations: [] }
    const path = `/organizations/${world.payer.id}/payment-contacts`
    const asked = await api('POST', path, { token: agent.token, body })
    expect([asked.status, asked.body.status]).toEqual([201, 'pending_approval'])
    const byPerson = (await api('POST', path, { token: world.boss.token, body })).body
    expect(byPerson.status).toBe('active')
    await api('POST', `/payment-contacts/${byPerson.id}/destinations`, { token: agent.token, body: BANK })
    const after = (await api('GET', `/payment-contacts/${byPerson.id}`, { token: world.boss.token })).body
    expect(after).toMatchObject({ status: 'pending_approval' })
  })

  test('the supplier of a bill, which is then paid by another request', async () => {
    const bill = await typedBill(agent, world.payer.id)
    const asked = await requestPayment(agent, bill.id)
    expect([asked.status, asked.body.status, asked.body.waits_for]).toEqual([200, 'extracted', expect.anything()])
  })

  test('a batch that it fills row by row', async () => {
    const batches = `/organizations/${world.payer.id}/payment-batches`
    const { id } = (await api('POST', batches, { token: agent.token, body: { name: 'Pay of June' } })).body
    const rows = `/payment-batches/${id}/rows`
    const cells = { payee_svc_id: world.payee.svcId, amount: '1.00', currency: 'USD', payout_reason: 'services' }
    const row = { ...cells, statement_description: 'June' }
    const key = randomUUID()
    const [first, again, wrong] = [
      await api('POST', rows, { token: agent.token, body: row, key }),
      await api('POST', rows, { token: agent.token, body: row, key }),
      await api('POST', rows, { token: agent.token, body: { ...row, amount: 'one' } }),
    ]
    expect([first.status, first.body.status, first.body.row_number]).toEqual([201, 'valid', 1])
    expect(again.body).toEqual(first.body)
    expect([wrong.status, wrong.body.status, wrong.body.row_number]).toEqual([201, 'invalid', 2])
    expect((await api('DELETE', `${rows}/${wrong.body.id}`, { token: agent.token })).status).toBe(200)
    const asked = await submit(agent, id)
    expect([asked.status, asked.body.status, asked.body.rows_total]).toEqual([200, 'awaiting_approval', 1])
    expect((await detail(world.boss, asked.body)).blocked_by).toContain('requester_cannot_approve')
    expect(refusal(await api('POST', rows, { token: agent.token, body: row }))).toEqual([409, 'batch_not_draft'])
  })
})

describe('what a person asks for, and a delegate of theirs prepared, waits for another person too', () => {
  const prepared = { delegate: { id: '' }, blocked_by: expect.arrayContaining(['requester_cannot_approve']) }
  beforeAll(() => {
    prepared.delegate.id = made.id
  })
  /** Expects that the person may not approve it, and reads the reason. */
  const refusedAlone = async (waits: { organization_id: string; approval_request_id: string }) => {
    expect(await detail(world.boss, waits)).toMatchObject({
      ...prepared,
      summary: expect.stringMatching(/\. Prepared by the delegate "Books"\.$/),
    })
    const alone = await approve(world.boss, waits)
    expect([...refusal(alone), alone.body.error.details]).toEqual([
      403,
      'requester_cannot_approve',
      { reason: 'asked_by_delegate' },
    ])
  }

  test('a batch in which the delegate changed one cell', async () => {
    const id = await draftOf(world.boss, world.payer.id, [{ svc: world.payee, amount: '1.00' }])
    const row = `/payment-batches/${id}/rows/${await rowIdOf(id)}`
    expect((await api('PATCH', row, { token: agent.token, body: { amount: '2.00' } })).status).toBe(200)
    const asked = (await submit(world.boss, id)).body
    await refusedAlone(asked)
    expect((await approve(other, asked)).status).toBe(200)
  })

  test('a bill that it created, of any amount, and the new contact that this brings', async () => {
    const bill = await typedBill(agent, world.payer.id, {
      amount: '20.00',
      iban: 'NL91ABNA0417164300',
      bill_number: 'A-1',
      supplier_name: 'Paper and Ink',
      supplier_tax_id: null,
    })
    const waiting = (await requestPayment(world.boss, bill.id)).body.waits_for
    await refusedAlone({ organization_id: world.payer.id, approval_request_id: waiting.approval_request_id })
    await approve(other, { organization_id: world.payer.id, approval_request_id: waiting.approval_request_id })
    const asked = await requestPayment(world.boss, bill.id)
    expect([asked.status, asked.body.status]).toEqual([200, 'payment_requested'])
    await refusedAlone({ organization_id: world.payer.id, approval_request_id: asked.body.approval_request_id })
  })

  test('a quote that it asked for', async () => {
    const quote = await quoteOf(agent, world.contactId, { amount: '10.00', currency: 'USD' })
    await refusedAlone(await executed(world.boss, quote.quote_id))
  })
})

test('without another approver it is refused, unless a rule lets the person approve what their delegate asks', async () => {
  const alone = await payerAndPayee()
  const delegate = await delegateOf(alone.boss, alone.payer.id, { access: 'prepare' })
  const program = { ...alone.boss, token: await tokenOf(delegate) }
  const ask = () => api('POST', '/payments', { token: program.token, body: paymentBody(alone.contactId) })
  const refused = await ask()
  expect([...refusal(refused), refused.body.error.details]).toEqual([
    422,
    'no_eligible_approver',
    { reason: 'asked_by_delegate' },
  ])
  const steps = [{ required: 1, roles: ['owner'] }]
  await setRules(alone.payer.id, alone.boss, [{ steps, delegate_self_approval: true }])
  const payment = (await ask()).body
  expect((await approve(alone.boss, payment)).status).toBe(200)
  const [event] = await owner`
    select actor_kind, provider from events where subject_id = ${payment.id} and type = 'payment.created'`
  expect(event).toEqual({ actor_kind: 'user', provider: `delegate:${delegate.id}` })
})

test('it acknowledges nothing', async () => {
  const bill = await typedBill(world.boss, world.payer.id)
  for (const field of ['acknowledge_duplicate', 'acknowledge_bank_details', 'acknowledge_payee_check']) {
    const asked = await requestPayment(agent, bill.id, { [field]: true })
    expect([...refusal(asked), asked.body.error.details]).toEqual([403, 'delegate_not_permitted', { field }])
  }
})

test('the database itself takes no decision of a delegate', async () => {
  const payment = (await pay('11.00')).body
  const [delegate] = await owner`select device_id from delegates where id = ${made.id}`
  const decide = (decision: string, device: string | null) => owner`
    insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, device_id, approval_status)
    values (uuidv7(), ${payment.organization_id}, ${payment.approval_request_id}, ${decision}, ${other.userId}, ${device},
      'pending')`
  for (const decision of ['approve', 'reject']) {
    await expect(decide(decision, delegate?.['device_id'])).rejects.toThrow('a delegate cannot decide')
    await expect(decide(decision, null)).rejects.toThrow('decided_on_a_device')
  }
})
