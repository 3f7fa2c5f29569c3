/** What the workflow of a deposit asks of the partner. A repeat answers as the first time. */
import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { log } from '../db/log.ts'
import { bookArrival, bookSentBack } from '../db/deposit-bookings.ts'
import { findHeld, markCallsRead, recordReturn } from '../db/deposits.ts'
import { type Booked, railOf, worth } from '../db/model/deposit.ts'
import type { OrganizationId } from '../db/model/ids.ts'
import type { Money } from '../db/model/money.ts'
import type { MoneyPartner } from '../db/model/partner.ts'
import { asSystem } from '../db/sql.ts'
import * as unmatched from '../db/unmatched-deposits.ts'
import type { ArrivalRef, DepositRef } from './deposits.ts'
import { type DepositView, moneyPartner } from './partners/money.ts'
import { askRate } from './partners/rates.ts'
import { readDeposit } from './unreadable.ts'

/** Asks the partner about a deposit, and books it. What it says of people goes into the books alone. */
export async function receiveDeposit({ partner, partnerDepositId }: ArrivalRef): Promise<Booked> {
  const view = await readDeposit(partner, partnerDepositId)
  return view ? bookView(partner, view) : { kind: 'nothing' }
}

/** Books a deposit of a partner's own list or reply; one that it has sent back by itself is returned where it waits for somebody. */
export async function bookView(partner: MoneyPartner, view: DepositView): Promise<Booked> {
  if (view.status === 'returned') return bookSentBack({ partner, partnerDepositId: view.id })
  const { id: partnerDepositId, account, amount, sender, reference } = view
  const valueUsd = railOf(partner) === 'crypto' ? await usdValue(amount) : null
  return bookArrival({ partner, partnerDepositId, account, network: null, amount, valueUsd, source: sender, reference })
}

/** What coins are worth; null where the desk cannot say: then the money is held, and nothing is guessed. */
async function usdValue({ amount, currency }: Money): Promise<string | null> {
  try {
    return worth(amount, (await askRate(currency, 'USD')).rate)
  } catch (error) {
    log.warn({ err: error, currency }, 'no rate for a deposit: it is held whatever it is worth')
    return null
  }
}

const REASON = 'Nobody said who sent it.'
const UNMATCHED_REASON = 'Nobody could be found for it.'

type AtPartner = { readonly partner: MoneyPartner; readonly partnerDepositId: string; readonly amount: Money }

/** Whether its partner has sent a deposit back. Fails for good where it never heard of it, or names another amount. */
async function isSentBack({ partner, partnerDepositId, amount }: AtPartner): Promise<boolean> {
  const view = await moneyPartner(partner).getDeposit(partnerDepositId)
  if (!view) throw ApplicationFailure.nonRetryable(`the ${partner} does not know the deposit`, 'DepositUnknown')
  if (view.amount.amount !== amount.amount || view.amount.currency !== amount.currency) {
    throw ApplicationFailure.nonRetryable(`the ${partner} names another amount`, 'DepositDiffers')
  }
  return view.status === 'returned'
}

/** Has the partner send a deposit back; refused for good where it keeps the money. */
async function sendBack(deposit: AtPartner, reason: string): Promise<'done' | 'refused'> {
  try {
    await moneyPartner(deposit.partner).returnDeposit(deposit.partnerDepositId, deposit.amount, reason)
    return 'done'
  } catch (error) {
    if (!(error instanceof ApplicationFailure && error.nonRetryable)) throw error
    // somebody else may have had it sent back, for another reason
    const sentBack = await isSentBack(deposit).catch(() => {
      throw error
    })
    return sentBack ? 'done' : 'refused'
  }
}

/** Has the partner send a deposit back that is on its way back; nothing where it is not, or no longer. */
export async function returnDeposit({ organizationId, depositId }: DepositRef): Promise<'done' | 'refused'> {
  const held = await asSystem(organizationId, (tx) => findHeld(tx, depositId))
  return held?.isReturning ? sendBack(held, REASON) : 'done'
}

/** Asks the partner about a held deposit, and books it where it was sent back; nothing where it is held no longer. */
export async function lookAtDeposit({ organizationId, depositId }: DepositRef): Promise<void> {
  const held = await asSystem(organizationId, (tx) => findHeld(tx, depositId))
  if (!held) return
  if (!(await isSentBack(held))) {
    await asSystem(organizationId, (tx) => markCallsRead(tx, depositId, held.calls))
    return
  }
  const status = await asSystem(organizationId, (tx) => recordReturn(tx, depositId, true))
  if (status !== 'returned') log.error({ deposit_id: depositId, status }, 'a partner has sent back what is credited')
}

/** The same, for so long: what the partner says later counts for others. Where that is unclear, it is as if nobody had asked. */
export async function lookBriefly(ref: DepositRef, patienceMs: number): Promise<void> {
  const looked = lookAtDeposit(ref).catch((error: unknown) => {
    log.warn({ err: error, deposit_id: ref.depositId }, 'a partner does not say whether it has a deposit')
  })
  await Promise.race([looked, delay(patienceMs, undefined, { ref: false })])
}

/**
 * Gives unmatched money to an organization, as `assignUnmatched` of db/unmatched-deposits.ts says, where the partner says
 * that it still has it: what it sent back is booked as returned, and refused. Fails where the partner does not say.
 */
export async function assignUnmatched(id: string, organizationId: OrganizationId): Promise<Booked> {
  const undecided = await unmatched.findUndecided(id)
  if (undecided && (await isSentBack(undecided))) await unmatched.recordUnmatchedReturn(id)
  return unmatched.assignUnmatched(id, organizationId)
}

/**
 * Has a partner send unmatched money back, and books it. What broke off is done again; each step is safe to repeat. What the
 * partner refuses for good waits for an operator again.
 */
export async function returnUnmatched(id: string): Promise<void> {
  const waiting = await unmatched.beginReturn(id)
  if ((await sendBack(waiting, UNMATCHED_REASON)) === 'done') return unmatched.recordUnmatchedReturn(id)
  await unmatched.recordUnmatchedReturnRefused(id)
  log.error({ unmatched_deposit_id: id }, 'a partner refuses to send unmatched money back: it stays in suspense')
  throw new Error(`the ${waiting.partner} refuses to send ${id} back: it is unmatched again`)
}
