/** Mails about new requests: at once, as a digest, daily. The steps run here, as the runs of several workers take them. */
import { expect, test } from 'vitest'
import { type TestPerson, api, approve, createPayment } from '../../support/api.ts'
import { outcome, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { move } from '../../support/approvals/substitutions.ts'
import { owner } from '../../support/database.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { remindApprovers } from '../../../services/decisions/steps.ts'
import { type Tx, asSystem } from '../../../db/postgres/sql.ts'
import type { OrganizationId } from '../../../domain/ids.ts'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** A payer whose requests need the approval of one of two owners and admins; another admin asks. */
async function world() {
  const { boss, id, contactId, staff } = await staffedPayer('admin', 'admin')
  const [asker, other] = staff
  await setRules(id, boss, [{ steps: [{ required: 1, roles: ['admin', 'owner'] }], self_approval: false }])
  const step = <Result>(
    payment: { id: string },
    after: (tx: Tx) => Result | Promise<Result> = () => undefined as Result,
  ) =>
    asSystem(id as OrganizationId, async (tx) => {
      await remindApprovers(tx, payment.id)
      return after(tx)
    })
  const notify = async ({ token }: TestPerson, how: string) => {
    const answer = await api('PATCH', '/me', { token, body: { notify: how } })
    expect([answer.status, answer.body.notify]).toEqual([200, how])
  }
  const subjects = async ({ email }: TestPerson) =>
    (await mailsTo(email)).flatMap(({ subject }) => (/waits? for your approval/.test(subject) ? [subject] : []))
  return {
    boss,
    other,
    asker,
    step,
    notify,
    subjects,
    ask: (amount: string) => createPayment(asker, contactId, amount),
  }
}

const ONE = 'A request of "Payer" waits for your approval'
const digest = (count: number) => `${count} requests of "Payer" wait for your approval`

test('who wants mails at once gets one after the first minute; others wait for ten', async () => {
  const { boss, other, step, notify, subjects, ask } = await world()
  await notify(boss, 'at_once')
  const payment = await ask('5.00')
  await step(payment)
  expect(await subjects(boss)).toEqual([])
  await move(MINUTE)
  await step(payment)
  expect([await subjects(boss), await subjects(other)]).toEqual([[ONE], []])
  await move(9 * MINUTE)
  await step(payment)
  expect([await subjects(boss), await subjects(other)]).toEqual([[ONE], [ONE]])
})

test('a digest has number and sum of all that waits, and what was decided not; one more waits for the next', async () => {
  const { boss, other, step, subjects, ask } = await world()
  const payments = [await ask('5.00'), await ask('7.00'), await ask('1200.00'), await ask('9.00')]
  expect(outcome(await approve(other, payments[3]))).toEqual([200, 'approved'])
  await move(10 * MINUTE)
  for (const payment of payments) await step(payment)
  expect(await subjects(boss)).toEqual([digest(3)])
  const [mail] = await mailsTo(boss.email)
  expect(mail?.text).toContain('They take from the balance: 1,212.00 USD')
  expect(mail?.text.match(/^Request: Pay (5|7|1,200)\.00 USD to "Payee" .* Requested by .*\.$/gm)).toHaveLength(3)
  expect(mail?.text).not.toContain('Stop and look')
  expect(mail?.url).toMatch(/\/approve$/)

  const late = await ask('11.00')
  await move(9 * MINUTE)
  await step(late)
  expect(await subjects(boss)).toEqual([digest(3)])
  await move(MINUTE)
  await step(late)
  expect(await subjects(boss)).toEqual([digest(4), digest(3)])
})

test('a warned request comes first in a digest, with its reason; alone it breaks the pause', async () => {
  const { boss, step, subjects, ask } = await world()
  const first = [await ask('5.00'), await ask('7.00'), await ask('5.00')]
  await move(MINUTE)
  for (const payment of first) await step(payment)
  expect(await subjects(boss)).toEqual([digest(3)])
  const [mail] = await mailsTo(boss.email)
  const reason = 'The same amount went to this account within 30 days, or waits to.'
  expect(mail?.text.split('\n').filter((line) => /^(Request|Stop and look): /.test(line))).toEqual([
    expect.stringContaining(`Stop and look: ${reason} Pay 5.00 USD`),
    expect.stringMatching(/^Request: Pay [57]\.00 USD/),
    expect.stringMatching(/^Request: Pay [57]\.00 USD/),
  ])

  const plain = await ask('8.00')
  await move(MINUTE)
  await step(plain)
  const warned = await ask('7.00')
  await move(MINUTE)
  await step(warned)
  await step(plain)
  // what no mail had named comes along
  expect(await subjects(boss)).toEqual([digest(2), digest(3)])
  const alone = await ask('8.00')
  await move(MINUTE)
  await step(alone)
  expect(await subjects(boss)).toEqual([ONE, digest(2), digest(3)])
  expect((await mailsTo(boss.email))[0]?.text).toContain(`Stop and look: ${reason}\nRequest: Pay 8.00 USD`)
})

test('who wants one mail a day gets the next a day later, unless one is warned', async () => {
  const { boss, step, notify, subjects, ask } = await world()
  await notify(boss, 'daily')
  const first = await ask('5.00')
  await move(10 * MINUTE)
  await step(first)
  expect(await subjects(boss)).toEqual([ONE])
  const second = await ask('7.00')
  await move(DAY - MINUTE)
  for (const payment of [first, second]) await step(payment)
  expect(await subjects(boss)).toEqual([ONE])
  const warned = await ask('5.00')
  await move(MINUTE)
  await step(warned)
  expect(await subjects(boss)).toEqual([digest(2), ONE])
  await move(DAY)
  for (const payment of [first, second, warned]) await step(payment)
  expect(await subjects(boss)).toEqual([digest(3), digest(2), ONE])
})

test('a step that is cut off mails nothing, and its repeats mail once', async () => {
  const { boss, step, subjects, ask } = await world()
  const payment = await ask('5.00')
  await move(10 * MINUTE)
  const cut = step(payment, () => Promise.reject(new Error('cut off')))
  await expect(cut).rejects.toThrow('cut off')
  expect(await subjects(boss)).toEqual([])
  await step(payment)
  await step(payment)
  // also if the look that was planned is lost
  await owner`update approvals set next_reminder_at = business_now() where target_id = ${payment.id}`
  await step(payment)
  expect(await subjects(boss)).toEqual([ONE])
})

test('steps of many requests at once, each taken twice, name each request to each person once', async () => {
  const { boss, other, step, notify, subjects, ask } = await world()
  await notify(boss, 'at_once')
  const payments = await Promise.all(['1.00', '2.00', '3.00', '4.00', '5.00', '6.00'].map((amount) => ask(amount)))
  await move(10 * MINUTE)
  await Promise.all([...payments, ...payments].map((payment) => step(payment)))
  expect([await subjects(boss), await subjects(other)]).toEqual([[digest(6)], [digest(6)]])
  const ids = payments.map((payment) => payment.id)
  const told = await owner`
    select n.user_id from approval_notices n join approvals a on a.id = n.approval_id where a.target_id = any (${ids})`
  expect(told).toHaveLength(12)
})
