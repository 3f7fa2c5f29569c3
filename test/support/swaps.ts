/** Organizations that exchange currencies, and their calls. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { available, credit, debit, post, system } from '../../services/ledger/ledger.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { DeviceId, OrganizationId, SessionId, SwapId, SwapQuoteId, UserId } from '../../domain/ids.ts'
import { asSystem, inOrganization, sql } from '../../db/postgres/sql.ts'
import { executeSwap, insertSwapQuote } from '../../services/swaps/swaps.ts'
import { type Answer, type TestOrganization, type TestPerson, api, organization, person } from './api.ts'
import { owner } from './database.ts'
import { eventually } from './runs/runs.ts'

export type Exchanger = { boss: TestPerson; org: TestOrganization }
export type Quote = { quote_id: string; rate: string; source_amount: string; target_amount: string }

/** Credits money to an organization directly. */
export async function endow(organizationId: string, amount: string, currency: string): Promise<void> {
  const id = organizationId as OrganizationId // of a row that was just written
  const money = { amount, currency }
  const legs = [debit(system('bank'), money), credit(available(id), money)]
  await asSystem(id, (tx) =>
    post(
      tx,
      [{ key: `endow:${randomUUID()}`, organizationId: id, legs }],
      (postings) => sql`
        with posting as materialized (${postings})
        insert into transactions (id, organization_id, type, direction, status, amount, currency, running_balance,
          posted_at, seq)
        select uuidv7(), organization_id, 'deposit', 'in', 'posted', amount, currency, total, posted_at, feed_seq
        from posting where organization_id = ${id} returning id`,
    ),
  )
}

export async function exchanger(amount = '100.00', currency = 'USD'): Promise<Exchanger> {
  const boss = await person()
  const org = await organization(boss)
  await endow(org.id, amount, currency)
  return { boss, org }
}

export const quotePath = (organizationId: string) => `/organizations/${organizationId}/swaps/quote`

export const askQuote = ({ boss, org }: Exchanger, request: object): Promise<Answer> =>
  api('POST', quotePath(org.id), {
    token: boss.token,
    body: { source_currency: 'USD', target_currency: 'EUR', ...request },
  })

export async function quoted(by: Exchanger, request: object = { source_amount: '10.00' }): Promise<Quote> {
  const answer = await askQuote(by, request)
  if (answer.status !== 200) throw new Error(`quote: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body as Quote
}

export const execute = (by: TestPerson, quoteId: string, key?: string): Promise<Answer> =>
  api('POST', '/swaps/execute', { token: by.token, body: { quote_id: quoteId }, ...(key && { key }) })

export async function swapped(by: Exchanger): Promise<{ id: string }> {
  const answer = await execute(by.boss, (await quoted(by)).quote_id)
  if (answer.status !== 201) throw new Error(`swap: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { id: answer.body.swap_id as string }
}

/** The person as a request identifies them. */
export const personOf = ({ userId, sessionId }: TestPerson): Person => ({
  kind: 'user',
  userId: userId as UserId,
  sessionId: sessionId as SessionId,
  deviceId: randomUUID() as DeviceId,
})

/** A valid quote and an executed swap of one dollar, without the rates desk. */
export async function oneOfEach(
  boss: TestPerson,
  organizationId: string,
): Promise<{ quoteId: string; swapId: string }> {
  const exchange = {
    source: { amount: '1.00', currency: 'USD' },
    target: { amount: '0.92', currency: 'EUR' },
    rate: '0.92',
  }
  // ids of rows that were just written
  const [actor, id] = [personOf(boss), organizationId as OrganizationId]
  const keep = (quoteId: string) =>
    inOrganization(actor, id, (tx) =>
      insertSwapQuote(tx, quoteId as SwapQuoteId, actor.userId, { exchange, valueUsd: '1.00' }),
    )
  const [used, good] = [await keep(randomUUID()), await keep(randomUUID())]
  const swapId = randomUUID() as SwapId
  await inOrganization(actor, id, (tx) => executeSwap(tx, actor, swapId, used.quote_id as SwapQuoteId))
  return { quoteId: good.quote_id, swapId }
}

export async function setMarket(state: 'open' | 'closed'): Promise<void> {
  expect((await api('POST', '/sandbox/market', { body: { state } })).status).toBe(200)
}

export async function balancesOf({ boss, org }: Exchanger): Promise<Record<string, string>> {
  const { body } = await api('GET', `/organizations/${org.id}/balances`, { token: boss.token })
  return Object.fromEntries(
    body.data.map(({ currency, available: money }: { currency: string; available: { amount: string } }) => [
      currency,
      money.amount,
    ]),
  )
}

export async function booksAreClean({ boss, org }: Exchanger): Promise<void> {
  const { body } = await api('GET', `/organizations/${org.id}/ledger/integrity`, { token: boss.token })
  expect([body.ok, body.violations]).toEqual([true, []])
}

/** The service's row of the cover of a swap or payment, with the desk's trade. */
export async function coverOf({ id }: { id: string }) {
  const [row] = await owner<{ status: string; events: number; postings: number; trades: number }[]>`
    select c.status, (select count(*)::integer from events e where e.subject_id = c.id and e.type = 'cover.closed') as events,
      (select count(*)::integer from ledger_transfers l where l.key = 'cover:' || c.id) as postings,
      (select count(*)::integer from sandbox_trades t where t.id = c.trade_id) as trades
    from covers c where c.trade_id = ${id}`
  return row
}

export const UNCOVERED = { status: 'open', events: 0, postings: 0, trades: 0 }
export const COVERED = { status: 'covered', events: 1, postings: 1, trades: 1 }
/** Waits until our own position is closed once: at the desk, in the books and in the log. */
export const isCovered = async (exchange: { id: string }) => {
  await eventually(() => coverOf(exchange)).toEqual(COVERED)
}

/** The own position opened by an organization's swaps, by currency, from the ledger. */
export async function positionOf(organizationId: string): Promise<Record<string, string>> {
  const rows = await owner<{ currency: string; amount: string }[]>`
    select a.currency, sum(e.amount)::text as amount from ledger_entries e join ledger_accounts a on a.id = e.account_id
    join ledger_transfers t on t.id = e.transfer_id
    where t.organization_id = ${organizationId} and t.key like 'swap:%' and a.kind = 'fx' group by 1`
  return Object.fromEntries(rows.map(({ currency, amount }) => [currency, amount]))
}
