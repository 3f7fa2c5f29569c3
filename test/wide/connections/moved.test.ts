/** A company that moves to other banks: the first open one that serves gets what is new, the old one finishes its own. */
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { requireConnections } from '../../../services/connections/open.ts'
import { api, approve, fund } from '../../support/api.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { owner } from '../../support/database.ts'
import { exported } from '../../support/exports/exports.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { arriveSilently, openAccount } from '../../support/deposits/deposits.ts'
import { reconcileWith, tamper } from '../../support/ledger/books.ts'
import { payoutAt, usePartners } from '../../support/partners/partners.ts'
import { advance, become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  const serving = (...currencies: string[]) => ({ serves: [{ rail: 'fiat', currencies }] })
  connect({
    bank: { ...serving('EUR', 'USD'), closed: true },
    second: serving('EUR'),
    third: serving('EUR', 'USD'),
    messenger: { serves: [{ messages: true }] },
  })
})
usePartners()
useWorker()

async function payer() {
  const at = await contactWith([BANK])
  await fund(at.payer.id, '500.00', 'EUR')
  return { ...at, rail: 'fiat' as const }
}

const connectionIn = async (table: 'payments' | 'payment_quotes' | 'deposits', id: string) =>
  (await owner<{ connection: string | null }[]>`select connection from ${owner(table)} where id = ${id}`)[0]?.connection

async function ordered({ boss, contact }: Awaited<ReturnType<typeof payer>>) {
  const quote = await quoteOf(boss, contact, { amount: '20.00', currency: 'EUR' }, { side: 'landing' })
  expect(await connectionIn('payment_quotes', quote.quote_id)).toBe('second')
  return executed(boss, quote.quote_id)
}

test('the first open bank that serves a currency gets its payments and deposits', async () => {
  const at = await payer()
  const payment = await ordered(at)
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')
  expect(await payoutAt('second', payment.id)).toMatchObject({ status: 'settled' })
  await fund(at.payer.id, '10.00', 'USD')
  const rows = await owner`
    select currency, connection from deposits where organization_id = ${at.payer.id} order by currency`
  expect(rows).toEqual([
    { currency: 'EUR', connection: 'second' },
    { currency: 'USD', connection: 'third' },
  ])
})

test('a payment of the release before, without a name, goes on at the bank', async () => {
  const at = await payer()
  const payment = await ordered(at)
  await owner`update payments set connection = null where id = ${payment.id}`
  await approve(at.boss, payment)
  await become(at, payment, 'succeeded')
  expect(await payoutAt('bank', payment.id)).toMatchObject({ status: 'settled' })
  expect(await payoutAt('second', payment.id)).toBeUndefined()
  await advance(payment, 'reversed')
  await become(at, payment, 'reversed')
  const kinds = await owner`
    select a.kind, sum(e.amount)::float8 as amount from ledger_entries e join ledger_accounts a on a.id = e.account_id
    join ledger_transfers t on t.id = e.transfer_id
    where t.key like ${`payment:${payment.id}:%`} and a.kind ~ '^bank' group by 1`
  expect(kinds).toEqual([{ kind: 'bank', amount: 0 }])
})

test('money that arrives at an account of before is booked at the bank, beside the account at the new one', async () => {
  const at = await payer()
  const list = () => api('GET', `/organizations/${at.payer.id}/bank-accounts`, { token: at.boss.token })
  await owner`
    insert into receiving_accounts (id, organization_id, rail, currency, status, holder, account, details)
    values (${randomUUID()}, ${at.payer.id}, 'fiat', 'EUR', 'active', 'Payer', ${`OLD${at.payer.id}`}, '{}')`
  await list()
  const connections = await owner`
    select currency, connection from receiving_accounts where organization_id = ${at.payer.id} order by 1, 2`
  expect(connections).toEqual([
    { currency: 'EUR', connection: 'second' },
    { currency: 'EUR', connection: null },
    { currency: 'USD', connection: 'third' },
  ])
  const named = await arriveSilently('bank', `OLD${at.payer.id}`, '7.00', 'EUR')
  await reconcileWith('bank')
  const [booked] = await until('it is booked', async () => {
    const found = await owner`select id, status from deposits where partner_deposit_id = ${named}`
    return found.length > 0 && found
  })
  expect(booked?.['status']).toBe('credited')
  const { body } = await api('GET', `/deposits/${booked?.['id']}`, { token: at.boss.token })
  expect(body.connection).toBe('bank')
  expect(await connectionIn('deposits', booked?.['id'])).toBe('bank')
})

test('a start without a connection that has money is refused, with how much there is', async () => {
  await requireConnections()
  const lost = await arriveSilently('bank', `NOBODY${randomUUID()}`, '3.00', 'EUR')
  await reconcileWith('bank')
  await until(
    'it is unmatched',
    async () => (await owner`select from unmatched_deposits where partner_deposit_id = ${lost}`).length > 0,
  )
  await requireConnections()
  const rename = (from: string, to: string) =>
    tamper(async (tx) => {
      await tx`update ledger_accounts set kind = ${to} where kind = ${from}`
      await tx`update unmatched_deposits set partner = ${to.split(':')[1] ?? 'bank'}`
    })
  await rename('bank', 'bank:renamed')
  await expect(requireConnections()).rejects.toThrow(
    /renamed is not connected, and has \d+ unmatched deposits, [\d.]+ EUR: connect it as closed/,
  )
  await rename('bank:renamed', 'bank')
  await requireConnections()
})

test('an invoice and a statement name the account at the bank that serves now, of two in one currency', async () => {
  const { boss, payer: company } = await payer()
  const served = await openAccount(boss, company.id, 'EUR')
  expect(served.connection).toBe('second')
  // newer, as of a company that went there and came back
  await owner`
    insert into receiving_accounts (id, organization_id, rail, currency, status, holder, account, details, inserted_at)
    values (${randomUUID()}, ${company.id}, 'fiat', 'EUR', 'active', 'Payer', ${`OLD${company.id}`},
      ${owner.json({ iban: 'DE02120300000000202051' })}, business_now() + interval '1 hour')`
  const { id: customer } = await billingContact(boss, company.id)
  const invoice = await invoiceOf(boss, company.id, customer)
  expect((await readInvoice(boss, invoice.id)).id).toBe(invoice.id)
  const sent = await step(boss, invoice.id, 'submit')
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  const [frozen] = await owner`select document -> 'account' ->> 'iban' as iban from invoices where id = ${invoice.id}`
  expect(frozen).toEqual({ iban: served.details.iban })
  const statement = await exported(boss, company.id, { type: 'balance_statement', format: 'camt053', currency: 'EUR' })
  expect(statement.toString()).toContain(served.details.iban)
  const { body } = await api('GET', `/organizations/${company.id}/multi-currency-accounts`, { token: boss.token })
  const [euros] = body.data.filter((one: { currency: string }) => one.currency === 'EUR')
  expect(euros.account_details.map((one: { account: string }) => one.account)).toEqual([
    served.account,
    `OLD${company.id}`,
  ])
})
