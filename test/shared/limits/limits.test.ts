/** Limits that add up: what counts, in which period, whose, and what they ask for. */
import { describe, expect, test } from 'vitest'
import { keepDailyRates } from '../../../temporal/daily-rates.ts'
import { ANNA, bankAt, payerOfTwo } from '../../support/account-changes.ts'
import {
  type TestPerson,
  api,
  approve,
  contact,
  createPayment,
  fund,
  organization,
  paymentBody,
  person,
} from '../../support/api.ts'
import { type TestRule, approvalOf, decide, setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { evaluate } from '../../support/approvals/policies.ts'
import { paymentsOf } from '../../support/approvals/sets.ts'
import { readEvidence } from '../../support/approvals/evidence.ts'
import { draftOf, ended, submit, submitted } from '../../support/batches/batches.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { add, BANK, WALLET } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { expectRefusal, refusal } from '../../support/http/refusals.ts'
import { execute, executed, preflight, quoteOf } from '../../support/payments/quotes.ts'
import { delegateOf, tokenOf } from '../../support/identity/delegates.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

type LimitRule = TestRule & {
  period?: 'day' | 'week' | 'month'
  per?: 'person' | 'payee' | 'organization'
  hard?: boolean
}
const two = [{ required: 2, roles: ['owner', 'admin'] }]
const one = [{ required: 1, roles: ['owner', 'admin'] }]
/** A limit of 100 US dollars a day for the organization, which asks for two people. */
const limit = (more: Partial<LimitRule> = {}): LimitRule => ({
  currency: 'USD',
  amount_from: '100',
  period: 'day',
  per: 'organization',
  steps: more.hard ? [] : two,
  ...more,
})

/** A payer with these limits, an admin, and a member beside the owner. */
async function limited(...rules: LimitRule[]) {
  const at = await staffedPayer('admin', 'member')
  await setRules(at.id, at.boss, rules)
  return at
}

const limitsOf = async (payment: { organization_id: string; approval_request_id: string }, by: TestPerson) =>
  (await approvalOf(payment, by)).limits

const rate = (currency: string, usd: string, day = '2026-01-05') => owner`
  insert into daily_rates (currency, day, usd) values (${currency}, ${day}, ${usd})
  on conflict (currency, day) do update set usd = excluded.usd`

const balanceAfter = async (by: TestPerson, id: string, asked: object) =>
  (await evaluate(by, id, { action_type: 'withdrawal', ...asked })).body.limits

describe('at once', () => {
  test('payments find the same rule as one of their total', async () => {
    const { id, boss, contactId } = await limited(limit({ amount_from: '240' }))
    const payments = await Promise.all(Array.from({ length: 12 }, () => createPayment(boss, contactId, '20.00')))
    const policies = await owner<{ limits: { total: object }[] | null }[]>`
      select policy -> 'limits' as limits from approvals where organization_id = ${id} and policy ? 'limits'`
    expect(new Set(payments.map(({ id: paymentId }) => paymentId)).size).toBe(12)
    expect([...policies]).toMatchObject([{ limits: [{ total: { amount: '240.00', currency: 'USD' } }] }])
  })

  test('payments, batches and bills of several people, to one account, pass a hard limit of the payee one after another', async () => {
    const { id, boss, admin, contactOf } = await payerOfTwo()
    await setRules(id, boss, [limit({ currency: 'EUR', amount_from: '1000', per: 'payee', hard: true })])
    const contacts = [await contactOf({ name: 'One' }, bankAt(ANNA)), await contactOf({ name: 'Other' }, bankAt(ANNA))]
    const asking = []
    for (const [index, by] of [boss, admin, boss, admin, boss, admin].entries()) {
      const contactId = contacts[index % 2]!.id
      const quote = await quoteOf(by, contactId, { amount: '90.00', currency: 'EUR' }, { side: 'landing' })
      const bill = await typedBill(by, id, { bill_number: `M-${index}`, amount: '90.00', iban: ANNA })
      const account = { account_holder_name: `Payee ${index}`, iban: ANNA }
      const payee = index < 3 ? account : { payment_contact_id: contactId }
      const batch = await draftOf(by, id, [])
      const reason = { payout_reason: 'services', statement_description: 'One' }
      const row = { ...payee, ...reason, amount: '90.00', currency: 'EUR' }
      await api('POST', `/payment-batches/${batch}/rows`, { token: by.token, body: row })
      asking.push(() => execute(by, quote.quote_id))
      asking.push(() => submit(by, batch))
      asking.push(() => requestPayment(by, bill.id, { acknowledge_duplicate: true }))
    }
    const answers = await Promise.all(asking.map((ask) => ask()))
    const refused = answers.filter(({ status }) => status >= 300)
    expect(refused.map((answer) => refusal(answer).join())).toEqual(Array(7).fill('422,limit_exceeded'))
  })
})

describe('what counts', () => {
  test('is all money out, whichever way, each once: payments, batches with their fees, bills', async () => {
    const { id, boss, contactId, payee } = await limited(limit({ currency: 'EUR', amount_from: '1000000' }))
    await rate('USD', '1')
    await rate('EUR', '1.25')
    await fund(id, '1000.00', 'EUR')
    await createPayment(boss, contactId, '50.00')
    const batch = await submitted(boss, id, [{ amount: '25.00', svc: payee }])
    const bill = await typedBill(boss, id, { amount: '10.00', iban: BANK.iban })
    const asked = await requestPayment(boss, bill.id)
    expect(asked.status).toBe(200)
    const [{ deducting_amount: ofBill } = { deducting_amount: '' }] = await owner`
      select deducting_amount::text from payments where bill_id = ${bill.id}`
    const used = (75 / 1.25 + Number(ofBill)).toFixed(2)
    expect(await balanceAfter(boss, id, {})).toMatchObject([{ used: { amount: used, currency: 'EUR' } }])
    await approve(boss, batch)
    await ended(batch.id)
    expect(await balanceAfter(boss, id, {})).toMatchObject([{ used: { amount: used, currency: 'EUR' } }])
  })

  test('is not what ended without payment: cancelled, rejected, expired, failed or reversed', async () => {
    const { id, boss, contactId } = await limited(limit())
    const [, cancelled, rejected] = await paymentsOf(boss, contactId, ['10.00', '20.00', '20.00'])
    await decide(boss, cancelled, 'cancel')
    await decide(boss, rejected, 'reject', { body: { reason: 'No' } })
    for (const status of ['failed', 'reversed']) {
      const { id: over } = await createPayment(boss, contactId, '20.00')
      await owner`update payments set status = ${status} where id = ${over}`
    }
    expect(await balanceAfter(boss, id, {})).toMatchObject([{ used: { amount: '10.00' }, left: { amount: '90.00' } }])
    expect(await limitsOf(await createPayment(boss, contactId, '90.00'), boss)).toMatchObject([
      { total: { amount: '100.00' } },
    ])
  })

  test('is what was asked for, also by a batch of one row, where batches have no limit of their own', async () => {
    const { id, boss, payee } = await limited(limit())
    const first = await submitted(boss, id, [{ amount: '60.00', svc: payee }])
    const second = await submitted(boss, id, [{ amount: '40.00', svc: payee }])
    expect(await limitsOf(first, boss)).toEqual([])
    expect(await limitsOf(second, boss)).toMatchObject([
      { per: 'organization', total: { amount: '100.00', currency: 'USD' }, rate_date: null },
    ])
  })
})

describe('a period', () => {
  test.each(['day', 'week', 'month'] as const)('begins at its first instant in the time zone: %s', async (period) => {
    const { id, boss, contactId } = await limited(limit({ period, amount_from: '1000' }))
    await owner`update organizations set time_zone = 'Pacific/Auckland' where id = ${id}`
    const [span] = await owner<{ begins_at: Date; resets_at: Date }[]>`
      select begins_at, resets_at from limit_periods(${id}, business_now()) where period = ${period}`
    const [before, at] = [await createPayment(boss, contactId, '1.00'), await createPayment(boss, contactId, '2.00')]
    await owner`update payments set inserted_at = ${span!.begins_at}::timestamptz - interval '1 microsecond'
      where id = ${before.id}`
    await owner`update payments set inserted_at = ${span!.begins_at} where id = ${at.id}`
    expect(await balanceAfter(boss, id, {})).toMatchObject([
      { used: { amount: '2.00' }, resets_at: span!.resets_at.toISOString() },
    ])
  })

  test.each([
    ['the end of a leap day', 'UTC', '2028-02-29T23:59:59.999Z', '2028-02-29', '2028-02-28', '2028-02-01'],
    ['the first instant of March', 'UTC', '2028-03-01T00:00:00Z', '2028-03-01', '2028-02-28', '2028-03-01'],
    ['a Sunday at the end of a year', 'UTC', '2028-12-31T12:00:00Z', '2028-12-31', '2028-12-25', '2028-12-01'],
    ['Monday, in the east', 'Pacific/Auckland', '2026-05-31T12:00:00Z', '2026-06-01', '2026-06-01', '2026-06-01'],
    ['a Sunday, in the west', 'Pacific/Honolulu', '2026-06-01T09:59:59Z', '2026-05-31', '2026-05-25', '2026-05-01'],
  ])('is a calendar day, a week from Monday, a month: %s', async (_, zone, at, ...days) => {
    const { id } = await organization(await person())
    await owner`update organizations set time_zone = ${zone} where id = ${id}`
    const rows = await owner<{ day: string; is_in: boolean }[]>`
      select (begins_at at time zone ${zone})::date::text as day,
        begins_at <= ${at} and ${at} < resets_at and begins_at = local_midnight(${id}, local_date(${id}, begins_at))
          and resets_at = local_midnight(${id}, local_date(${id}, resets_at)) as is_in
      from limit_periods(${id}, ${at})`
    expect(rows.map(({ day, is_in: isIn }) => [day, isIn])).toEqual(days.map((day) => [day, true]))
  })
})

describe('per', () => {
  test('person: what others asked for does not count, and what a delegate asks for counts for its person', async () => {
    const { id, boss, contactId, staff } = await limited(limit({ per: 'person' }))
    const [admin] = staff
    const token = await tokenOf(await delegateOf(admin, id, { access: 'prepare' }))
    await createPayment({ ...admin, token }, contactId, '60.00')
    await createPayment(admin, contactId, '39.00')
    expect(await limitsOf(await createPayment(boss, contactId, '99.00'), boss)).toEqual([])
    expect(await limitsOf(await createPayment(boss, contactId, '1.00'), boss)).toHaveLength(1)
    expect(await balanceAfter(admin, id, {})).toMatchObject([{ used: { amount: '99.00' }, left: { amount: '1.00' } }])
  })

  test('payee: contacts that share an account are one payee, with all their accounts', async () => {
    const { id, boss, payee, contactId } = await limited(limit({ per: 'payee' }))
    const twin = await contact(boss, id, payee.svcId)
    const stranger = await contact(boss, id, (await organization(await person(), 'Other')).svcId)
    await createPayment(boss, contactId, '60.00')
    expect(await limitsOf(await createPayment(boss, stranger, '90.00'), boss)).toEqual([])
    expect(await limitsOf(await createPayment(boss, twin, '40.00'), boss)).toMatchObject([
      { total: { amount: '100.00' } },
    ])
    const { body: wallet } = await add(boss, twin, { ...WALLET })
    await fund(id, '500.00', 'USDC', 'crypto')
    await rate('USDC', '1')
    const quote = await quoteOf(boss, twin, { amount: '20', currency: 'USDC' }, { destination_id: wallet.id })
    const payment = await executed(boss, quote.quote_id)
    expect(await limitsOf(payment, boss)).toMatchObject([{ total: { amount: '120.00' }, rate_date: '2026-01-05' }])
    expect(await balanceAfter(boss, id, { payment_contact_id: contactId })).toMatchObject([
      { per: 'payee', used: { amount: '120.00' }, left: { amount: '0.00' } },
    ])
  })

  test('payee: an account is one payee in whatever currency, by whatever contact or row, of whatever holder', async () => {
    const { id, boss } = await limited(limit({ currency: 'EUR', amount_from: '1000', per: 'payee', hard: true }))
    for (const [currency, usd] of Object.entries({ EUR: '1', USD: '1', CHF: '1', PLN: '1' })) {
      await rate(currency, usd)
      await fund(id, '5000.00', currency)
    }
    const list = `/organizations/${id}/payment-contacts`
    const answers = []
    for (const [index, currency] of ['EUR', 'USD', 'CHF', 'PLN'].entries()) {
      const account = { ...BANK, currency, swift_code: 'BYLADEM1', account_holder_name: `Holder ${index}` }
      const body = { name: `Payee ${index}`, type: 'business', destinations: [account] }
      const { body: made } = await api('POST', list, { token: boss.token, body })
      const quote = await quoteOf(boss, made.id, { amount: '300.00', currency }, { side: 'landing' })
      answers.push(await execute(boss, quote.quote_id))
    }
    const made = answers.filter(({ status }) => status < 300)
    expect([made.length, ...refusal(answers[3]!)]).toEqual([3, 422, 'limit_exceeded'])
    const row = { iban: BANK.iban, amount: '99.00', currency: 'USD', account_holder_name: 'Another holder' }
    const batch = await draftOf(boss, id, [])
    const reason = { payout_reason: 'services', statement_description: 'One' }
    await api('POST', `/payment-batches/${batch}/rows`, {
      token: boss.token,
      body: { ...row, ...reason, swift_code: 'BYLADEM1' },
    })
    expect(refusal(await submit(boss, batch))).toEqual([422, 'limit_exceeded'])
  })

  test('payee: of a batch, each row counts for its own', async () => {
    const { id, boss, payee, contactId } = await limited(limit({ per: 'payee' }))
    const other = await organization(await person(), 'Other')
    await createPayment(boss, contactId, '30.00')
    const rows = [
      { amount: '39.00', svc: payee },
      { amount: '60.00', svc: other },
    ]
    expect(await limitsOf(await submitted(boss, id, rows), boss)).toEqual([])
    const reached = await submitted(boss, id, [{ amount: '31.00', svc: payee }])
    expect(await limitsOf(reached, boss)).toMatchObject([{ per: 'payee', total: { amount: '100.00' } }])
  })
})

test('an approval needs the steps of all limits that are reached, and keeps them', async () => {
  const { id, boss, contactId } = await staffedPayer('admin', 'admin', 'owner')
  await setRules(id, boss, [
    { amount_from: '50', steps: one },
    limit({ amount_from: '70', steps: [{ required: 1, roles: ['admin'] }], self_approval: false }),
    limit({ amount_from: '80', period: 'week', steps: [{ required: 1, roles: ['owner'] }], expires_after_hours: 24 }),
    limit({ amount_from: '81', period: 'month', steps: two }),
  ])
  const payment = await createPayment(boss, contactId, '80.00')
  const approval = await approvalOf(payment, boss)
  expect(approval).toMatchObject({
    steps: [{ roles: ['owner', 'admin'] }, { roles: ['admin'] }, { roles: ['owner'] }],
    limits: [{ period: 'day' }, { period: 'week' }],
    self_approval: false,
  })
  const { policy } = (await readEvidence(boss, payment)).body
  expect(policy).toMatchObject({ limits: approval.limits, expires_after_hours: 24 })
  await setRules(id, boss, [
    limit({ steps: [{ required: 3, roles: ['owner', 'admin'] }] }),
    limit({ period: 'week', steps: [{ required: 2, roles: ['owner'] }] }),
  ])
  expect((await approvalOf(payment, boss)).limits).toEqual(approval.limits)
  const more = await api('POST', '/payments', { token: boss.token, body: paymentBody(contactId, '20.00') })
  expectRefusal(more, 'no_eligible_approver', { reason: 'limits_add_up' })
})

describe('other currencies', () => {
  test('count by the last rate that is kept, whose day is answered', async () => {
    const { id, boss, contactId } = await limited(limit({ currency: 'CHF' }))
    await rate('CHF', '2', '2026-01-02')
    await rate('CHF', '1.25', '2026-01-09')
    await createPayment(boss, contactId, '100.01')
    expect(await balanceAfter(boss, id, {})).toMatchObject([
      { used: { amount: '80.01', currency: 'CHF' }, left: { amount: '19.99' }, rate_date: '2026-01-09' },
    ])
  })

  test('have a rate of each day, which the reconciler keeps: the first one stays', async () => {
    const { id, boss } = await limited(limit({ currency: 'NZD' }))
    await keepDailyRates()
    const rates = await owner<{ usd: string }[]>`
      select usd::text from daily_rates where currency = 'NZD' and day = (business_now() at time zone 'UTC')::date`
    expect(rates).toHaveLength(1)
    expect(Number(rates[0]?.usd)).toBeGreaterThan(0)
    expect(await balanceAfter(boss, id, {})).toMatchObject([{ used: { amount: '0.00', currency: 'NZD' } }])
  })
})

describe('a hard limit', () => {
  test('refuses with limit, sum and end of the period; preflight says so before, and a refused batch stays a draft', async () => {
    const { boss, contactId, id, payee } = await limited(limit({ hard: true }))
    await createPayment(boss, contactId, '40.00')
    const asked = await preflight(boss, contactId, { amount: '60.00', currency: 'USD' })
    expect(asked.body.blocked_by.map(({ type }: { type: string }) => type)).toContain('limit_exceeded')
    const [standing] = asked.body.limits
    expect(standing).toMatchObject({ hard: true, reached: true, used: { amount: '40.00' }, left: { amount: '60.00' } })
    const body = paymentBody(contactId, '60.00')
    expectRefusal(await api('POST', '/payments', { token: boss.token, body }), 'limit_exceeded', {
      period: 'day',
      per: 'organization',
      limit: { amount: '100', currency: 'USD' },
      used: { amount: '40.00', currency: 'USD' },
      resets_at: standing.resets_at,
    })
    const draft = await draftOf(boss, id, [{ amount: '60.00', svc: payee }])
    expect(refusal(await submit(boss, draft))).toEqual([422, 'limit_exceeded'])
    expect((await api('GET', `/payment-batches/${draft}`, { token: boss.token })).body.status).toBe('draft')
    expect((await createPayment(boss, contactId, '59.99')).status).toBe('awaiting_approval')
    expect(await owner`select from payments where organization_id = ${id}`).toHaveLength(2)
  })
})
