/** Bills by their due dates: order, pages, and sums of what is open. */
import { expect, test } from 'vitest'
import { api, approve, fund, organization, person } from '../../support/api.ts'
import { cancel, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()
usePartners()

const boss = await person({ authenticator: true })
const { id: organizationId } = await organization(boss, 'Payer')
await fund(organizationId, '1000.00', 'EUR')

const get = async (path: string) =>
  (await api('GET', `/organizations/${organizationId}/bills${path}`, { token: boss.token })).body
const { today } = await get('/sums')
const inDays = (days: number): string =>
  new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const due = (days: number | null, amount: string, more: object = {}) =>
  typedBill(boss, organizationId, {
    bill_number: `D${days}-${amount}`,
    due_date: days === null ? null : inDays(days),
    amount,
    issue_date: null,
    ...more,
  })

const CHF = { currency: 'CHF', iban: 'CH9300762011623852957' }
const later = await due(7, '5.00')
const none = await due(null, '6.00', { amount: null })
const week = await due(6, '4.00', CHF)
const late = await due(-1, '1.00')
const now = await due(0, '3.00')
const paid = await due(-9, '7.00')
const debited = await due(-2, '8.00', { not_payable: 'direct_debit' })
const away = await due(-3, '9.00')
await cancel(boss, away.id)
const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
const open = [late, now, week, later, none]

test('a bill is open until its payment has succeeded', async () => {
  const asked = (await requestPayment(boss, paid.id)).body.fiat_outgoing_id
  expect(ids((await get('?order=due&open=true')).data)).toEqual(ids([paid, ...open]))
  const payment = async () => (await api('GET', `/payments/${asked}`, { token: boss.token })).body
  await approve(boss, await payment())
  await until('a payment that has succeeded', async () => (await payment()).status === 'succeeded')
  expect(ids((await get('?order=due&open=true')).data)).toEqual(ids(open))
})

test('bills are listed by due date, those without one last, on pages of any size', async () => {
  expect(ids((await get('?order=due&open=true')).data)).toEqual(ids(open))
  expect(ids((await get('?order=due')).data)).toEqual(ids([paid, away, debited, ...open]))
  expect(ids((await get('?open=false&order=newest')).data)).toEqual(ids([away, debited, paid]))
  const pages: string[] = []
  let cursor = ''
  do {
    const page = await get(`?order=due&open=true&limit=2${cursor}`)
    pages.push(...ids(page.data))
    cursor = page.next_cursor && `&cursor=${page.next_cursor}`
  } while (cursor)
  expect(pages).toEqual(ids(open))
})

test('sums have what is open by currency; what is paid, debited or put away is in none', async () => {
  expect(await get('/sums')).toEqual({
    today,
    reading: 0,
    data: [
      { due: 'overdue', count: 1, totals: [{ amount: '1.00', currency: 'EUR' }] },
      {
        due: 'week',
        count: 2,
        totals: [
          { amount: '4.00', currency: 'CHF' },
          { amount: '3.00', currency: 'EUR' },
        ],
      },
      { due: 'later', count: 1, totals: [{ amount: '5.00', currency: 'EUR' }] },
      { due: 'unknown', count: 1, totals: [] },
    ],
  })
})

test('a company without bills has each time, and nothing in it', async () => {
  const other = await organization(boss, 'Empty')
  const { body } = await api('GET', `/organizations/${other.id}/bills/sums`, { token: boss.token })
  expect(body.data.map(({ count, totals }: { count: number; totals: unknown[] }) => [count, totals])).toEqual(
    Array(4).fill([0, []]),
  )
})
