/** Payments by partners of an organization whose order could not name who pays. */
import { expect, test, vi } from 'vitest'
import type { Language } from '../../../pages/words/words.ts'

vi.hoisted(() => {
  process.env['ONBOARDING'] = 'required'
})
const { blocker } = await import('../../../pages/frame/messages.ts')
const { wordsIn } = await import('../../../pages/words/words.ts')
const { batchOf, setSettings } = await import('../../support/account-changes.ts')
const { api, approve, fund, organization, person } = await import('../../support/api.ts')
const { submit } = await import('../../support/batches/batches.ts')
const { requestPayment, typedBill } = await import('../../support/bills/bills.ts')
const { BANK, WALLET, contactWith } = await import('../../support/contacts/destinations.ts')
const { owner } = await import('../../support/database.ts')
const { refusal } = await import('../../support/http/refusals.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { passes } = await import('../../support/payments/moments.ts')
const { execute, executed, quoteOf } = await import('../../support/payments/quotes.ts')

// no worker runs: each step is taken when the test says so
usePartners()

const KOELN = { line1: 'Domstraße 5', postal_code: '50668', city: 'Köln', country_code: 'DE' }
const EUROS = { amount: '10.00', currency: 'EUR' }
const INCOMPLETE = [422, 'onboarding_incomplete']
const types = (notices: readonly { type: string }[]): string[] => notices.map(({ type }) => type)

test('an organization without an address is refused before an approval, and told which fields are missing', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  const quote = await quoteOf(boss, contact, EUROS)
  expect(types(quote.blocked_by)).toEqual(['onboarding_incomplete'])
  const refused = await execute(boss, quote.quote_id)
  expect(refusal(refused)).toEqual(INCOMPLETE)
  expect(refused.body.error.details).toEqual({ fields: ['postal_address'] })
  const bill = await typedBill(boss, payer.id, { iban: 'DE89370400440532013000', amount: '20.00' })
  expect(refusal(await requestPayment(boss, bill.id))).toEqual(INCOMPLETE)
  const sends = async () => {
    const { body } = await api('GET', `/organizations/${payer.id}/capabilities`, { token: boss.token })
    const euros = body.data.find((one: { currency: string }) => one.currency === 'EUR')
    return [euros.send, euros.receive.available]
  }
  expect(await sends()).toEqual([{ available: false, reason: 'onboarding_incomplete' }, true])

  expect((await setSettings(boss, payer.id, { postal_address: KOELN })).status).toBe(200)
  expect(await sends()).toEqual([{ available: true, reason: null }, true])
  expect((await execute(boss, quote.quote_id)).status).toBe(201)
  expect((await requestPayment(boss, bill.id)).status).toBe(200)
  const renamed = { token: boss.token, body: { name: '株式会社' } }
  expect((await api('PATCH', `/organizations/${payer.id}`, renamed)).status).toBe(200)
  const again = await execute(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  expect(again.body.error.details).toEqual({ fields: ['name'] })
})

test('pages lead from the refusal to the settings of the company', async () => {
  const shown = async (type: string, language: Language) =>
    String(await blocker({ type, message: '' }, 'c0', { language, words: wordsIn(language) }))
  expect(await shown('onboarding_incomplete', 'en')).toContain('<a href="/o/c0/company/settings">Settings</a>')
  expect(await shown('onboarding_incomplete', 'de')).toMatch(
    /Es fehlen Angaben Ihrer Firma.*<a href="\/o\/c0\/company\/settings">Einstellungen<\/a>/s,
  )
  expect(await shown('address_required', 'en')).not.toContain('company/settings')
})

test('coins need it as well, payments by service ID do not', async () => {
  const { boss, contact } = await contactWith([WALLET])
  const coins = await quoteOf(boss, contact, { amount: '5', currency: 'USDC' })
  expect(types(coins.blocked_by)).toEqual(['onboarding_incomplete'])
  const payee = await organization(await person(), 'Payee')
  const handle = `payee${payee.id.slice(-8)}`
  await owner`update organizations set svc_id = ${handle} where id = ${payee.id}`
  const inside = await contactWith([{ type: 'svc_id', svc_id: handle }])
  await fund(inside.payer.id, '500.00', 'USD')
  const quote = await quoteOf(inside.boss, inside.contact, { amount: '5.00', currency: 'USD' })
  expect(quote.blocked_by).toEqual([])
})

test('rows of a batch by bank say so, until the address is there', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  await setSettings(boss, payer.id, { postal_address: KOELN })
  const row = { payment_contact_id: contact, amount: '3.00', currency: 'EUR' }
  const draft = await batchOf(boss, payer.id, row)
  await setSettings(boss, payer.id, { postal_address: null })
  expect(refusal(await submit(boss, draft))).toEqual([422, 'batch_has_invalid_rows'])
  const { data } = (await api('GET', `/payment-batches/${draft}/rows`, { token: boss.token })).body
  expect(data[0].errors).toMatchObject([{ column: null, code: 'onboarding_incomplete' }])
  await setSettings(boss, payer.id, { postal_address: KOELN })
  const { status, body } = await submit(boss, draft)
  expect(status).toBe(200)
  await setSettings(boss, payer.id, { postal_address: null })
  expect(refusal(await approve(boss, body))).toEqual(INCOMPLETE)
})

test('each moment of a payment looks at the organization as it is then', async () => {
  const found = await passes({ postal_address: KOELN }, (scenes) =>
    Promise.all(scenes.map(({ boss, id }) => setSettings(boss, id, { postal_address: null }))),
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

test('a payment that was made before orders named their payer goes on as before', async () => {
  const { boss, payer, contact } = await contactWith([BANK])
  await fund(payer.id, '500.00', 'EUR')
  await setSettings(boss, payer.id, { postal_address: KOELN })
  const payment = await executed(boss, (await quoteOf(boss, contact, EUROS)).quote_id)
  await owner`update payments set payer_id = null where id = ${payment.id}`
  await setSettings(boss, payer.id, { postal_address: null })
  expect((await approve(boss, payment)).status).toBe(200)
})
