/** Organizations with money at two banks and two custodians, and the proof of their books. */
import { expect } from 'vitest'
import { api, approve, fund } from '../api.ts'
import { SECOND } from '../connections.ts'
import { WALLET, contactWith } from '../contacts/destinations.ts'
import { owner } from '../database.ts'
import { executed, quoteOf } from '../payments/quotes.ts'
import { asSystem, within } from '../../../db/postgres/sql.ts'
import { checkService, listAuditedOrganizations } from '../../../services/audit/findings.ts'
import { checkIntegrity } from '../../../services/ledger/ledger.ts'

export const AT_SECOND = {
  type: 'bank',
  country_code: 'US',
  currency: 'USD',
  account_holder_name: 'Payee',
  account_number: '123456789',
  aba_code: '021000021',
}
export const ON_SOLANA = { ...WALLET, network: 'solana', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }

/** An organization with money at all four, and a payee. */
export async function everywhere(destination: object) {
  const at = await contactWith([destination])
  await fund(at.payer.id, '900.00', 'USD')
  await fund(at.payer.id, '900.00', 'EUR')
  for (const network of ['ethereum', 'solana']) {
    await api('POST', '/sandbox/deposits', {
      body: { organization_id: at.payer.id, rail: 'crypto', network, amount: { amount: '400.00', currency: 'USDC' } },
    })
  }
  return { ...at, id: at.payer.id, rail: 'fiat' as const }
}

type Payer = Awaited<ReturnType<typeof everywhere>>

/** Orders and approves a payment by which 20.00 land. */
export async function order({ boss, contact }: Payer, currency: string, more: object = {}) {
  const quote = await quoteOf(boss, contact, { amount: '20.00', currency }, { side: 'landing' })
  const payment = await executed(boss, quote.quote_id, more)
  const approved = await approve(boss, payment)
  if (approved.status !== 200) throw new Error(JSON.stringify(approved.body))
  return payment as { id: string }
}

/** Proves that the books at each connection are what it has of ours; every audit is clean. */
export async function expectBooksApart(): Promise<void> {
  const rows = await owner`
    with booked as (
      select case a.kind when 'bank' then 'bank' when 'custody' then 'custodian' else split_part(a.kind, ':', 2) end as name,
        a.currency, sum(e.amount) as amount
      from ledger_entries e join ledger_accounts a on a.id = e.account_id where a.kind ~ '^(bank|custody)' group by 1, 2
    ), theirs as (
      select partner as name, currency, sum(amount) as amount from (
        select partner, currency, amount::numeric from sandbox_payouts where status = 'settled'
        union all select partner, currency, -amount::numeric from sandbox_deposits where status = 'received') m
      group by 1, 2)
    select name, currency, coalesce(b.amount, 0)::float8 as booked, coalesce(t.amount, 0)::float8 as theirs
    from booked b full join theirs t using (name, currency) order by 1, 2`
  expect(rows.filter(({ booked, theirs }) => booked !== theirs)).toEqual([])
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(['bank', SECOND, 'custodian', 'trade']))
  expect(await checkService()).toEqual([])
  for (const id of await listAuditedOrganizations(null, 1000)) {
    const { violations } = await asSystem(id, (tx) => checkIntegrity(within(tx)))
    expect(violations, id).toEqual([])
  }
}
