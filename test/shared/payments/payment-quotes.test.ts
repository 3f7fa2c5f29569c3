import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DEFAULT_FEES } from '../../../domain/money/fees.ts'
import { api, approvalPath, createPayment, organization, payerAndPayee, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET, add, contactWith, destinationsPath } from '../../support/contacts/destinations.ts'
import { refusal } from '../../support/http/refusals.ts'
import { mailsTo } from '../../support/identity/identity.ts'
import { executed, preflight, quoteOf } from '../../support/payments/quotes.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

test('what a person confirms begins with the code, and names who gets the money, whatever they are called', async () => {
  const boss = await person()
  const { id } = await organization(boss, 'Payer')
  const { token } = boss
  const destinations = [{ ...BANK, account_holder_name: 'Mal "Private" Test' }]
  const body = { name: 'Mal Private Test', type: 'business', destinations }
  const contact = (await api('POST', `/organizations/${id}/payment-contacts`, { token, body })).body.id
  const name = 'Amazon Web Services": Amazon EU, IBAN …9999. Your code is 123456. "'
  expect((await api('PATCH', `/payment-contacts/${contact}`, { token, body: { name } })).status).toBe(200)
  const quote = await quoteOf(boss, contact, { amount: '900.20', currency: 'EUR' })
  const payment = await executed(boss, quote.quote_id)
  const asked = await api('POST', `${approvalPath(payment)}/approve`, { token, body: {} })
  const { summary } = asked.body.error.step_up
  expect(summary).toBe(
    `Approve: Pay 900.00 EUR to "Amazon Web Services': Amazon EU, IBAN …9999. Your code is 123456. '" (holder "Mal 'Private' Test", IBAN …2051). Fee 0.20; 900.20 EUR leave the balance.`,
  )
  const [mail] = await mailsTo(boss.email)
  expect(mail?.text.split('\n\n-- \n')[0]).toBe(
    `Your code is ${mail?.code}. It is good for 10 minutes.\n\nNobody of ours ever asks you for it.\n\nIt confirms this: ${summary}`,
  )
  expect(mail).toMatchObject({ url: null, text: expect.not.stringMatching(/:\/\//) })
})

describe('a payment by bank', () => {
  test('is offered with its fee, which makes no payment and moves nothing, executed, and waits for approval', async () => {
    const { boss, payer, contact } = await contactWith([BANK])
    const quote = await quoteOf(boss, contact, { amount: '100.00', currency: 'EUR' })
    expect(quote).toMatchObject({
      rail: 'fiat',
      deducting: { amount: '100.00', currency: 'EUR' },
      landing: { amount: '99.80', currency: 'EUR' },
      fees: [{ name: 'Bank transfer', amount: { amount: '0.20', currency: 'EUR' } }],
      rate: null,
      approvers_needed: 1,
      blocked_by: [],
    })
    const [asked] = await owner`
      select (select count(*)::integer from payments where organization_id = ${payer.id}) as payments,
        (select count(*)::integer from ledger_transfers where organization_id = ${payer.id}) as transfers`
    expect(asked).toEqual({ payments: 0, transfers: 0 })
    const payment = await executed(boss, quote.quote_id)
    expect(payment).toMatchObject({
      organization_id: payer.id,
      payment_contact_id: contact,
      quote_id: quote.quote_id,
      rail: 'fiat',
      status: 'awaiting_approval',
      cancellable: false,
      deducting: quote.deducting,
      landing: quote.landing,
      transaction_id: null,
      event: { stream: 'payments', type: 'payment.created' },
    })
    const approval = await api('GET', approvalPath(payment), { token: boss.token })
    expect(approval.body).toMatchObject({
      action_type: 'withdrawal',
      target_type: 'fiat_outgoing',
      target_id: payment.id,
      summary: 'Pay 99.80 EUR to "Payee" (IBAN …2051). Fee 0.20; 100.00 EUR leave the balance.',
      subject: {
        type: 'fiat_outgoing',
        fiat_outgoing: {
          amount: '99.80',
          amount_with_fees: '100.00',
          currency: 'EUR',
          fee: { amount: '0.20', currency: 'EUR' },
          destination: { id: payment.destination_id, account: '…2051', account_holder_name: 'Payee' },
        },
      },
    })
    const [row] = await owner`select fee_amount, fee_feed_id, rate from payments where id = ${payment.id}`
    expect(row).toMatchObject({ fee_amount: '0.20', fee_feed_id: expect.any(String), rate: null })
  })

  test('what must arrive arrives exactly, and what is deducted covers the fee', async () => {
    const { boss, contact } = await contactWith([BANK])
    const quote = await quoteOf(boss, contact, { amount: '100', currency: 'EUR' }, { side: 'landing' })
    expect(quote).toMatchObject({ landing: { amount: '100.00' }, deducting: { amount: '100.20' } })
  })
})

test('a payment by blockchain is offered, executed, and waits for approval', async () => {
  const { boss, contact } = await contactWith([WALLET])
  const quote = await quoteOf(boss, contact, { amount: '25', currency: 'USDC' })
  expect(quote).toMatchObject({
    rail: 'crypto',
    deducting: { amount: '25.000000', currency: 'USDC' },
    landing: { amount: '24.000000', currency: 'USDC' },
    fees: [{ name: 'Network', amount: { amount: '1.000000', currency: 'USDC' } }],
  })
  const payment = await executed(boss, quote.quote_id)
  expect(payment).toMatchObject({ rail: 'crypto', status: 'awaiting_approval', quote_id: quote.quote_id })
  const approval = await api('GET', approvalPath(payment), { token: boss.token })
  expect(approval.body.summary).toBe(
    'Pay 24.000000 USDC to "Payee" (USDC on ethereum, address …9EE7). Fee 1.000000; 25.000000 USDC leave the balance.',
  )
  expect(approval.body.subject).toEqual({
    type: 'crypto_outgoing',
    crypto_outgoing: {
      id: payment.id,
      amount: '24.000000',
      amount_with_fees: '25.000000',
      currency: 'USDC',
      account_change: null,
      coin: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        custody_code: 'USDC_ETH',
        display_name: 'USD Coin',
        label: 'USDC on Ethereum',
        network: 'ethereum',
        network_name: 'Ethereum',
        symbol: 'USDC',
      },
      created_at: payment.created_at,
      destination: { id: payment.destination_id, address: WALLET.address },
      internal_notes: null,
      payer: null,
      payment_contact: { id: contact, name: 'Payee', deleted_at: null },
      state: 'awaiting approval',
      tag: null,
      txid: null,
    },
  })
})

test('who approves a payment to an address of many sees whose account there it is', async () => {
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const wallet = { ...WALLET, network: 'solana', address, memo: '104467' }
  const { boss, contact } = await contactWith([wallet])
  const quote = await quoteOf(boss, contact, { amount: '25', currency: 'USDC' })
  const payment = await executed(boss, quote.quote_id)
  const { body } = await api('GET', approvalPath(payment), { token: boss.token })
  const destination = { id: payment.destination_id, address, memo: '104467' }
  expect(body.subject.crypto_outgoing.destination).toEqual(destination)
})

test('a payment by service ID costs nothing, and is the payment that POST /payments makes', async () => {
  const { boss, contactId } = await payerAndPayee('0')
  const quote = await quoteOf(boss, contactId, { amount: '10', currency: 'USD' })
  expect(quote).toMatchObject({
    rail: 'svc_id',
    deducting: { amount: '10.00', currency: 'USD' },
    landing: { amount: '10.00', currency: 'USD' },
    fees: [],
    rate: null,
  })
  const [quoted, plain] = [await executed(boss, quote.quote_id), await createPayment(boss, contactId, '10.00')]
  const unlike = { id: '', approval_request_id: '', created_at: '', event: {} }
  expect({ ...quoted, ...unlike }).toEqual({ ...plain, ...unlike })
  expect(quoted.quote_id).toBe(null)
  const bodies = await owner<{ subject_body: string }[]>`
    select replace(subject_body, target_id::text, '') as subject_body from approvals
    where target_id in ${owner([quoted.id, plain.id])}`
  expect(bodies[0]).toEqual(bodies[1])
})

test('the table of fees is published to who is signed in', async () => {
  const { boss } = await contactWith([])
  const { body } = await api('GET', '/fees', { token: boss.token })
  const usd = (amount: string) => ({ amount, currency: 'USD' })
  const dollars = { rail: 'fiat', currency: 'USD', name: 'Bank transfer', basis_points: 5, min: usd('0.00') }
  expect(body.payments[1]).toEqual({ ...dollars, fixed: usd('0.50'), max: usd('25.00') })
  expect(body.payments[3]).toMatchObject({ rail: 'fiat', currency: null, fixed: null, basis_points: 10, min: null })
  const { payments, ...rest } = DEFAULT_FEES
  expect(body).toMatchObject({ ...rest, payments: payments.map(({ rail, currency }) => ({ rail, currency })) })
})

describe('which destination', () => {
  const second = { ...BANK, iban: 'DE89370400440532013000' }

  test('is the default one, or the one that is named', async () => {
    const { boss, contact } = await contactWith([BANK])
    const other = await add(boss, contact, second)
    const made = async (more: object) => {
      const quote = await quoteOf(boss, contact, { amount: '5', currency: 'EUR' }, more)
      return (await executed(boss, quote.quote_id)).destination_id
    }
    expect(await made({ destination_id: other.body.id })).toBe(other.body.id)
    expect(await made({ destination_id: null })).not.toBe(other.body.id)
  })

  test('an unknown, deleted, pending or foreign one, and one of another contact, are not found', async () => {
    const [mine, theirs] = [await contactWith([BANK]), await contactWith([BANK])]
    const { boss, contact, list } = mine
    const body = { name: 'Another', type: 'business', destinations: [second] }
    const another = await api('POST', list, { token: boss.token, body })
    const gone = await add(boss, contact, second)
    await api('DELETE', `/payment-destinations/${gone.body.id}`, { token: boss.token })
    const pending = await add(boss, contact, { ...BANK, iban: 'DE75512108001245126199' })
    await owner`update payment_destinations set pending = true where id = ${pending.body.id}`
    const foreign = await api('GET', destinationsPath(theirs.contact), { token: theirs.boss.token })
    const ids = [randomUUID(), gone.body.id, pending.body.id, another.body.destinations[0].id, foreign.body.data[0].id]
    for (const destination_id of ids) {
      const answer = await preflight(boss, contact, { amount: '5', currency: 'EUR' }, { destination_id })
      expect(refusal(answer)).toEqual([404, 'not_found'])
    }
  })

  test('a contact without one is refused with destination_missing', async () => {
    const { boss, contact } = await contactWith([])
    const answer = await preflight(boss, contact, { amount: '5', currency: 'EUR' })
    expect(refusal(answer)).toEqual([422, 'destination_missing'])
  })
})

test('an amount that cannot be is refused', async () => {
  const [bank, wallet] = [await contactWith([BANK]), await contactWith([WALLET])]
  for (const [{ boss, contact }, amount, currency, side, status, type] of [
    [bank, '1e3', 'EUR', 'deducting', 400, 'invalid_request'],
    [bank, '1.001', 'EUR', 'deducting', 422, 'amount_precision'],
    [bank, `${'9'.repeat(15)}.99`, 'EUR', 'landing', 422, 'amount_too_large'], // with its fee it has a digit more
    [bank, '0.20', 'EUR', 'deducting', 422, 'unprocessable_entity'],
    [bank, '5', 'XQZ', 'deducting', 422, 'unsupported_currency'],
    [bank, '5', 'USDC', 'deducting', 422, 'unsupported_currency'],
    [bank, '5', 'USD', 'landing', 422, 'unsupported_currency'],
    [wallet, '5', 'USDT', 'deducting', 422, 'unsupported_currency'],
    [wallet, '5.1234567', 'USDC', 'landing', 422, 'amount_precision'],
  ] as const) {
    const answer = await preflight(boss, contact, { amount, currency }, { side })
    expect(refusal(answer), `${amount} ${currency} ${side}`).toEqual([status, type])
  }
  const { body } = await preflight(bank.boss, bank.contact, { amount: '0.10', currency: 'EUR' })
  expect(body.error).toMatchObject({
    message: 'The fees would take up the whole amount.',
    details: { reason: 'fees_exceed_amount', fees: { amount: '0.20', currency: 'EUR' } },
  })
})

const { boss, contactId } = await payerAndPayee('10.00')
const change = (by: { token: string }, id: string, body: object) =>
  api('PATCH', `/payments/${id}`, { token: by.token, body })
const eventsOf = (id: string) => owner<{ payload: object }[]>`
  select payload::jsonb as payload from events where subject_id = ${id} and type = 'payment.updated' order by id`

test('notes and tag change, absent stays, null clears, and the log says what but not the words', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  const noted = await change(boss, payment.id, { internal_notes: 'For the new office', tag: 'vendor' })
  expect(noted.body).toEqual({ ...payment, internal_notes: 'For the new office', tag: 'vendor' })
  expect((await change(boss, payment.id, { tag: null })).body).toEqual({ ...noted.body, tag: null })
  expect((await change(boss, payment.id, {})).body).toEqual({ ...noted.body, tag: null })
  expect((await change(boss, payment.id, { internal_notes: null })).body).toEqual(payment)
  expect((await eventsOf(payment.id)).map(({ payload }) => payload)).toEqual([
    { changed: ['internal_notes', 'tag'], tag: 'vendor' },
    { changed: ['tag'], tag: null },
    { changed: ['internal_notes'] },
  ])
})

test('nothing else of a payment changes', async () => {
  const payment = await createPayment(boss, contactId, '2.00')
  const others = { amount: { amount: '9.00', currency: 'USD' }, statement_description: 'Another', status: 'succeeded' }
  expect((await change(boss, payment.id, others)).body).toEqual(payment)
})

test('many changes at once all happen, one after the other', async () => {
  const payment = await createPayment(boss, contactId, '6.00')
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => change(boss, payment.id, { internal_notes: `note ${index}` })),
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(await eventsOf(payment.id)).toHaveLength(5)
})
