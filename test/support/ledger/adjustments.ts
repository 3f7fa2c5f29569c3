/** Adjustments by commands of operators, and their bookings. */
import { expect } from 'vitest'
import { administer } from '../../../admin.ts'
import type { ConnectionName, PayoutStatus } from '../../../domain/partner.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { type TestPerson, fund, organization, person } from '../api.ts'
import { findingsOf, reconcileWith } from './books.ts'
import { owner } from '../database.ts'
import { PARTNER, type Rail, become, payerBy, sent } from '../payments/payouts.ts'

export const operator = () => person({ authenticator: true })
/** Runs a command as an operator, with an unused code. */
export const as = async (who: TestPerson, verb: string, ...words: string[]) => {
  await owner`update authenticators set last_step = 0 where user_id = ${who.userId}`
  return administer(['adjustments', verb, who.email, await who.totp(), ...words])
}
export const proposed = async (who: TestPerson, ...words: [string, ...string[]]) => {
  const line = await as(who, ...words)
  return { line, id: /adjustment (\S+) is proposed/.exec(line)?.[1] ?? line }
}
/** Proposes as one operator and confirms as another; returns the id. */
export async function booked(...words: [string, ...string[]]): Promise<string> {
  const { id } = await proposed(await operator(), ...words)
  expect(await as(await operator(), 'confirm', id)).toContain(`${id} is booked`)
  return id
}
export const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ type, message }) => type ?? message,
  )

/** The sum that adjustments of an organization have credited to a kind of account. */
export const total = async (kind: string, id: string) => {
  const [row] = await owner<{ amount: string }[]>`
    select coalesce(sum(e.amount), 0)::float8::text as amount from ledger_entries e
    join ledger_accounts a on a.id = e.account_id join ledger_transfers t on t.id = e.transfer_id
    where a.kind = ${kind} and t.organization_id = ${id} and t.key like 'adjustment:%'`
  return Number(row?.amount)
}

/** Reconciles with a rail's partner, and returns the findings of an organization. */
export async function found(rail: Rail, id: string): Promise<string[]> {
  await reconcileWith(PARTNER[rail])
  return (await findingsOf(id)).map(({ check_name: check }) => check)
}
/** Changes a final status at the partner, which then calls back. */
export const contradict = (partner: ConnectionName, id: string, from: PayoutStatus, to: PayoutStatus) =>
  movePayout(partner, id, { from: [from], to })

/** A bank payment that was paid and that the bank then reports as refused. */
export async function paidAndRefused() {
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  await contradict('bank', payment.id, 'settled', 'rejected')
  expect(await found('fiat', payer.payer.id)).toEqual(['bank_in_the_books_but_not_paid'])
  return { payer, payment, id: payer.payer.id }
}

/** A credited deposit by bank, with the bank's id. */
export async function credited() {
  const boss = await person()
  const { id } = await organization(boss)
  await fund(id, '100.00', 'EUR')
  const [row] = await owner<{ id: string; partner_deposit_id: string }[]>`
    select id, partner_deposit_id from deposits where organization_id = ${id}`
  if (!row) throw new Error('it was funded')
  return { payer: { boss, contact: '', rail: 'fiat' as const }, id, deposit: row.id, atBank: row.partner_deposit_id }
}
