/** `npm run histories`: walks the paths of partners, mail servers and schedules and records their histories. */
import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { depositIdOf } from '../../domain/deposits/deposit.ts'
import { sendMessage } from '../../services/messages/messages.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import type { MoneyPartner } from '../../domain/partner.ts'
import { transaction } from '../../db/postgres/sql.ts'
import { type ScheduleName, startNow } from '../../temporal/schedules.ts'
import { api, createPayment, organization, payerAndPayee, person } from '../support/api.ts'
import { tamper } from '../support/ledger/books.ts'
import { owner } from '../support/database.ts'
import { OTHER, answer, arriveCrypto, arriveSilently, openAccount } from '../support/deposits/deposits.ts'
import { advance as moveClock } from '../support/identity/identity.ts'
import { invite } from '../support/invitations/invitations.ts'
import { mailOf } from '../support/messages/mails.ts'
import { answerAsBefore, answerInstead, usePartnerProxy } from '../support/partners/proxy.ts'
import { askPartner, calledBack, fault } from '../support/partners/partners.ts'
import { type Rail, advance, become, cancel, payerBy, sent, taken } from '../support/payments/payouts.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { historyOf, recordPaths, runOf, scheduledRun } from '../support/histories/recording.ts'
import { reconcile } from '../support/partners/reconcile.ts'
import { waits } from '../support/runs/runs.ts'
import { coverOf, endow, execute, quoted } from '../support/swaps.ts'
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

/** The run of a payment at its partner, after these steps there. */
async function moved(rail: Rail, ...steps: Parameters<typeof advance>[1][]) {
  const { payer, payment } = await taken(rail)
  for (const step of steps) {
    await advance(payment, step)
    await become(payer, payment, step)
    await until('its run to have seen that', async () => {
      const [process] = await owner`select unseen_since from processes where id = ${payment.id}`
      return !process?.['unseen_since']
    })
  }
  return runOf('payment', payment.id)
}

async function paid(rail: Rail) {
  const payer = await payerBy(rail)
  const payment = await sent(payer)
  await become(payer, payment, 'succeeded')
  return runOf('payment', payment.id)
}

recordPaths({
  'payment-paid-by-bank': () => paid('fiat'),
  'payment-paid-by-blockchain': () => paid('crypto'),
  'payment-failed': () => moved('fiat', 'failed'),
  'payment-held-then-released': () => moved('fiat', 'on_hold', 'processing', 'succeeded'),
  /** Path: the run that a return after success starts. */
  'payment-reversed': () => moved('fiat', 'succeeded', 'reversed'),
  async 'payment-cancelled'() {
    const { payer, payment } = await taken('crypto')
    await cancel(payer, payment)
    return runOf('payment', payment.id)
  },
  async 'payment-broadcast-before-cancelled'() {
    const { payer, payment } = await taken('crypto')
    await fault('custodian', 'lost_callback', 1)
    await owner`update sandbox_payouts set status = 'processing', version = version + 1 where id = ${payment.id}`
    await cancel(payer, payment)
    await become(payer, payment, 'processing')
    await advance(payment, 'succeeded')
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

/** Calls back about money that only the partner knows. */
async function called(partner: MoneyPartner, partnerDepositId: string) {
  const { status } = await calledBack(partnerDepositId, { partner, type: 'deposit.updated' })
  expect(status).toBe(204)
  return runOf('deposit', depositIdOf(partner, partnerDepositId))
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
  /** Path: the partner sends it back by itself and calls. */
  async 'deposit-recalled'() {
    const at = await held()
    const { status } = await askPartner('custodian', 'PUT', `/deposits/${at.id}/return`, { reason: 'Its sender asks.' })
    expect(status).toBe(200)
    return at.run
  },
  async 'deposit-announced'() {
    const { boss, org } = await scene()
    const { account } = await openAccount(boss, org.id, 'EUR')
    return called('bank', await arriveSilently('bank', account, PRIVATE.amount, 'EUR'))
  },
  async 'deposit-announced-then-held'() {
    const { boss, org } = await scene()
    const { account } = await openAccount(boss, org.id, 'USDC')
    const partnerDepositId = await arriveSilently('custodian', account, '1000', 'USDC')
    const run = await called('custodian', partnerDepositId)
    const id = depositIdOf('custodian', partnerDepositId)
    await until('coins that are held', async () => (await owner`select from deposits where id = ${id}`)[0])
    await waits({ id })
    expect((await answer(boss, id, SAID)).status).toBe(200)
    return run
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
  'deposit-announced-and-nothing': () => called('bank', randomUUID()),
  'deposit-announced-for-nobody': async () =>
    called('bank', await arriveSilently('bank', randomUUID(), PRIVATE.amount, 'EUR')),
})

async function executed() {
  const { boss, org } = await scene()
  await endow(org.id, '100.00', 'USD')
  const { quote_id } = await quoted({ boss, org }, { source_amount: PRIVATE.amount })
  const { body } = await execute(boss, quote_id)
  return { id: body.swap_id as string, run: runOf('cover', body.swap_id) }
}

recordPaths({
  async 'cover-closed'() {
    const { id, run } = await executed()
    await until('its cover', async () => (await coverOf({ id }))?.status === 'covered')
    return run
  },
  async 'cover-refused-then-closed'() {
    refuses('PUT', /\/trades\//, 'market_closed')
    const { id, run } = await executed()
    await until('a refusal', async () => (await owner`select from covers where id = ${id} and ask_note <> ''`)[0])
    await waits({ id })
    answerAsBefore()
    return run
  },
  async 'receiving-account-opened'() {
    const { boss, org } = await scene()
    const { id } = await openAccount(boss, org.id, 'GBP')
    return runOf('receiving-account', id)
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

const newRecipient = () => `${PRIVATE.firstName.toLowerCase()}-${randomUUID()}@example.com`
const BUSY = Array.from({ length: 20 }, () => 451)

/** The invitation of a person whose server gives these answers first. */
async function invited(answers: readonly number[] = []) {
  const [{ boss, org }, recipient] = [await scene(), newRecipient()]
  mails.misbehave(recipient, ...answers)
  expect((await invite(boss, org.id, [{ email: recipient }])).status).toBe(201)
  return messageTo(recipient)
}

/** A mail about a new password that no person has asked for. */
async function forgotten() {
  const email = newRecipient()
  expect((await api('POST', '/auth/password/forgot', { body: { email } })).status).toBe(200)
  return messageTo(email)
}

/** A message as requests write it. */
async function written(to: Pick<NewMessage, 'recipient' | 'channel' | 'minutes'>) {
  const mail = mailOf(PRIVATE.statement, PRIVATE.notes, { code: '314159' })
  await transaction((tx) => sendMessage(tx, { ...to, mail }))
  return messageTo(to.recipient)
}

async function messageTo(recipient: string) {
  const [row] = await owner<{ id: string }[]>`select id from messages where recipient = ${recipient}`
  if (!row) throw new Error('it was written')
  const run = runOf('delivery', row.id)
  await until('its run', () => run.describe().catch(() => undefined))
  return { id: row.id, run }
}

recordPaths({
  'delivery-sent': async () => (await invited()).run,
  'delivery-refused': async () => (await invited([550])).run,
  'delivery-to-a-phone': async () => (await written({ recipient: '+12133730042', channel: 'message' })).run,
  'delivery-discarded': async () => (await forgotten()).run,
  async 'delivery-put-off-then-failed'() {
    const { id, run } = await invited(BUSY)
    await until('some tries', async () => (await owner`select from messages where id = ${id} and attempts > 1`)[0])
    await waits({ id })
    await moveClock(25 * 3600)
    return run
  },
  /** Path: the mail is out of date before its server takes it. */
  async 'delivery-put-off-until-too-late'() {
    const recipient = newRecipient()
    mails.misbehave(recipient, ...BUSY)
    const { id, run } = await written({ recipient, channel: 'email', minutes: 10 })
    await until('a try', async () => (await owner`select from messages where id = ${id} and attempts > 0`)[0])
    await waits({ id })
    await moveClock(11 * 60)
    return run
  },
})

const SCHEDULED: Readonly<Record<string, ScheduleName>> = {
  'audit-clean': 'ledger-audit',
  'event-heads-published': 'event-heads',
  'file-purge-done': 'file-purge',
  'reconciliation-bank': 'reconciliation-bank',
  'reconciliation-custodian': 'reconciliation-custodian',
  'reconciliation-rates': 'reconciliation-rates',
}

const scheduled = async (name: ScheduleName) => {
  const { boss, contactId } = await payerAndPayee()
  await createPayment(boss, contactId)
  return scheduledRun(name)
}

recordPaths(Object.fromEntries(Object.entries(SCHEDULED).map(([name, schedule]) => [name, () => scheduled(schedule)])))

recordPaths({
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
