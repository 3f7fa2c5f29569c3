/** Calls to a partner about a deposit. Idempotent. */
import { log } from '../platform/log.ts'
import { bookIncoming } from '../services/deposits/booking.ts'
import { type HeldDeposit, findHeldDeposit, noteUnclear, recordReturnRefused } from '../services/deposits/steps.ts'
import { ownerOf } from '../services/deposits/view.ts'
import type { BookingResult, PartnersDeposit } from '../domain/deposits/deposit.ts'
import type { DepositId, OrganizationId } from '../domain/ids.ts'
import { product } from '../domain/money/decimal.ts'
import type { Money } from '../domain/money/money.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { ProcessRef } from '../domain/process.ts'
import { syncUnreadable } from '../services/audit/findings.ts'
import { closeDepositCalls, openDepositCalls } from '../services/callbacks/callbacks.ts'
import { recordUnreadableRecords } from '../services/callbacks/unreadable-records.ts'
import { asSystem, transaction, rowsOf } from '../db/postgres/sql.ts'
import * as unmatched from '../services/deposits/unmatched.ts'
import type { DepositView } from '../partners/driver.ts'
import { isUnknownMoney } from '../partners/failures.ts'
import { isFinal } from '../partners/http.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { isHeld, orderOnce } from '../partners/orders.ts'
import { type AtPartner, askAboutHeld, bookReturn, isSentBack } from '../partners/held-deposits.ts'
import { askRate, hasRates } from '../partners/rates.ts'
import { repeatsAtOnce } from './repeats.ts'
import { activityBulkhead } from './bulkhead.ts'
import { railOf } from '../services/connections/connections.ts'

/** Asks the partner about a deposit, and books it. Personal data stay out of the workflow history. */
export async function receiveDeposit({ partner, partnerDepositId }: PartnersDeposit): Promise<BookingResult> {
  const view = await readDeposit(partner, partnerDepositId)
  return view ? bookView(partner, view) : { kind: 'nothing' }
}

/**
 * Reads a partner's deposit; null if there is nothing to book. A deposit in an unknown currency becomes a finding for
 * the operator until the partner lists it in a known one.
 */
async function readDeposit(partner: ConnectionName, id: string): Promise<DepositView | null> {
  try {
    return await moneyPartner(partner).deposit(id)
  } catch (error) {
    if (!isUnknownMoney(error)) throw error
    log.error({ err: error, partner, partner_deposit_id: id }, 'a deposit names a currency that the books do not have')
    await recordUnreadableRecords(partner, 'deposits', [{ name: id, isZeroAmount: false }])
    await syncUnreadable()
    return null
  }
}

/** Books a deposit as its partner shows it. Records the return of an unmatched one that the partner sent back. */
export async function bookView(partner: ConnectionName, view: DepositView): Promise<BookingResult> {
  if (view.status === 'returned') return unmatched.bookSentBack({ partner, partnerDepositId: view.id })
  const { id: partnerDepositId, account, amount, sender, reference } = view
  const valueUsd = railOf(partner) === 'crypto' ? await usdValue(amount) : null
  return bookIncoming({
    partner,
    partnerDepositId,
    account,
    network: null,
    amount,
    valueUsd,
    source: sender,
    reference,
  })
}

/** Bulkhead: deposits of coins ask the desk, and few of them while it is silent, as they hold places of the custodian. */
const placesAtDesk = activityBulkhead(10, { guests: 'deposits that ask for a rate', againMs: 30_000 })

/** Values coins in US dollars; null if the desk has no rate: the money is then held. */
const usdValue = async ({ amount, currency }: Money): Promise<string | null> =>
  hasRates
    ? placesAtDesk(async () => {
        try {
          return product(amount, (await askRate(currency, 'USD')).rate)
        } catch (error) {
          log.warn({ err: error, currency }, 'no rate for a deposit: it is held whatever its value')
          return null
        }
      })
    : null

const REASON = 'Nobody said who sent it.'
const UNMATCHED_REASON = 'Nobody could be found for it.'

/** Orders the return of a deposit, once; `refused` if the partner keeps the money for good. */
async function sendBack(deposit: AtPartner, reason: string): Promise<'done' | 'refused'> {
  const { partner: connection, partnerDepositId: id, amount } = deposit
  const driver = moneyPartner(connection)
  // the memory is of no organization: a deposit without an owner that was not sent back gets one later
  const name = { connection, subject: 'deposit_return', subjectId: id, organizationId: null, key: id } as const
  const isBack = async () => ((await isSentBack(deposit)) ? true : null)
  try {
    await orderOnce<unknown>(
      { ...name, operation: 'return', content: { id, amount } },
      {
        keeping: driver.describe(),
        commit: transaction,
        find: isBack,
        send: () => driver.returnDeposit({ id, amount, reason }, id),
      },
    )
    return 'done'
  } catch (error) {
    if (!isFinal(error) || isHeld(error)) throw error
    // it may have been sent back already, for another reason
    const sentBack = await isSentBack(deposit).catch(() => {
      throw error
    })
    return sentBack ? 'done' : 'refused'
  }
}

/** Books a deposit of a callback as the partner shows it now; closes the earlier callbacks. */
export async function bookAnnouncedDeposit({ partner, partnerDepositId }: ProcessRef<DepositId>): Promise<void> {
  if (!partner || !partnerDepositId) return
  const calls = await transaction((tx) => openDepositCalls(rowsOf(tx), { partner, partnerDepositId }))
  if (calls.length === 0) return
  await receiveDeposit({ partner, partnerDepositId })
  await closeDepositCalls(partner, calls)
}

/** Asks the partner about a held deposit after a callback: the partner may have sent it back. */
export const askAboutDeposit = (ref: ProcessRef<DepositId>): Promise<void> =>
  askPartner(ref, ({ isReturning, hasUnprocessedCallbacks }) => hasUnprocessedCallbacks && !isReturning, askAboutHeld)

export const sendDepositBack = (ref: ProcessRef<DepositId>): Promise<void> =>
  askPartner(ref, ({ isReturning }) => isReturning, sendHeldBack)

type Question = (organizationId: OrganizationId, id: DepositId, held: HeldDeposit) => Promise<void>

/** Asks about a deposit that is still held and due; retries after an unclear answer. */
async function askPartner(
  ref: ProcessRef<DepositId>,
  isDue: (held: HeldDeposit) => boolean,
  ask: Question,
): Promise<void> {
  const { id } = ref
  const organizationId = ref.organizationId ?? (await transaction((tx) => ownerOf(rowsOf(tx), ref)))
  if (!organizationId) return
  try {
    const held = await asSystem(organizationId, (tx) => findHeldDeposit(tx, id))
    if (held && isDue(held)) await ask(organizationId, id, held)
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.error(
      { err: error, deposit_id: id },
      'a partner does not say whether it has a deposit: its money stays in suspense',
    )
    await asSystem(organizationId, (tx) => noteUnclear(tx, id))
  }
}

/** Asks whether a deposit was sent back before its connection was paused: it is not sent now. */
async function askAboutReturn(organizationId: OrganizationId, id: DepositId, held: HeldDeposit): Promise<void> {
  if (held.hasUnprocessedCallbacks) return askAboutHeld(organizationId, id, held)
  if (await isSentBack(held)) return bookReturn(organizationId, id, false)
  await asSystem(organizationId, (tx) => noteUnclear(tx, id))
}

async function sendHeldBack(organizationId: OrganizationId, id: DepositId, held: HeldDeposit): Promise<void> {
  if (held.paused !== null) return askAboutReturn(organizationId, id, held)
  if ((await sendBack(held, REASON)) === 'done') return bookReturn(organizationId, id, false)
  const refused = await asSystem(organizationId, (tx) => recordReturnRefused(tx, id))
  if (refused) log.error({ deposit_id: id }, 'a partner refuses to return a deposit: it is held again')
}

/**
 * Assigns unmatched money to an organization if the partner still has it. Books and refuses money that was sent back.
 * Fails if the partner does not answer.
 */
export async function assignUnmatched(id: string, organizationId: OrganizationId): Promise<BookingResult> {
  const undecided = await unmatched.findUndecided(id)
  if (undecided && (await isSentBack(undecided))) await unmatched.recordUnmatchedReturn(id)
  return unmatched.assignUnmatched(id, organizationId)
}

/** Returns unmatched money through its partner, and books it. Idempotent. A final refusal makes it unmatched again. */
export async function returnUnmatched(id: string): Promise<void> {
  const waiting = await unmatched.beginReturn(id)
  if ((await sendBack(waiting, UNMATCHED_REASON)) === 'done') return unmatched.recordUnmatchedReturn(id)
  await unmatched.recordUnmatchedReturnRefused(id)
  log.error({ unmatched_deposit_id: id }, 'a partner refuses to send unmatched money back: it stays in suspense')
  throw new Error(`the ${waiting.partner} refuses to send ${id} back: it is unmatched again`)
}
