import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { claimFor, takeClaim } from '../../../services/idempotency.ts'
import { purgeExpired } from '../../../services/maintenance/purge.ts'
import type { DeviceId, OrganizationId, QuoteId, SessionId, UserId } from '../../../domain/ids.ts'
import { createPayment } from '../../../services/payments/commands.ts'
import { inOrganization } from '../../../db/postgres/sql.ts'
import { MANY } from '../../support/model-runs.ts'
import { type TestPerson, api, approvalPath, approve, fund, withStepUp } from '../../support/api.ts'
import { joined, setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET, add, contactWith } from '../../support/contacts/destinations.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { execute, executed, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const EUR = { amount: '50.00', currency: 'EUR' }
const setting = async () => {
  const at = await contactWith([BANK])
  return { ...at, quote: await quoteOf(at.boss, at.contact, EUR) }
}
const paymentsOf = async (organizationId: string) =>
  (await owner`select id from payments where organization_id = ${organizationId}`).map(({ id }) => id as string)

describe('a quote is used once', () => {
  test('by many at once: one makes a payment, and the others are refused with quote_already_used', async () => {
    const { boss, payer, quote } = await setting()
    const answers = await Promise.all(Array.from({ length: MANY }, () => execute(boss, quote.quote_id)))
    const won = answers.filter(({ status }) => status === 201)
    const lost = answers.filter(({ status }) => status !== 201).map(refusal)
    expect(won).toHaveLength(1)
    expect(lost).toEqual(lost.map(() => [409, 'quote_already_used']))
    expect(await paymentsOf(payer.id)).toEqual([won[0]?.body.id])
    const [approvals] = await owner`
      select count(*)::integer as count from approvals where organization_id = ${payer.id}`
    expect(approvals).toEqual({ count: 1 })
  })

  test('by many at once with one key: all get the one payment, also when the quote has expired', async () => {
    const { boss, payer, quote } = await setting()
    const ask = (more: object = {}) => execute(boss, quote.quote_id, more, 'the same for all')
    const answers = await Promise.all(Array.from({ length: MANY }, () => ask()))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await paymentsOf(payer.id)).toEqual([answers[0]?.body.id])
    await owner`update payment_quotes set expires_at = business_now() where id = ${quote.quote_id}`
    expect(await ask()).toMatchObject({ status: 201, body: { id: answers[0]?.body.id } })
    expect(refusal(await ask({ statement_description: 'Another' }))).toEqual([422, 'idempotency_key_reused'])
  })

  test('by the key of a request that was refused, once nothing blocks it', async () => {
    const { boss, payer, quote } = await setting()
    const ask = () => execute(boss, quote.quote_id, {}, 'a key')
    await owner`update organizations set status = 'paused' where id = ${payer.id}`
    expect(refusal(await ask())).toEqual([403, 'organization_unavailable'])
    await owner`update organizations set status = 'active' where id = ${payer.id}`
    expect((await ask()).status).toBe(201)
  })
})

const creation = ({ boss, payer, quote }: Awaited<ReturnType<typeof setting>>) => {
  // ids of rows that are there
  const [organizationId, quoteId] = [payer.id as OrganizationId, quote.quote_id as QuoteId]
  const [userId, sessionId, deviceId] = [boss.userId as UserId, boss.sessionId as SessionId, randomUUID() as DeviceId]
  const claim = claimFor(userId, 'post', '/payments/execute', randomUUID(), { quote_id: quoteId })
  const request = {
    quote_id: quoteId,
    payout_reason: 'services',
    statement_description: 'Invoice 1',
    internal_notes: null,
    labels: [],
    tag: undefined,
    market: null,
    acknowledge_payee_check: false,
    request_id: randomUUID(),
  }
  return () =>
    inOrganization({ kind: 'user', userId, sessionId, deviceId }, organizationId, async (tx) =>
      (await takeClaim(tx, claim)) ? createPayment(tx, claim.id, userId, request) : null,
    )
}

test('what makes the payment writes nothing when it is repeated, and refuses nothing that was made, whatever has changed', async () => {
  const at = await setting()
  const make = creation(at)
  expect(await make()).toMatchObject({ status: 'awaiting_approval' })
  const written = () => owner`select count(*)::int as events, count(distinct subject_id)::int as subjects from events
    where organization_id = ${at.payer.id}`
  const before = await written()
  await owner`update organizations set status = 'paused' where id = ${at.payer.id}`
  await owner`update payment_quotes set expires_at = business_now() where id = ${at.quote.quote_id}`
  expect(await make()).toBe(null)
  expect(await paymentsOf(at.payer.id)).toHaveLength(1)
  expect(await written()).toEqual(before)
})

test('what makes the payment looks again at what blocks it, and leaves the quote and its claim as they were', async () => {
  const at = await setting()
  const make = creation(at)
  await owner`update organizations set books_stopped_at = business_now() where id = ${at.payer.id}`
  await expect(make()).rejects.toMatchObject({ type: 'ledger_unbalanced' })
  await owner`update organizations set books_stopped_at = null where id = ${at.payer.id}`
  expect(await make()).toMatchObject({ status: 'awaiting_approval' })
  await expect(creation(at)()).rejects.toMatchObject({ type: 'quote_already_used' })
})

test('a quote is good for 15 minutes of business time', async () => {
  const { boss, quote } = await setting()
  const { body: clock } = await api('GET', '/sandbox/clock')
  const minutes = (Date.parse(quote.expires_at) - Date.parse(clock.now)) / 60_000
  expect(minutes).toBeGreaterThan(14)
  expect(minutes).toBeLessThanOrEqual(15)
  await api('POST', '/sandbox/clock/advance', { body: { seconds: 901 } })
  expectRefusal(await execute(boss, quote.quote_id), 'quote_expired', { expires_at: quote.expires_at })
})

test('a quote is good for who asked for it, and for owners and admins; a colleague does not find it', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  const [member, colleague] = (await joined(payer.id, 'member', 2)) as [TestPerson, TestPerson]
  const [admin] = (await joined(payer.id, 'admin', 1)) as [TestPerson]
  const quote = async () => (await quoteOf(member, contact, EUR)).quote_id as string
  expect(refusal(await execute(colleague, await quote()))).toEqual([404, 'not_found'])
  for (const somebody of [member, admin, boss]) expect((await execute(somebody, await quote())).status).toBe(201)
})

describe('what is told with a quote', () => {
  test('how many approvals the policy asks for that applies to what is deducted', async () => {
    const { boss, payer, contact } = await contactWith([BANK])
    const steps = [
      { required: 2, roles: ['owner', 'admin'] },
      { required: 1, roles: ['owner'] },
    ]
    await setRules(payer.id, boss, [{ currency: 'EUR', amount_from: '100.00', steps }])
    const needed = async (amount: string, side: 'deducting' | 'landing') =>
      (await quoteOf(boss, contact, { amount, currency: 'EUR' }, { side })).approvers_needed
    expect(await needed('99.99', 'deducting')).toBe(1)
    expect(await needed('100.00', 'deducting')).toBe(3)
    expect(await needed('99.80', 'landing')).toBe(3) // deducts 100.00
  })

  test('that the balance is short, that the same was paid today, and that nothing ever was', async () => {
    const { boss, payer, contact } = await contactWith([BANK])
    const payee_address = { town: 'Berlin', country_code: 'DE' }
    await api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { payee_address } })
    const other = await add(boss, contact, { ...BANK, iban: 'DE89370400440532013000' })
    const warned = async (amount: string, more: object = {}) =>
      (await quoteOf(boss, contact, { amount, currency: 'EUR' }, more)).warnings.map(
        ({ type }: { type: string }) => type,
      )
    expect(await warned('10.00')).toEqual(['insufficient_funds', 'new_destination'])
    await fund(payer.id, '10.00', 'EUR')
    expect(await warned('10.00')).toEqual(['new_destination'])
    const payment = await executed(boss, (await quoteOf(boss, contact, { amount: '10.00', currency: 'EUR' })).quote_id)
    expect(await warned('10.00')).toEqual(['possible_duplicate'])
    expect(await warned('9.00')).toEqual([])
    expect(await warned('10.00', { destination_id: other.body.id })).toEqual(['new_destination'])
    await withStepUp('POST', `${approvalPath(payment)}/reject`, { token: boss.token, body: {} })
    expect(await warned('10.00')).toEqual(['new_destination']) // the failed one does not count as a duplicate
  })

  test("that funds are short stands in nobody's way until the last approval", async () => {
    const { boss, quote } = await setting()
    expect(quote.blocked_by).toEqual([])
    const refused = await approve(boss, await executed(boss, quote.quote_id))
    expect(refusal(refused)).toEqual([422, 'insufficient_funds'])
  })

  test("notes and tag of a payment are those of its execution, else the quote's, else the contact's", async () => {
    const { boss, contact } = await contactWith([WALLET])
    await api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { tag: 'vendor' } })
    const tagOf = async (quoted: object, given: object) => {
      const quote = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' }, quoted)
      return (await executed(boss, quote.quote_id, given)).tag
    }
    expect(await tagOf({}, {})).toBe('vendor')
    expect(await tagOf({ tag: 'employee' }, {})).toBe('employee')
    expect(await tagOf({ tag: 'employee' }, { tag: 'other' })).toBe('other')
    expect(await tagOf({ tag: 'employee' }, { tag: null })).toBe(null)
  })
})

test('after a month, quotes that nobody used are gone, and those of payments stay', async () => {
  const { boss, payer, contact, quote } = await setting()
  await executed(boss, quote.quote_id)
  const [recent, old] = [await quoteOf(boss, contact, EUR), await quoteOf(boss, contact, EUR)]
  await owner`update payment_quotes set expires_at = business_now() - interval '31 days'
    where id in ${owner([quote.quote_id, old.quote_id])}`
  await purgeExpired()
  const left = await owner`select id from payment_quotes where organization_id = ${payer.id} order by id`
  expect(left.map(({ id }) => id)).toEqual([quote.quote_id, recent.quote_id].toSorted())
})

test('the proof of who approves is bound to both amounts, the fee and the account', async () => {
  const { boss, quote } = await setting()
  const payment = await executed(boss, quote.quote_id)
  const [row] = await owner`
    select a.subject_body::jsonb as body, encode(d.fingerprint, 'hex') as fingerprint
    from approvals a join payment_destinations d on d.id = ${payment.destination_id} where a.target_id = ${payment.id}`
  expect(row?.['body']).toEqual({
    target_id: payment.id,
    deducting: { amount: '50.00', currency: 'EUR' },
    landing: { amount: '49.80', currency: 'EUR' },
    fee: { amount: '0.20', currency: 'EUR' },
    rate: null,
    payee: payment.destination_id,
    fingerprint: row?.['fingerprint'],
    payee_check: expect.objectContaining({ result: 'not_possible' }),
  })
  expect(JSON.stringify(row?.['body'])).not.toContain(BANK.iban)
})
