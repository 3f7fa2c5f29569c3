/** Walks the paths of deposits and receiving accounts, and keeps their histories: `npm run histories`. */
import { randomUUID } from 'node:crypto'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect, test, vi } from 'vitest'
import { startArrival } from '../api/processes.ts'
import { client } from '../temporal/client.ts'
import { depositIdOf } from '../db/deposit-arrivals.ts'
import { reconcile } from './support/reconcile.ts'
import { api, organization, person } from './support/api.ts'
import { owner } from './support/database.ts'
import { OTHER, answer, arriveCrypto, arriveSilently, openAccount } from './support/deposits.ts'
import { advance } from './support/identity.ts'
import { answerInstead, usePartnerProxy } from './support/partner-proxy.ts'
import { askPartner } from './support/partners.ts'
import { type History, PRIVATE, keepHistory, readable } from './support/recorded.ts'
import { eventually } from './support/runs.ts'
import { useWorker } from './support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-deposits-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
useWorker()
usePartnerProxy()

const DAYS = 24 * 3600
const ANSWER = { ...OTHER, name: PRIVATE.payer, address: PRIVATE.notes, account_reference: PRIVATE.statement }
const run = (workflowId: string) => client.workflow.getHandle(workflowId)
const stateOf = async (workflowId: string) => (await run(workflowId).describe()).status.name

async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const { id } = await organization(boss, PRIVATE.payee)
  return { boss, id }
}

/** Coins that are held. */
async function held() {
  const at = await scene()
  const { id: depositId } = await arriveCrypto(at.id, '1000')
  return { ...at, depositId: depositId as string, run: `deposit-${depositId}` }
}

/** Money that the partner alone knows of, and then tells. */
async function announced(partner: 'bank' | 'custodian', account: string, amount: string, currency: string) {
  const partnerDepositId = await arriveSilently(partner, account, amount, currency)
  await startArrival({ partner, partnerDepositId })
  const depositId = depositIdOf(partner, partnerDepositId)
  return { depositId, run: `deposit-${depositId}` }
}

const expire = (id: string) => owner`update deposits set release_by = business_now() where id = ${id}`
const statusOf = async (id: string) => (await owner`select status from deposits where id = ${id}`)[0]?.['status']

/** Whether a history says a word, in the clear or in the markers of local activities. */
async function tells(workflowId: string, word: string): Promise<boolean> {
  const history = JSON.parse(historyToJSON(await run(workflowId).fetchHistory())) as History // the shape that it documents
  return readable(history).includes(word)
}

/** Asks for an account as the first reading does, in any currency. */
async function requested(currency: string) {
  const at = await scene()
  const accountId = randomUUID()
  await owner`insert into receiving_accounts (id, organization_id, rail, currency, status, updated_at)
    values (${accountId}, ${at.id}, 'fiat', ${currency}, 'requested', business_now() - interval '2 hours')`
  await reconcile()
  return { ...at, accountId, run: `receiving-account-${accountId}` }
}

/** Each path answers the run that took it. */
const paths: Record<string, () => Promise<string>> = {
  async 'deposit-answered'() {
    const at = await held()
    expect((await answer(at.boss, at.depositId, ANSWER)).status).toBe(200)
    return at.run
  },
  async 'deposit-returned'() {
    const at = await held()
    await advance(30 * DAYS + 60)
    return at.run
  },
  /** The partner does not know it any more, until somebody has looked at it. */
  async 'deposit-refused-then-returned'() {
    const at = await held()
    const hidden = randomUUID()
    await owner`update sandbox_deposits set id = ${hidden} where id = ${at.depositId}`
    await expire(at.depositId)
    await reconcile()
    await eventually(() => tells(at.run, 'noteDepositStuck')).toBe(true)
    await owner`update sandbox_deposits set id = ${at.depositId} where id = ${hidden}`
    await eventually(async () => (await reconcile(), statusOf(at.depositId))).toBe('returned')
    return at.run
  },
  async 'deposit-return-refused'() {
    const at = await held()
    const refusal = { status: 422, body: JSON.stringify({ code: 'account_closed' }) }
    answerInstead((_, path) => (path.endsWith('/return') ? refusal : undefined))
    await expire(at.depositId)
    await reconcile()
    await eventually(() => tells(at.run, 'recordReturnRefused')).toBe(true)
    expect((await answer(at.boss, at.depositId, ANSWER)).status).toBe(200)
    return at.run
  },
  /** The partner sends it back by itself, and calls. */
  async 'deposit-recalled'() {
    const at = await held()
    const path = `/deposits/${at.depositId}/return`
    expect((await askPartner('custodian', 'PUT', path, { reason: 'The sender wants it back.' })).status).toBe(200)
    await eventually(() => tells(at.run, 'lookAtDeposit')).toBe(true)
    return at.run
  },
  async 'deposit-resumed'() {
    const at = await held()
    await run(at.run).terminate('ended by an operator')
    await owner`update deposits set updated_at = updated_at - interval '2 hours' where id = ${at.depositId}`
    await reconcile()
    await eventually(() => stateOf(at.run)).toBe('RUNNING')
    expect((await answer(at.boss, at.depositId, ANSWER)).status).toBe(200)
    return at.run
  },
  async 'deposit-announced'() {
    const at = await scene()
    const { account } = await openAccount(at.boss, at.id, 'EUR')
    return (await announced('bank', account, PRIVATE.amount, 'EUR')).run
  },
  async 'deposit-announced-held'() {
    const at = await scene()
    const { account } = await openAccount(at.boss, at.id, 'USDC')
    const made = await announced('custodian', account, '1000', 'USDC')
    await eventually(() => statusOf(made.depositId)).toBe('held')
    expect((await answer(at.boss, made.depositId, ANSWER)).status).toBe(200)
    return made.run
  },
  async 'deposit-unmatched'() {
    return (await announced('bank', randomUUID(), PRIVATE.amount, 'EUR')).run
  },
  async 'receiving-account-opened'() {
    const at = await scene()
    await api('GET', `/organizations/${at.id}/bank-accounts`, { token: at.boss.token })
    const { id } = await openAccount(at.boss, at.id, 'GBP')
    return `receiving-account-${id}`
  },
  /** The bank has no accounts in coins; what was asked for is put right. */
  async 'receiving-account-refused-then-opened'() {
    const at = await requested('BTC')
    await eventually(() => tells(at.run, 'PartnerRefused')).toBe(true)
    await owner`update receiving_accounts set currency = 'CHF' where id = ${at.accountId}`
    await eventually(async () => (await reconcile(), stateOf(at.run))).toBe('COMPLETED')
    return at.run
  },
}

test.each(Object.entries(paths))('%s', async (name, walk) => {
  const workflowId = await walk()
  await eventually(() => stateOf(workflowId)).toBe('COMPLETED')
  // The shape that historyToJSON documents.
  keepHistory(name, JSON.parse(historyToJSON(await run(workflowId).fetchHistory())) as History)
})
