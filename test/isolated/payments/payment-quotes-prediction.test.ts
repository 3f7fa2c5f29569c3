import { expect, test } from 'vitest'
import { type TestPerson, api, join, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { modelRuns } from '../../support/model-runs.ts'
import { BANK, WALLET, contactWith } from '../../support/contacts/destinations.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { execute, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

/** The same numbers for the same seed (mulberry32). */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

type World = Awaited<ReturnType<typeof world>>
async function world() {
  const at = await contactWith([BANK, WALLET])
  const svc = await organization(await person(), 'Payee')
  const destinations = await api('POST', `/payment-contacts/${at.contact}/destinations`, {
    token: at.boss.token,
    body: { type: 'svc_id', svc_id: svc.svcId },
  })
  const { body } = await api('GET', `/payment-contacts/${at.contact}`, { token: at.boss.token })
  const idOf = (type: string): string => body.destinations.find((one: { type: string }) => one.type === type).id
  const sender = await person()
  await join(at.payer.id, sender, 'admin')
  if (destinations.status !== 201) throw new Error('no destination by service ID')
  return { ...at, payee: svc, sender, idOf }
}

const RAILS = [
  { type: 'bank', currencies: ['EUR', 'USD'] },
  { type: 'crypto', currencies: ['USDC'] },
  { type: 'svc_id', currencies: ['USD'] },
] as const

/** Independent circumstances; the state that each leaves stays until the end of a run. */
const CIRCUMSTANCES: Readonly<Record<string, (at: World, destinationId: string) => Promise<unknown>>> = {
  paused: ({ payer }) => owner`update organizations set status = 'paused' where id = ${payer.id}`,
  demoted: ({ payer, sender }) =>
    owner`update members set role = 'member' where organization_id = ${payer.id} and user_id = ${sender.userId}`,
  'books stopped': ({ payer }) =>
    owner`update organizations set books_stopped_at = business_now() where id = ${payer.id}`,
  'contact archived': ({ contact }) => owner`update payment_contacts set status = 'archived' where id = ${contact}`,
  'contact waiting': ({ contact }) =>
    owner`update payment_contacts set status = 'pending_approval' where id = ${contact}`,
  'payee gone': ({ payee }) => owner`update organizations set status = 'banned' where id = ${payee.id}`,
  'own account': ({ payer }, id) =>
    owner`update payment_destinations set payee_organization_id = ${payer.id} where id = ${id} and type = 'svc_id'`,
  'market closed': () => api('POST', '/sandbox/market', { body: { state: 'closed' } }),
}
const NAMES = Object.keys(CIRCUMSTANCES)
/** First none, then each circumstance alone, then any combination. */
const ALONE: readonly (readonly string[])[] = [[], ...NAMES.map((name) => [name])]
const RUNS = ALONE.length + modelRuns(2)
const OF_SERVICE_IDS = ['payee gone', 'own account']

type Told = { blocked: string[]; quoteId: string }
async function told(
  by: TestPerson,
  { contact }: World,
  amount: object,
  destinationId: string,
  side: string,
): Promise<Told> {
  const more = { side: side as 'deducting', destination_id: destinationId }
  const quote = await quoteOf(by, contact, amount as { amount: string; currency: string }, more)
  return { blocked: quote.blocked_by.map(({ type }: { type: string }) => type), quoteId: quote.quote_id }
}

test(`blocked_by tells exactly what execute then refuses, first things first (SEED=${SEED})`, async () => {
  const roll = dice(SEED)
  const seen = new Map<string, number>()
  for (let run = 0; run < RUNS; run += 1) {
    const at = await world()
    await api('POST', '/sandbox/market', { body: { state: 'open' } })
    const alone = ALONE[run]
    const rail = RAILS[OF_SERVICE_IDS.includes(alone?.[0] ?? '') ? 2 : roll(RAILS.length)] ?? RAILS[0]
    const currency = rail.currencies[roll(rail.currencies.length)] ?? 'EUR'
    const side = roll(2) === 0 || (rail.type === 'bank' && currency !== 'EUR') ? 'deducting' : 'landing'
    const amount = { amount: `${2 + roll(10_000)}.${10 + roll(90)}`, currency }
    const destinationId = at.idOf(rail.type)
    const early = await told(at.sender, at, amount, destinationId, side)
    const circumstances = alone ?? NAMES.filter(() => roll(5) === 0)
    for (const name of circumstances) await CIRCUMSTANCES[name]?.(at, destinationId)
    const late = await told(at.sender, at, amount, destinationId, side)
    const note = `run ${run}: ${rail.type} ${side} ${amount.amount} ${currency}, ${circumstances.join(', ') || 'all well'}`
    expect(early.blocked, note).toEqual([])

    // an old quote is refused alike; an expired or used one before all else
    const quoteId = roll(2) === 0 ? early.quoteId : late.quoteId
    const fate = alone ? 'fresh' : (['fresh', 'fresh', 'fresh', 'expired', 'deleted'][roll(5)] ?? 'fresh')
    if (fate === 'expired') await owner`update payment_quotes set expires_at = business_now() where id = ${quoteId}`
    if (fate === 'deleted')
      await owner`update payment_destinations set deleted_at = business_now() where id = ${destinationId}`
    const expected = expectation(fate, late.blocked)
    const answer = await execute(at.sender, quoteId)
    const got = answer.status === 201 ? undefined : answer.body.error.type
    expect(got, `${note}, ${fate}`).toBe(expected)
    if (answer.status === 201) {
      const again = await execute(at.sender, quoteId)
      expect(again.body.error.type, note).toBe('quote_already_used')
    }
    seen.set(got ?? 'made', (seen.get(got ?? 'made') ?? 0) + 1)
  }
  expect(seen.get('made')).toBeGreaterThan(0)
  expect(seen.size).toBeGreaterThan(3)
}, 300_000)

/** Refusals that come before that of a deleted destination. */
const BEFORE = ['forbidden', 'organization_unavailable', 'ledger_unbalanced', 'contact_not_approved']

function expectation(fate: string, blocked: readonly string[]): string | undefined {
  if (fate === 'expired') return 'quote_expired'
  const [first] = blocked
  if (fate === 'deleted') return first !== undefined && BEFORE.includes(first) ? first : 'destination_missing'
  return first
}
