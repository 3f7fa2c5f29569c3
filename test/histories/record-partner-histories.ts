/** `npm run histories`: walks the paths of partners, mail servers and schedules and records their histories. */
import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { depositIdOf } from '../../domain/deposits/deposit.ts'
import { sendMessage } from '../../services/messages/messages.ts'
import { transaction } from '../../db/postgres/sql.ts'
import { type ScheduleName, startNow } from '../../temporal/schedules.ts'
import { api, approve, createPayment, fund, organization, payerAndPayee, person } from '../support/api.ts'
import { tamper } from '../support/ledger/books.ts'
import { owner } from '../support/database.ts'
import { OTHER, answer, arriveCrypto, arriveSilently, openAccount } from '../support/deposits/deposits.ts'
import { advance as moveClock } from '../support/identity/identity.ts'
import { invite } from '../support/invitations/invitations.ts'
import { mailOf } from '../support/messages/mails.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../support/partners/proxy.ts'
import { calledBack, fault } from '../support/partners/partners.ts'
import { advance, become, cancel, payerBy, sent, taken } from '../support/payments/payouts.ts'
import { executed, quoteOf } from '../support/payments/quotes.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { historyOf, recordPaths, runOf, scheduledRun } from '../support/histories/recording.ts'
import { reconcile } from '../support/partners/reconcile.ts'
import { waits } from '../support/runs/runs.ts'
import { endow, execute, quoted } from '../support/swaps.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

const { mails } = await vi.hoisted(async () => {
  const { startMailServer } = await import('../support/mail-server.ts')
  const mails = await startMailServer()
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-partners-'
  process.env['SMTP_URL'] = `smtp://${mails.address}`
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  return { mails }
})
usePartnerProxy()
useWorker({ whole: true })

const DAYS = 24 * 3600
const SAID = { ...OTHER, name: PRIVATE.payer, address: PRIVATE.notes, account_reference: PRIVATE.statement }

async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  return { boss, org: await organization(boss, PRIVATE.payee) }
}

/** Makes the partner refuse matching requests with this code. */
const refuses = (method: string, path: RegExp, code: string): void =>
  answerInstead((asked, at) =>
    asked === method && path.test(at)
      ? { status: 422, body: JSON.stringify({ code, message: PRIVATE.comment }) }
      : undefined,
  )

recordPaths({
  async 'payment-paid-by-bank'() {
    const payer = await payerBy('fiat')
    const payment = await sent(payer)
    await become(payer, payment, 'succeeded')
    return runOf('payment', payment.id)
  },
  /** Path: a standard order after an instant one that the bank rejects. */
  async 'payment-instant-rejected'() {
    const payer = await payerBy('fiat')
    const { boss, contact } = payer
    await fault('bank', 'instant_rejected')
    const { quote_id } = await quoteOf(boss, contact, { amount: '100.00', currency: 'EUR' }, { speed: 'instant' })
    const payment = await executed(boss, quote_id)
    await approve(boss, payment)
    await become(payer, payment, 'succeeded')
    return runOf('payment', payment.id)
  },
  /** Path: the run that a return after success starts. */
  async 'payment-reversed'() {
    const { payer, payment } = await taken('fiat')
    for (const step of ['succeeded', 'reversed'] as const) {
      await advance(payment, step)
      await become(payer, payment, step)
      await until('its run to have seen that', async () => {
        const [process] = await owner`select unseen_since from processes where id = ${payment.id}`
        return !process?.['unseen_since']
      })
    }
    return runOf('payment', payment.id)
  },
  async 'payment-cancelled'() {
    const { payer, payment } = await taken('crypto')
    await cancel(payer, payment)
    return runOf('payment', payment.id)
  },
  /** Path: no clear answer until the partner is back. */
  async 'payment-partner-away'() {
    const payer = await payerBy('fiat')
    answerInstead(() => ({ status: 503, body: '' }))
    const payment = await sent(payer)
    await become(payer, payment, 'on_hold')
    answerAsBefore()
    return runOf('payment', payment.id)
  },
  /** Path: the loop repeats a step that fails for good while its row is not whole. */
  async 'payment-step-failed'() {
    const { payment } = await taken('fiat')
    const [row] = await owner`select destination_id as destination from payments where id = ${payment.id}`
    const pay = (id: string) => tamper((tx) => tx`update payments set destination_id = ${id} where id = ${payment.id}`)
    const run = runOf('payment', payment.id)
    await pay(randomUUID())
    await until('a step that failed', async () =>
      (await historyOf(run)).events.some(({ eventType }) => eventType === 'EVENT_TYPE_ACTIVITY_TASK_FAILED'),
    )
    await pay(row?.['destination'])
    await advance(payment, 'succeeded')
    return run
  },
})

/** Coins held until their sender is named. */
async function held() {
  const { boss, org } = await scene()
  const { id } = await arriveCrypto(org.id, '1000')
  await waits({ id })
  const answers = async () => expect((await answer(boss, id, SAID)).status).toBe(200)
  return { id, answers, run: runOf('deposit', id) }
}

recordPaths({
  async 'deposit-credited'() {
    const at = await held()
    await at.answers()
    return at.run
  },
  async 'deposit-returned'() {
    const at = await held()
    await moveClock(30 * DAYS + 60)
    return at.run
  },
  async 'deposit-return-refused'() {
    const at = await held()
    refuses('PUT', /\/return$/, 'account_closed')
    await owner`update deposits set release_by = business_now() where id = ${at.id}`
    await reconcile()
    await until('a return that was refused', async () => {
      const [row] = await owner`select from deposits where id = ${at.id} and release_by > business_now()`
      return row
    })
    await waits(at)
    await at.answers()
    return at.run
  },
  async 'deposit-announced-then-held'() {
    const { boss, org } = await scene()
    const { account } = await openAccount(boss, org.id, 'USDC')
    const partnerDepositId = await arriveSilently('custodian', account, '1000', 'USDC')
    await calledBack(partnerDepositId, { partner: 'custodian', type: 'deposit.updated' })
    const id = depositIdOf('custodian', partnerDepositId)
    await until('coins that are held', async () => (await owner`select from deposits where id = ${id}`)[0])
    await waits({ id })
    expect((await answer(boss, id, SAID)).status).toBe(200)
    return runOf('deposit', id)
  },
  /** Path: a second callback while the deposit is being booked. */
  async 'deposit-called-about-meanwhile'() {
    const at = await held()
    const [row] = await owner<{ subject: string }[]>`
      select partner_deposit_id as subject from deposits where id = ${at.id}`
    const call = { partner: 'custodian', id: randomUUID(), subject: 'deposit', subject_id: row?.subject ?? '' }
    await owner`insert into partner_callbacks ${owner(call)}`
    await owner`update processes set look_at = business_now() where id = ${at.id}`
    await reconcile()
    await until('it to be taken in', async () => {
      const [open] = await owner`select from partner_callbacks where id = ${call.id} and handled_at is null`
      return open === undefined
    })
    await waits(at)
    await at.answers()
    return at.run
  },
})

recordPaths({
  async 'cover-refused-then-closed'() {
    refuses('PUT', /\/trades\//, 'market_closed')
    const { boss, org } = await scene()
    await endow(org.id, '100.00', 'USD')
    const { quote_id } = await quoted({ boss, org }, { source_amount: PRIVATE.amount })
    const { swap_id: id } = (await execute(boss, quote_id)).body
    await until('a refusal', async () => (await owner`select from covers where id = ${id} and ask_note <> ''`)[0])
    await waits({ id })
    answerAsBefore()
    return runOf('cover', id)
  },
  async 'receiving-account-refused-then-opened'() {
    refuses('PUT', /\/accounts\//, 'not_now')
    const { boss, org } = await scene()
    const { body } = await api('GET', `/organizations/${org.id}/bank-accounts`, { token: boss.token })
    const [{ id }] = body.data
    await until('a refusal', async () => (await owner`select from receiving_accounts where id = ${id} and asks > 0`)[0])
    await waits({ id })
    answerAsBefore()
    return runOf('receiving-account', id)
  },
})

/** The run of the message to a recipient whose mail server puts it off, after some tries. */
async function putOff(write: (recipient: string) => Promise<unknown>, tries = 1) {
  const recipient = `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`
  mails.misbehave(recipient, ...Array.from({ length: 20 }, () => 451))
  await write(recipient)
  const id = await until('some tries', async () => {
    const [row] = await owner<{ id: string }[]>`
      select id from messages where recipient = ${recipient} and attempts >= ${tries}`
    return row?.id
  })
  await waits({ id })
  return runOf('delivery', id)
}

recordPaths({
  async 'delivery-put-off-then-failed'() {
    const { boss, org } = await scene()
    const run = await putOff((email) => invite(boss, org.id, [{ email }]), 2)
    await moveClock(25 * 3600)
    return run
  },
  /** Path: the mail is out of date before its server takes it. */
  async 'delivery-put-off-until-too-late'() {
    const mail = mailOf(PRIVATE.statement, PRIVATE.notes, { code: '314159' })
    const run = await putOff((recipient) =>
      transaction((tx) => sendMessage(tx, { recipient, channel: 'email', minutes: 10, mail })),
    )
    await moveClock(11 * 60)
    return run
  },
})

const scheduled = async (name: ScheduleName) => {
  const { boss, contactId } = await payerAndPayee()
  await createPayment(boss, contactId)
  return scheduledRun(name)
}

recordPaths({
  'audit-clean': () => scheduled('ledger-audit'),
  'event-heads-published': () => scheduled('event-heads'),
  'file-purge-done': () => scheduled('file-purge'),
  'proof-of-funds-signed': () => scheduled('proof-of-funds'),
  /** Path: the bank gives no answer at first, and does at the next look. */
  async 'proof-of-funds-looked-again'() {
    const { org } = await scene()
    await fund(org.id, '5.00', 'EUR')
    let asked = 0
    answerInstead((_, path) =>
      path.startsWith('/bank/v1/balances') && (asked += 1) === 1 ? { status: 503, body: '' } : undefined,
    )
    const run = await startNow('proof-of-funds')
    await run.result()
    return run
  },
  /** Path: a list cannot be read at first, and is read in another round. */
  async 'reconciliation-unread-then-read'() {
    let asked = 0
    answerInstead((_, path) =>
      path.startsWith('/bank/v1/payouts?') && (asked += 1) === 1 ? { status: 503, body: '' } : undefined,
    )
    const run = await startNow('reconciliation-bank')
    await run.result()
    return run
  },
})
