/** A paused connection gets nothing new, and finishes what it has; every other goes on. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { administer } from '../../../admin.ts'
import { wordsIn } from '../../../pages/words/words.ts'
import { viewPayment } from '../../../services/payments/view.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { readerOf } from '../../../db/postgres/sql.ts'
import { api, approve, fund } from '../../support/api.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { askPartner } from '../../support/partners/partners.ts'
import { arriveAt, arriveCrypto, depositor } from '../../support/deposits/deposits.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../../support/partners/proxy.ts'
import { advance, become, cancel, holdings, payerBy, read, sent, taken } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { execute as exchange } from '../../support/swaps.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

await vi.hoisted(async () => {
  const { connect } = await import('../../support/connections.ts')
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR'] }] },
    dollars: { serves: [{ rail: 'fiat', currencies: ['USD'] }] },
    custodian: { serves: [{ rail: 'crypto' }] },
    rates: { serves: [{ rates: true }], callback_secret: undefined },
  })
})
usePartnerProxy()
useWorker()

function pause(name: string): Promise<string> {
  onTestFinished(() =>
    resume(name).then(
      () => {},
      () => {},
    ),
  )
  return administer(['connections', 'pause', name, '--reason', 'It', 'answers', 'nonsense'])
}
const resume = (name: string) => administer(['connections', 'resume', name])

/** Waits until the run of a row has looked, and waits for nothing but a signal. */
const atRest = (id: string) =>
  until(`the run of ${id} waits`, async () => {
    const rows = await owner`select from processes where id = ${id} and look_at = 'infinity' and unseen_since is null`
    return rows.length === 1
  })

const ordersOf = (id: string) => owner`select partner, status from sandbox_payouts where id = ${id}`

async function sentInDollars() {
  const at = await contactWith([{ ...BANK, currency: 'USD', swift_code: 'BYLADEM1001' }])
  await fund(at.payer.id, '900.00', 'USD')
  const quote = await quoteOf(at.boss, at.contact, { amount: '5.00', currency: 'USD' })
  const payment = await executed(at.boss, quote.quote_id)
  expect((await approve(at.boss, payment)).status).toBe(200)
  return { payer: { ...at, rail: 'fiat' as const }, payment }
}

test('orders of a paused connection wait, and are sent when it goes on; another connection sends its own', async () => {
  expect(await pause('bank')).toContain('connection bank is paused')
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await atRest(payment.id)
  const view = await viewPayment(readerOf(payer.payer.id as OrganizationId), payment.id)
  expect(view).toMatchObject({ says: 'Waits: the connection bank is paused: It answers nonsense.' })
  const other = await sentInDollars()
  await become(other.payer, other.payment, 'succeeded')
  expect(await ordersOf(other.payment.id)).toMatchObject([{ partner: 'dollars' }])
  expect(await ordersOf(payment.id)).toEqual([])
  expect(await read(payer, payment)).toMatchObject({ status: 'submitted' })

  const { body } = await api('GET', `/organizations/${payer.payer.id}/capabilities`, { token: payer.boss.token })
  const able = (currency: string) => body.data.find((one: { currency: string }) => one.currency === currency)
  expect(able('EUR')).toMatchObject({ send: { available: false, reason: 'paused' }, receive: { reason: 'paused' } })
  expect(able('USD')).toMatchObject({ send: { available: true }, receive: { available: true } })
  expect(able('USDC')).toMatchObject({ send: { available: true } })

  expect(await resume('bank')).toContain('connection bank goes on: 1')
  await become(payer, payment, 'succeeded')
})

test('payers and approvers read that a payment waits for the end of a pause, and when it goes on no more', async () => {
  await pause('dollars')
  const { payer, payment } = await sentInDollars()
  const [{ token }, of] = [payer.boss, `/organizations/${payer.payer.id}`]
  const request: string = payment.approval_request_id
  const details = async () => [
    (await read(payer, payment)).status_detail,
    (await api('GET', `${of}/payments`, { token })).body.data[0].status_detail,
    (await api('GET', `${of}/approvals/${request}`, { token })).body.subject.fiat_outgoing.state,
  ]
  const said = async (language: 'en' | 'de') => {
    const headers = { 'accept-language': language, cookie: `session=${token}` }
    const pages = [`/o/${payer.payer.id}/payments/${payment.id}`, `/approve/${request}`]
    const texts = await Promise.all(
      pages.map(async (path) => (await api('GET', `/${path}`, { headers })).body as string),
    )
    return texts.map((text) => text.includes(wordsIn(language).payments.paused))
  }
  expect(new Set(await details())).toEqual(new Set(['waits: the bank dollars is paused']))
  expect([await said('en'), await said('de')]).toEqual([
    [true, true],
    [true, true],
  ])
  await resume('dollars')
  await become(payer, payment, 'succeeded')
  expect(new Set(await details())).not.toContain('waits: the bank dollars is paused')
  expect(await said('en')).toEqual([false, false])
})

test('what is under way is asked about, and what arrives is booked', async () => {
  const { payer, payment } = await taken('fiat')
  await pause('bank')
  await fund(payer.payer.id, '5.00', 'EUR')
  await advance(payment, 'succeeded')
  await become(payer, payment, 'succeeded')
  await resume('bank')
})

test('an order that the partner has got before the pause is found, and not sent again', async () => {
  await pause('bank')
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await atRest(payment.id)
  // as if the answer had been lost when the order had been sent
  const order = { amount: payment.landing, reference: 'Invoice', beneficiary: { account_holder_name: 'Payee' } }
  const made = await askPartner('bank', 'PUT', `/payouts/${payment.id}`, order)
  expect(made.status).toBe(200)
  await become(payer, payment, 'succeeded')
  await resume('bank')
})

test('an order that had begun before the pause is asked about, and not sent; it is when the connection goes on', async () => {
  await pause('bank')
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await atRest(payment.id)
  // as if the process had died between the memory of the order and its request
  await owner`
    insert into partner_orders (connection, subject, subject_id, organization_id, operation, key, hash)
    values ('bank', 'payment', ${payment.id}, ${payer.payer.id}, 'payout', ${payment.id}, 'other')`
  await administer(['processes', 'restart', payment.id])
  await until(
    'the bank is asked',
    async () => (await owner`select from payments where id = ${payment.id} and asks > 0`)[0],
  )
  expect(await ordersOf(payment.id)).toEqual([])
  expect((await read(payer, payment)).status_detail).toBe('approved')
  await owner`delete from partner_orders where subject_id = ${payment.id}`
  await resume('bank')
  await become(payer, payment, 'succeeded')
})

test('a payment that was never sent is cancelled under a pause, and is not sent after it', async () => {
  await pause('custodian')
  const payer = await payerBy('crypto')
  const payment = await sent(payer)
  await atRest(payment.id)
  expect((await cancel(payer, payment)).status).toBe(200)
  await become(payer, payment, 'cancelled')
  expect(await holdings(payer, payer.payer.id)).toEqual({ available: 900, held: 0 })
  await resume('custodian')
  expect(await ordersOf(payment.id)).toEqual([])
})

test('accounts are opened when their connection goes on', async () => {
  await pause('dollars')
  const { boss, payer } = await contactWith([BANK])
  const accounts = async () =>
    (await api('GET', `/organizations/${payer.id}/bank-accounts`, { token: boss.token })).body.data as {
      currency: string
      status: string
      id: string
    }[]
  const dollars = async () => (await accounts()).find(({ currency }) => currency === 'USD')
  const asked = await dollars()
  await atRest(asked?.id ?? '')
  expect(await dollars()).toMatchObject({ status: 'provisioning' })
  await resume('dollars')
  await until('it is open', async () => (await dollars())?.status === 'active')
})

test('money whose sender nobody names goes back when its connection goes on', async () => {
  const { id: organizationId } = await depositor()
  const { id } = await arriveCrypto(organizationId, '5000.00')
  await pause('custodian')
  await owner`update deposits set release_by = business_now() where id = ${id}`
  await administer(['processes', 'restart', id])
  await until('it goes back', async () => (await owner`select from deposits where id = ${id} and is_returning`)[0])
  await atRest(id)
  const atPartner = () => owner`
    select s.status from sandbox_deposits s join deposits d on d.partner_deposit_id = s.id where d.id = ${id}`
  expect(await atPartner()).toEqual([{ status: 'received' }])
  await resume('custodian')
  await until(
    'it went back',
    async () => (await owner`select from deposits where id = ${id} and status = 'returned'`)[0],
  )
  expect(await atPartner()).toEqual([{ status: 'returned' }])
})

test('unmatched money is not sent back by a paused connection', async () => {
  const { unmatched_deposit_id: id } = await arriveAt('nobody', '5.00')
  await pause('bank')
  await expect(administer(['deposits', 'return', id])).rejects.toMatchObject({ type: 'invalid_state' })
  await resume('bank')
  expect(await administer(['deposits', 'return', id])).toContain('is returned')
})

test('a paused desk exchanges nothing new; what was exchanged is covered when it goes on', async () => {
  const { boss, payer } = await contactWith([BANK])
  await fund(payer.id, '10.00', 'EUR')
  const asks = () =>
    api('POST', `/organizations/${payer.id}/swaps/quote`, {
      token: boss.token,
      body: { source_currency: 'EUR', target_currency: 'USD', source_amount: '1.00' },
    })
  const quoted = await asks()
  expect(quoted.status).toBe(200)
  answerInstead((method, path) =>
    method === 'PUT' && path.startsWith('/rates/v1/trades') ? { status: 503, body: '' } : undefined,
  )
  expect((await exchange(boss, quoted.body.quote_id)).status).toBe(201)
  const covers = () => owner<{ id: string; status: string; asks: number }[]>`
    select id, status, asks from covers where organization_id = ${payer.id}`
  await until('the desk was asked in vain', async () => ((await covers())[0]?.asks ?? 0) > 0)
  await pause('rates')
  const { body } = await asks()
  expect(body.error).toMatchObject({ type: 'service_unavailable', details: { reason: 'exchange_paused' } })
  const [cover] = await covers()
  await atRest(cover?.id ?? '')
  answerAsBefore()
  expect(await owner`select from sandbox_trades`).toEqual([])
  await resume('rates')
  await until('it is covered', async () => (await covers())[0]?.status === 'covered')
})

test('a command that was interrupted is finished by the next round', async () => {
  await pause('bank')
  const payer = await payerBy('fiat')
  const payment = await sent(payer)
  await atRest(payment.id)
  await owner`
    update connection_pauses set resumed_at = business_now(), resumed_by = 'root' where resumed_at is null`
  const { wakeResumed } = await import('../../../services/connections/pauses.ts')
  expect(await wakeResumed()).toBe(1)
  expect(await wakeResumed()).toBe(0)
  await become(payer, payment, 'succeeded')
})

test('a pause is one at a time, of a connection that gets orders, and its history is kept', async () => {
  await pause('bank')
  await expect(pause('bank')).rejects.toMatchObject({ type: 'invalid_state' })
  await expect(pause('nobody')).rejects.toMatchObject({ type: 'not_found' })
  await expect(resume('dollars')).rejects.toMatchObject({ type: 'invalid_state' })
  const listed = await administer(['connections', 'list'])
  expect(listed).toMatch(/^bank \(fiat, http\): paused since .* by \S+: It answers nonsense; 0 orders.*resume it/m)
  expect(listed).toMatch(/^dollars \(fiat, http\): open; .*All is well/m)
  await resume('bank')
  const kept = await owner`select from connection_pauses where connection = 'bank' and resumed_at is not null`
  expect(kept.length).toBeGreaterThan(3)
})
