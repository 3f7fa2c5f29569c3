/** Desk: bills are coded by a form beside their paper, and what waits for the viewer stands on one page. */
import { expect, test } from 'vitest'
import { api, approvalPath, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { create } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { send, show } from '../../support/pages/addresses.ts'

const { boss, payer, contactId } = await payerAndPayee('100.00')
const admin = await person()
await join(payer.id, admin, 'admin')
const session = boss.token
const put = (path: string, body: object) =>
  api('PUT', `/organizations/${payer.id}/${path}`, { token: boss.token, body })
const account = (code: string) => ({ code, name: `Account <b>${code}</b>`, account_type: 'expense' })
await put('accounts-chart', { accounts: [account('4900'), account('4930')], tax_codes: [] })
await put('dimensions', { dimensions: [{ code: 'area', name: 'Area', values: [{ code: 'it', name: 'IT' }] }] })

async function billWith(count: number) {
  const typed = { supplier_name: `Paper & Pens <i>${count}</i>`, amount: `${count}00.00`, currency: 'EUR' }
  const { body } = await create(boss, payer.id, typed)
  const items = Array.from({ length: count }, (_, at) => ({
    description: `Line ${at + 1}`,
    quantity: '1',
    unit: null,
    unit_price: '100.00',
    amount: '100.00',
    tax_rate: '0',
  }))
  await owner`update bills set line_items = ${owner.json(items)} where id = ${body.id}`
  return body.id as string
}

const pageOf = async (path: string, language = 'en') =>
  (await show(path, { session, headers: { 'accept-language': language } })).text()
const codingOf = async (id: string) =>
  (await api('GET', `/bills/${id}/coding`, { token: boss.token })).body.lines.map((line: any) => [
    line.coded_by,
    line.parts.map((part: any) => [part.amount, part.account_code, part.labels.map(({ value }: any) => value).join()]),
  ])
const code = (id: string, fields: Record<string, string>) =>
  send(`/o/${payer.id}/bills/${id}/code`, new URLSearchParams(fields), { session })
const partOf = (of: string, fields: Record<string, string>) => ({
  [`${of}-part`]: '1',
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${of}-${name}`, value])),
})

test('lines are coded, split by amounts and shares, and shown to who approves; lines of other pages stay', async () => {
  const id = await billWith(52)
  const path = `/o/${payer.id}/bills/${id}/code`
  const html = await pageOf(path)
  expect(html).toContain('Paper &amp; Pens &lt;i&gt;')
  expect(html).toContain('Account &lt;b&gt;4900&lt;/b&gt;')
  expect(html).toContain('id="1-0-account"')
  expect(html).not.toContain('id="51-0-account"')
  const first = await code(id, {
    from: '0',
    next: 'desk',
    ...partOf('1-0', { account: '4900', amount: '60 %' }),
    ...partOf('1-1', { account: '4930', amount: '40%', 'label-0': 'it' }),
    ...partOf('2-0', { account: '', 'label-0': 'it' }),
    ...partOf('3-0', { account: '' }),
  })
  expect(first.headers.get('location')).toBe(`/desk?done=coded&company=${payer.id}`)
  const second = await code(id, { from: '50', next: 'bill', ...partOf('51-0', { account: '4900' }) })
  expect(second.headers.get('location')).toBe(`/o/${payer.id}/bills/${id}?done=coded`)
  const lines = await codingOf(id)
  expect(lines.slice(0, 2)).toEqual([
    ['person', [['60.00', '4900', ''], ['40.00', '4930', 'it']]],
    ['person', [['100.00', null, 'it']]],
  ]) // prettier-ignore
  expect(lines[50]).toEqual(['person', [['100.00', '4900', '']]])
  expect(lines.filter(([by]: [string]) => by === 'person')).toHaveLength(3)
  expect(await pageOf(`/o/${payer.id}/bills/${id}`)).toContain('area: it')

  // the fields keep what was entered when it is refused
  for (const [amount, said] of [
    ['a lot', 'not clear'],
    ['70.00', ''],
  ] as const) {
    // prettier-ignore
    const refused = await code(id, {
      from: '0',
      ...partOf('1-0', { account: '4900', amount }),
      ...partOf('1-1', { account: '4930', amount: '10.00' }),
    })
    expect(refused.status).toBe(422)
    const text = await refused.text()
    expect(text).toContain(`value="${amount}"`)
    expect(text).toContain(said)
  }
  expect((await codingOf(id)).slice(0, 2)).toEqual(lines.slice(0, 2))

  // however many parts a form names, no more are read than a line may have, and one
  const many = Array.from({ length: 9000 }, (_, at) => [`1-${at}-part`, '1'])
  const answer = await code(id, { from: '0', ...Object.fromEntries(many), '1-0-amount': 'a lot' })
  expect((await answer.text()).match(/-part"/g)?.length).toBeLessThan(110)
})

test('the desk shows questions, what was sent back, and bills that nobody has coded, in both languages', async () => {
  const [coded, open] = [await billWith(1), await billWith(2)]
  await code(coded, { from: '0', ...partOf('1-0', { account: '4900' }) })
  const payment = await createPayment(boss, contactId, '1.00')
  const body = { text: 'Which order?', to: boss.userId }
  await api('POST', `${approvalPath(payment)}/questions`, { token: admin.token, body })
  const returned = await createPayment(boss, contactId, '2.00')
  await api('POST', `${approvalPath(returned)}/send-back`, { token: admin.token, body: { reason: 'Half of it' } })
  for (const [language, heading] of [
    ['en', 'Bills to code'],
    ['de', 'Belege zu kontieren'],
  ] as const) {
    // prettier-ignore
    const html = await pageOf('/desk', language)
    expect(html).toContain(heading)
    expect(html).toContain(`/o/${payer.id}/bills/${open}/code`)
    expect(html).not.toContain(`/o/${payer.id}/bills/${coded}/code`)
    expect(html).toContain(`/approve/${payment.approval_request_id}`)
    expect(html).toContain(`/approve/${returned.approval_request_id}`)
  }
  const stranger = await person()
  const html = await (await show('/desk', { session: stranger.token })).text()
  expect(html).not.toContain(payer.id)
})
