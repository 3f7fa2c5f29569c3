/** Payments of an organization that is not verified, in each way and at each moment. */
import { expect, test, vi } from 'vitest'
import type { Language } from '../../../pages/words/words.ts'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
})
const { blocker } = await import('../../../pages/frame/messages.ts')
const { wordsIn } = await import('../../../pages/words/words.ts')
const { batchOf } = await import('../../support/account-changes.ts')
const { api, approve, fund, organization, person } = await import('../../support/api.ts')
const { submit } = await import('../../support/batches/batches.ts')
const { requestPayment, typedBill } = await import('../../support/bills/bills.ts')
const { BANK, WALLET, contactWith } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { verified } = await import('../../support/onboarding/onboarding.ts')
const { passes } = await import('../../support/payments/moments.ts')
const { execute, executed, quoteOf } = await import('../../support/payments/quotes.ts')

// no worker runs: each step is taken when the test says so
usePartners()

const EUROS = { amount: '10.00', currency: 'EUR' }
const INCOMPLETE = [422, 'onboarding_incomplete']
const types = (notices: readonly { type: string }[]): string[] => notices.map(({ type }) => type)

test('an organization that is not verified is refused before an approval, and told which fields are missing', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  const quote = await quoteOf(boss, contact, EUROS)
  expect(types(quote.blocked_by)).toEqual(['onboarding_incomplete'])
  const refused = await execute(boss, quote.quote_id)
  expect(refusal(refused)).toEqual(INCOMPLETE)
  expect(refused.body.error.details.fields).toContain('entity.legal_name')
  const bill = await typedBill(boss, payer.id, { iban: 'DE89370400440532013000', amount: '20.00' })
  expect(refusal(await requestPayment(boss, bill.id))).toEqual(INCOMPLETE)
  const sends = async () => {
    const { body } = await api('GET', `/organizations/${payer.id}/capabilities`, { token: boss.token })
    const euros = body.data.find((one: { currency: string }) => one.currency === 'EUR')
    return [euros.send, euros.receive.available]
  }
  expect(await sends()).toEqual([{ available: false, reason: 'onboarding_incomplete' }, true])

  await verified(payer.id)
  expect(await sends()).toEqual([{ available: true, reason: null }, true])
  expect((await execute(boss, quote.quote_id)).status).toBe(201)
  expect((await requestPayment(boss, bill.id)).status).toBe(200)
  await verified(payer.id, { name: '株式会社' })
  const again = await execute(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  expect(again.body.error.details).toEqual({ fields: ['name'] })
})

test('verified at the bank and rejected at the custodian, it pays by bank alone', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await verified(payer.id, { reviewers: ['bank'] })
  expect((await quoteOf(boss, contact, EUROS)).blocked_by).toEqual([])
  const coins = await contactWith([WALLET])
  await verified(coins.payer.id, { reviewers: ['bank'] })
  const quote = await quoteOf(coins.boss, coins.contact, { amount: '5', currency: 'USDC' })
  expect(types(quote.blocked_by)).toEqual(['onboarding_incomplete'])
  const { body } = await api('GET', `/organizations/${coins.payer.id}/capabilities`, { token: coins.boss.token })
  const able = body.data.map(
    (one: { rail: string; send: { reason: string | null } }) => `${one.rail} ${one.send.reason}`,
  )
  expect(new Set(able)).toEqual(new Set(['fiat null', 'crypto onboarding_incomplete']))
})

test('pages lead from the refusal to the verification of the company', async () => {
  const shown = async (type: string, language: Language) =>
    String(await blocker({ type, message: '' }, 'c0', { language, words: wordsIn(language) }))
  expect(await shown('onboarding_incomplete', 'en')).toContain('<a href="/o/c0/company/onboarding">Verification</a>')
  expect(await shown('onboarding_incomplete', 'de')).toMatch(
    /geprüfte Firmen.*<a href="\/o\/c0\/company\/onboarding">Prüfung der Firma<\/a>/s,
  )
  expect(await shown('address_required', 'en')).not.toContain('company/onboarding')
})

/** Statuses of an onboarding, and whether they block payments by service ID. */
const STATUSES = [
  ['draft', true],
  ['submitted', false],
  ['in_review', false],
  ['needs_more', false],
  ['verified', false],
  ['review_due', false],
  ['rejected', true],
] as const

test('coins need it as well, payments by service ID need a submission', async () => {
  const { boss, contact } = await contactWith([WALLET])
  const coins = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' })
  expect(types(coins.blocked_by)).toEqual(['onboarding_incomplete'])
  const payee = await organization(await person(), 'Payee')
  const handle = `payee${payee.id.slice(-8)}`
  await owner`update organizations set svc_id = ${handle} where id = ${payee.id}`
  const inside = await contactWith([{ type: 'svc_id', svc_id: handle }])
  await fund(inside.payer.id, '500.00', 'USD')
  const dollars = { amount: '5.00', currency: 'USD' }
  const blocks = async () => types((await quoteOf(inside.boss, inside.contact, dollars)).blocked_by)
  expect(await blocks()).toEqual(['onboarding_incomplete'])
  for (const [status, blocked] of STATUSES) {
    await verified(inside.payer.id)
    await owner`update onboardings set status = ${status} where organization_id = ${inside.payer.id}`
    expect(await blocks(), status).toEqual(blocked ? ['onboarding_incomplete'] : [])
  }
})

const reject = (id: string) => owner`update onboarding_reviews set status = 'rejected' where organization_id = ${id}`

test('rows of a batch say so, until it is verified', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  await verified(payer.id)
  const row = { payment_contact_id: contact, amount: '3.00', currency: 'EUR' }
  const draft = await batchOf(boss, payer.id, row)
  await reject(payer.id)
  expect(refusal(await submit(boss, draft))).toEqual([422, 'batch_has_invalid_rows'])
  const { data } = (await api('GET', `/payment-batches/${draft}/rows`, { token: boss.token })).body
  expect(data[0].errors).toMatchObject([{ column: null, code: 'onboarding_incomplete' }])
  await verified(payer.id)
  const { status, body } = await submit(boss, draft)
  expect(status).toBe(200)
  await reject(payer.id)
  expect(refusal(await approve(boss, body))).toEqual(INCOMPLETE)
})

test('each moment of a payment looks at the organization as it is then', async () => {
  const found = await passes(
    (id) => verified(id),
    (scenes) => Promise.all(scenes.map(({ id }) => reject(id))),
  )
  expect(found).toEqual({
    requested: 'onboarding_incomplete',
    approved: 'onboarding_incomplete',
    its_day: 'put off: onboarding_incomplete',
    page_of_a_batch: 'failed: onboarding_incomplete',
    day_of_a_batch: 'failed: onboarding_incomplete',
    order: 'goes on: ordered',
  })
})

test('a review that is due stops nothing in time, and all of it then', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await verified(payer.id)
  const blocks = async () => types((await quoteOf(boss, contact, EUROS)).blocked_by)
  for (const status of ['review_due', 'submitted', 'in_review', 'needs_more']) {
    const waits = status === 'review_due' ? 'verified' : 'in_review'
    await owner`update onboarding_reviews set status = ${waits} where organization_id = ${payer.id}`
    for (const [due, blocked] of [
      ['1 day', []],
      ['-1 day', ['onboarding_incomplete']],
    ] as const) {
      await owner`
        update onboardings set status = ${status}, due_at = business_now() + ${due}::interval
        where organization_id = ${payer.id}`
      expect(await blocks(), `${status} ${due}`).toEqual(blocked)
    }
  }
})

test('a payment that was made before orders named their payer goes on as before', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  await verified(payer.id)
  const payment = await executed(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  await owner`update payments set payer_id = null where id = ${payment.id}`
  await reject(payer.id)
  expect((await approve(boss, payment)).status).toBe(200)
})
