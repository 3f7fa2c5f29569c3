/** Questions about what waits for approval, and their answers. */
import { expect, test } from 'vitest'
import {
  type TestPerson,
  api,
  approvalPath,
  approve,
  baseUrl,
  createPayment,
  join,
  payerAndPayee,
  person,
} from '../../support/api.ts'
import { attach, attachmentsOf } from '../../support/attachments/attachments.ts'
import { attention } from '../../support/approvals/attention.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { mailsTo } from '../../support/identity/identity.ts'

const { boss, payeeBoss: stranger, payer, contactId } = await payerAndPayee('1000.00')
const [admin, member] = [await person({ authenticator: true }), await person()]
await join(payer.id, admin, 'admin')
await join(payer.id, member, 'member')
await setRules(payer.id, boss, [{ steps: [{ required: 2, roles: ['owner', 'admin'] }] }])

const mailTo = async ({ email }: TestPerson, subject: RegExp) => {
  const found = (await mailsTo(email)).filter((mail) => subject.test(mail.subject))
  expect(found).toHaveLength(1)
  return JSON.stringify(found[0])
}

const pay = () => createPayment(boss, contactId, '1.00')
type Payment = Awaited<ReturnType<typeof pay>>
const ask = (by: TestPerson, payment: Payment, to: TestPerson, text = 'Which order is <b>this</b>?', key?: string) =>
  api('POST', `${approvalPath(payment)}/questions`, {
    token: by.token,
    body: { text, to: to.userId },
    ...(key && { key }),
  })
const answer = (by: TestPerson, id: string, body: object) =>
  api('POST', `/organizations/${payer.id}/questions/${id}/answers`, { token: by.token, body })
const listed = async (payment: Payment, by = boss) =>
  (await api('GET', `${approvalPath(payment)}/questions`, { token: by.token })).body.data

test('a question is mailed as a link, waits in the attention of who is asked, and its answers are read in order', async () => {
  const payment = await pay()
  const asked = await ask(admin, payment, boss, 'Which order is <b>this</b>?', 'one-question')
  expect(asked.status).toBe(201)
  expect((await ask(admin, payment, boss, 'Which order is <b>this</b>?', 'one-question')).body).toEqual(asked.body)
  expect(asked.body).toMatchObject({ asked_by: { id: admin.userId }, to: { id: boss.userId }, answers: [] })
  const { id } = asked.body
  const item = (await attention(boss, payer.id, '?kind=question')).body.data
  expect(item).toMatchObject([{ action: { kind: 'question', question_id: id }, actionable_by_viewer: true }])
  expect((await attention(admin, payer.id, '?kind=question')).body.data).toEqual([])
  const mail = await mailTo(boss, /asked about a request/)
  expect(mail).toContain(`/approve/${payment.approval_request_id}`)
  expect(mail).not.toContain('Which order')

  const fileId = await attach(boss, attachmentsOf(payer.id, `payments/${payment.id}`))
  const answered = await answer(boss, id, { text: 'Order 7: see the file.', attachments: [fileId] })
  expect(answered.body.answers).toMatchObject([{ answer_text: 'Order 7: see the file.', attachments: [fileId] }])
  expect(await mailTo(admin, /question is answered/)).not.toContain('Order 7')
  await answer(boss, id, { text: 'And it was delivered.' })
  const [one] = await listed(payment)
  expect(one.answers.map(({ answer_text: said }: { answer_text: string }) => said)).toEqual([
    'Order 7: see the file.',
    'And it was delivered.',
  ])
  expect((await api('GET', `/organizations/${payer.id}/questions/${id}`, { token: admin.token })).body).toEqual(one)
  expect((await attention(boss, payer.id, '?kind=question')).body.data).toEqual([])
  const logged = await owner<{ type: string; payload: string }[]>`
    select type, payload from events where subject_id = ${payment.approval_request_id} and type like '%.question_%'
    order by written`
  expect(logged.map(({ type }) => type)).toEqual([
    'approval.question_asked',
    'approval.question_answered',
    'approval.question_answered',
  ])
  expect(JSON.stringify(logged)).not.toMatch(/Order 7|Which/)
  const page = await fetch(`${baseUrl}/approve/${payment.approval_request_id}`, {
    headers: { cookie: `session=${admin.token}` },
  })
  const html = await page.text()
  expect(html).toContain('Which order is &lt;b&gt;this&lt;/b&gt;?')
  expect(html.indexOf('Order 7')).toBeLessThan(html.indexOf('And it was delivered'))
})

test('people ask and answer about what they see, while it waits; delegates answer and never ask', async () => {
  const payment = await pay()
  const { id } = (await ask(boss, payment, admin)).body
  expect(refusal(await ask(stranger, payment, boss))).toEqual([404, 'not_found'])
  expect(refusal(await ask(member, payment, boss))).toEqual([404, 'not_found'])
  const reason = 'not_visible_to_them'
  for (const one of [member, stranger]) expectRefusal(await ask(boss, payment, one), 'unprocessable_entity', { reason })
  expect(refusal(await ask(boss, payment, admin, ' '))).toEqual([400, 'invalid_request'])
  expect(refusal(await ask(boss, payment, admin, 'x'.repeat(2001)))).toEqual([400, 'invalid_request'])
  expect(refusal(await answer(member, id, { text: 'I' }))).toEqual([404, 'not_found'])
  expect(refusal(await answer(stranger, id, { text: 'I' }))).toEqual([404, 'not_found'])
  const foreign = { text: 'See it', attachments: [payment.id] }
  expect(refusal(await answer(admin, id, foreign))).toEqual([404, 'not_found'])
  const toBoss = (await ask(admin, payment, boss)).body
  expectRefusal(await answer(admin, toBoss.id, { text: 'I' }), 'forbidden', { reason: 'not_asked' })
  const token = await tokenOf(await delegateOf(boss, payer.id, { access: 'prepare' }))
  const delegate = { ...boss, token }
  expect((await answer(delegate, toBoss.id, { text: 'By a program' })).status).toBe(201)
  expect(refusal(await ask(delegate, payment, admin))).toEqual([403, 'delegate_not_permitted'])
  for (const one of [admin, boss]) expect((await approve(one, payment)).status).toBe(200)
  expect(refusal(await ask(boss, payment, admin))).toEqual([409, 'approval_already_processed'])
  expect(refusal(await answer(admin, id, { text: 'Late' }))).toEqual([409, 'approval_already_processed'])
  expect((await listed(payment, admin)).length).toBe(2)
})
