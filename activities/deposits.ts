/** Questions to a partner about a deposit. A repeat answers as the first time. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { log } from '../platform/log.ts'
import { bookArrival } from '../db/deposits/booking.ts'
import {
  type HeldDeposit,
  findHeldDeposit,
  markCallbacksProcessed,
  noteUnclear,
  recordReturn,
  recordReturnRefused,
} from '../db/deposits/steps.ts'
import { ownerOf } from '../db/deposits/view.ts'
import type { BookingResult } from '../domain/deposits/deposit.ts'
import type { DepositId, OrganizationId } from '../domain/ids.ts'
import { product } from '../domain/money/decimal.ts'
import type { Money } from '../domain/money/money.ts'
import type { MoneyPartner } from '../domain/callbacks/partner.ts'
import type { ProcessRef } from '../domain/process.ts'
import { syncUnreadable } from '../db/audit/findings.ts'
import { closeDepositCalls, openDepositCalls } from '../db/callbacks/callbacks.ts'
import { recordUnreadableRecords } from '../db/callbacks/unreadable-records.ts'
import { asSystem, transaction, rowsOf } from '../db/sql.ts'
import * as unmatched from '../db/deposits/unmatched.ts'
import { type PartnerDeposit, isUnknownMoney, moneyPartner } from '../partners/money-partners.ts'
import { askRate } from '../partners/rates.ts'
import { repeatsAtOnce } from './repeats.ts'
import { railOf } from '../domain/rails.ts'

export type ArrivalRef = { readonly partner: MoneyPartner; readonly partnerDepositId: string }

/** Asks the partner about a deposit, and books it; personal data stay out of the history. */
export async function receiveDeposit({ partner, partnerDepositId }: ArrivalRef): Promise<BookingResult> {
  const view = await readDeposit(partner, partnerDepositId)
  return view ? bookView(partner, view) : { kind: 'nothing' }
}

/**
 * Reads a partner's deposit; null if there is nothing to be booked. One in a currency that the books do not know becomes
 * a finding for the operator until the partner lists it in one that they do.
 */
async function readDeposit(partner: MoneyPartner, id: string): Promise<PartnerDeposit | null> {
  try {
    return await moneyPartner(partner).getDeposit(id)
  } catch (error) {
    if (!isUnknownMoney(error)) throw error
    log.error({ err: error, partner, partner_deposit_id: id }, 'a deposit is of money that the books do not know')
    await recordUnreadableRecords(partner, 'deposits', [{ name: id, isZeroAmount: false }])
    await syncUnreadable()
    return null
  }
}

/** Books a deposit as its partner shows it; one that it has sent back by itself is returned if it is unmatched. */
export async function bookView(partner: MoneyPartner, view: PartnerDeposit): Promise<BookingResult> {
  if (view.status === 'returned') return unmatched.bookSentBack({ partner, partnerDepositId: view.id })
  const { id: partnerDepositId, account, amount, sender, reference } = view
  const valueUsd = railOf(partner) === 'crypto' ? await usdValue(amount) : null
  return bookArrival({ partner, partnerDepositId, account, network: null, amount, valueUsd, source: sender, reference })
}

/** Values coins in US dollars; null if the desk cannot say: then the money is held, and nothing is guessed. */
async function usdValue({ amount, currency }: Money): Promise<string | null> {
  try {
    return product(amount, (await askRate(currency, 'USD')).rate)
  } catch (error) {
    log.warn({ err: error, currency }, 'no rate for a deposit: it is held whatever it is worth')
    return null
  }
}

const REASON = 'Nobody said who sent it.'
const UNMATCHED_REASON = 'Nobody could be found for it.'

type AtPartner = { readonly partner: MoneyPartner; readonly partnerDepositId: string; readonly amount: Money }

/** Asks if the partner has sent a deposit back. Fails for good if it never heard of it, or names another amount. */
async function isSentBack({ partner, partnerDepositId, amount }: AtPartner): Promise<boolean> {
  const view = await moneyPartner(partner).getDeposit(partnerDepositId)
  if (!view) throw ApplicationFailure.nonRetryable(`the ${partner} does not know the deposit`, 'DepositUnknown')
  if (view.amount.amount !== amount.amount || view.amount.currency !== amount.currency) {
    throw ApplicationFailure.nonRetryable(`the ${partner} names another amount`, 'DepositDiffers')
  }
  return view.status === 'returned'
}

/** Has the partner send a deposit back; refused for good if it keeps the money. */
async function sendBack(deposit: AtPartner, reason: string): Promise<'done' | 'refused'> {
  try {
    await moneyPartner(deposit.partner).returnDeposit(deposit.partnerDepositId, deposit.amount, reason)
    return 'done'
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.nonRetryable)) throw error
    // it may have been sent back meanwhile, for another reason
    const sentBack = await isSentBack(deposit).catch(() => {
      throw error
    })
    return sentBack ? 'done' : 'refused'
  }
}

/** Books money that the partner called about, as it says when it is asked; closes the earlier calls. */
export async function bookAnnouncedDeposit({ partner, partnerDepositId }: ProcessRef<DepositId>): Promise<void> {
  if (!partner || !partnerDepositId) return
  const calls = await transaction((tx) => openDepositCalls(rowsOf(tx), { partner, partnerDepositId }))
  if (calls.length === 0) return
  await receiveDeposit({ partner, partnerDepositId })
  await closeDepositCalls(partner, calls)
}

/** Asks the partner about a held deposit that it called about: it may have been sent back by itself. */
export const askAboutDeposit = (ref: ProcessRef<DepositId>): Promise<void> =>
  askPartner(ref, ({ isReturning, hasUnprocessedCallbacks }) => hasUnprocessedCallbacks && !isReturning, askAboutHeld)

export const sendDepositBack = (ref: ProcessRef<DepositId>): Promise<void> =>
  askPartner(ref, ({ isReturning }) => isReturning, sendHeldBack)

type Question = (organizationId: OrganizationId, id: DepositId, held: HeldDeposit) => Promise<void>

/** Asks about a deposit that is still held, if that is due; an unclear answer is followed by another try. */
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

async function sendHeldBack(organizationId: OrganizationId, id: DepositId, held: AtPartner): Promise<void> {
  if ((await sendBack(held, REASON)) === 'done') return bookReturn(organizationId, id, false)
  const refused = await asSystem(organizationId, (tx) => recordReturnRefused(tx, id))
  if (refused) log.error({ deposit_id: id }, 'a partner refuses to return a deposit: it is held again')
}

async function askAboutHeld(organizationId: OrganizationId, id: DepositId, held: HeldDeposit): Promise<void> {
  if (await isSentBack(held)) return bookReturn(organizationId, id, true)
  await asSystem(organizationId, (tx) => markCallbacksProcessed(tx, id, held.callbacksReceived))
}

/** Books that the money went back; `unasked`: the partner did so by itself. */
async function bookReturn(organizationId: OrganizationId, id: DepositId, unasked: boolean): Promise<void> {
  const status = await asSystem(organizationId, (tx) => recordReturn(tx, id, unasked))
  if (status !== 'returned') log.error({ deposit_id: id, status }, 'a partner has sent back what is credited')
}

/** Asks the partner for so long, and books that the money was sent back; without a clear answer nothing changes. */
export async function recheckWithTimeout(organizationId: OrganizationId, id: DepositId, patienceMs: number) {
  const looked = asSystem(organizationId, (tx) => findHeldDeposit(tx, id))
    .then((held) => held && askAboutHeld(organizationId, id, held))
    .catch((error: unknown) => {
      log.warn({ err: error, deposit_id: id }, 'a partner does not say whether it has a deposit')
    })
  await Promise.race([looked, delay(patienceMs, undefined, { ref: false })])
}

/**
 * Gives unmatched money to an organization if the partner still has it; what it sent back is booked as returned, and
 * refused. Fails if the partner gives no answer.
 */
export async function assignUnmatched(id: string, organizationId: OrganizationId): Promise<BookingResult> {
  const undecided = await unmatched.findUndecided(id)
  if (undecided && (await isSentBack(undecided))) await unmatched.recordUnmatchedReturn(id)
  return unmatched.assignUnmatched(id, organizationId)
}

/** Has a partner send unmatched money back, and books it; safe to repeat. A final refusal makes it unmatched again. */
export async function returnUnmatched(id: string): Promise<void> {
  const waiting = await unmatched.beginReturn(id)
  if ((await sendBack(waiting, UNMATCHED_REASON)) === 'done') return unmatched.recordUnmatchedReturn(id)
  await unmatched.recordUnmatchedReturnRefused(id)
  log.error({ unmatched_deposit_id: id }, 'a partner refuses to send unmatched money back: it stays in suspense')
  throw new Error(`the ${waiting.partner} refuses to send ${id} back: it is unmatched again`)
}
