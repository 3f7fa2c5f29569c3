/** An organization that deposits, pays and exchanges, with feed and balances in minor units. */
import fc from 'fast-check'
import { type TestPerson, api, contact, fund, organization, person } from '../api.ts'
import { execute, quoted } from '../swaps.ts'

export const SWAP_CURRENCIES = ['USD', 'EUR'] as const
type Currency = (typeof SWAP_CURRENCIES)[number]
type Money = { amount: string; currency: string }
export type Line = { id: string; direction: 'in' | 'out'; amount: Money; running_balance: Money; posted_at: string }

const amount = fc.integer({ min: 1, max: 5000 }).map((cents) => (cents / 100).toFixed(2))
// one cent would bring less than one, which is refused
const exchanged = fc.integer({ min: 2, max: 5000 }).map((cents) => (cents / 100).toFixed(2))
const currency = fc.constantFrom(...SWAP_CURRENCIES)

/** One event of a history; the clock moves by up to a day. */
export const history = fc.oneof(
  fc.record({ kind: fc.constant('deposit' as const), amount, currency }),
  fc.record({ kind: fc.constant('pay' as const), amount }),
  fc.record({ kind: fc.constant('swap' as const), amount: exchanged, currency }),
  fc.record({ kind: fc.constant('clock' as const), seconds: fc.integer({ min: 1, max: 600 }) }),
)

export type Trader = {
  id: string
  boss: TestPerson
  contactId: string
  swap: (source: Currency, amount: string) => Promise<void>
}

/** An organization with 10,000.00 of each currency, and a payee. */
export async function trader(): Promise<Trader> {
  const boss = await person({ authenticator: true })
  const [org, payee] = [await organization(boss), await organization(await person())]
  const { id } = org
  for (const one of SWAP_CURRENCIES) await fund(id, '10000.00', one)
  const contactId = await contact(boss, id, payee.svcId)
  return {
    id,
    boss,
    contactId,
    async swap(source, of) {
      const target = source === 'USD' ? 'EUR' : 'USD'
      const request = { source_currency: source, target_currency: target, source_amount: of }
      const { quote_id } = await quoted({ boss, org }, request)
      const done = await execute(boss, quote_id)
      if (done.status !== 201) throw new Error(`swap: ${JSON.stringify(done.body)}`)
    },
  }
}

export const minor = ({ amount: text }: Money): bigint => BigInt(text.replace('.', ''))

export async function feedByCurrency({ id, boss }: Trader): Promise<Map<string, Line[]>> {
  const lines: Line[] = []
  for (let cursor = ''; ;) {
    const path = `/organizations/${id}/transactions?status=posted&limit=100${cursor}`
    const { body } = await api('GET', path, { token: boss.token })
    lines.push(...body.data)
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  const currencies = [...new Set(lines.map((line) => line.amount.currency))]
  return new Map(currencies.map((one) => [one, lines.filter((line) => line.amount.currency === one)]))
}

/** Total balances at an instant, in minor units. */
export async function totalsAt({ id, boss }: Trader, instant: string): Promise<Map<string, bigint>> {
  const { body } = await api('GET', `/organizations/${id}/balances?as_of=${instant}`, { token: boss.token })
  return new Map(body.data.map(({ currency: one, total }: { currency: string; total: Money }) => [one, minor(total)]))
}
