/** Payments by bank and by blockchain: created, approved, and read here and at the partner. */
import { type TestPerson, api, approve, fund } from '../api.ts'
import { owner } from '../database.ts'
import { BANK, WALLET, contactWith } from '../contacts/destinations.ts'
import { fault, liftFaults, payoutAt } from '../partners/partners.ts'
import { executed, quoteOf } from './quotes.ts'
import { until } from '../until.ts'

export type Rail = 'fiat' | 'crypto'
const PAID_AT = { fiat: BANK, crypto: WALLET }
export const CURRENCY = { fiat: 'EUR', crypto: 'USDC' } as const

export async function payerBy(rail: Rail, funds = '900.00') {
  const at = await contactWith([PAID_AT[rail]])
  if (rail === 'fiat') await fund(at.payer.id, funds, 'EUR')
  else await fundCoins(at.payer.id, funds)
  return { ...at, rail }
}

/** Coins below the travel rule threshold. */
export async function fundCoins(organizationId: string, amount: string, currency = 'USDC'): Promise<void> {
  const answer = await api('POST', '/sandbox/deposits', {
    body: { organization_id: organizationId, rail: 'crypto', amount: { amount, currency } },
  })
  if (answer.status !== 201 || answer.body.status !== 'credited') throw new Error(JSON.stringify(answer.body))
}

type Payer = { boss: TestPerson; contact: string; rail: Rail }

/** A payment by which this amount lands. */
export async function outgoing({ boss, contact, rail }: Payer, amount = '100.00') {
  const quote = await quoteOf(boss, contact, { amount, currency: CURRENCY[rail] }, { side: 'landing' })
  return executed(boss, quote.quote_id)
}

export async function sent(payer: Payer, amount = '100.00') {
  const payment = await outgoing(payer, amount)
  const answer = await approve(payer.boss, payment)
  if (answer.status !== 200) throw new Error(`approve: ${JSON.stringify(answer.body)}`)
  return payment
}

/** An approved payment in dollars that lands in euros; `landing` is what arrives. */
export async function sentExchanged(amount = '100.00') {
  const payer = await payerBy('fiat')
  await fund(payer.payer.id, amount, 'USD')
  const quote = await quoteOf(payer.boss, payer.contact, { amount, currency: 'USD' })
  const payment = await executed(payer.boss, quote.quote_id)
  const answer = await approve(payer.boss, payment)
  if (answer.status !== 200) throw new Error(`approve: ${JSON.stringify(answer.body)}`)
  return { payer, payment, landing: quote.landing }
}

export const PARTNER = { fiat: 'bank', crypto: 'custodian' } as const

/** More times than the orders that tests before have left to this worker can take. */
export const UNTIL_LIFTED = 1000

/** A payment that its partner took and leaves alone. No fault of its partner is left: of this, or of tests before. */
export async function taken(rail: Rail) {
  const payer = await payerBy(rail)
  await liftFaults(PARTNER[rail])
  await fault(PARTNER[rail], 'manual', UNTIL_LIFTED)
  const payment = await sent(payer)
  await become(payer, payment, 'processing')
  await until('its partner has it', () => payoutAt(PARTNER[rail], payment.id)) // one that takes files has it later
  await liftFaults(PARTNER[rail])
  return { payer, payment }
}

export const read = async ({ boss }: Payer, { id }: { id: string }) =>
  (await api('GET', `/payments/${id}`, { token: boss.token })).body

/** Waits until the payment's row is in one of these states, then reads it. */
export const become = (payer: Payer, payment: { id: string }, ...statuses: string[]) =>
  until(`${payment.id} ${statuses.join(' or ')}`, async () => {
    const rows = await owner`select from payments where id = ${payment.id} and status = any (${statuses})`
    const now = rows.length > 0 && (await read(payer, payment))
    return now && statuses.includes(now.status) && now
  })

export const cancel = ({ boss }: Payer, { id }: { id: string }) =>
  api('POST', `/payments/${id}/cancel`, { token: boss.token })

export const advance = (payment: { id: string }, to: string, reason?: string) =>
  api('POST', `/sandbox/payments/${payment.id}/advance`, { body: { to, ...(reason && { reason }) } })

/** Available and held amounts in the rail's currency, as numbers. */
export async function holdings({ boss, rail }: Payer, organizationId: string) {
  const answer = await api('GET', `/organizations/${organizationId}/balances`, { token: boss.token })
  const row = answer.body.data.find(({ currency }: { currency: string }) => currency === CURRENCY[rail])
  return { available: Number(row.available.amount), held: Number(row.held.amount) }
}

/** The violations of the books, empty if they are in order. */
export const violations = async ({ boss }: Payer, organizationId: string) =>
  (await api('GET', `/organizations/${organizationId}/ledger/integrity`, { token: boss.token })).body.violations

export const eventsOf = async ({ boss }: Payer, { id }: { id: string }): Promise<string[]> =>
  (await api('GET', `/payments/${id}/events`, { token: boss.token })).body.data.map(
    (event: { event_type: string }) => event.event_type,
  )

/** The payment's feed rows, discarded ones too. */
export const feedOf = ({ id }: { id: string }) => owner<
  { type: string; status: string; amount: string; running_balance: string | null; discarded: boolean }[]
>`
  select type, status, amount::float8::text as amount, running_balance::float8::text, discarded_at is not null as discarded
  from transactions where payment_id = ${id} order by posted_at nulls first, seq, type desc`
