/** Questions to a partner about deposits that are held: has it sent the money back? */
import { setTimeout as delay } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { type Tx, asSystem } from '../db/postgres/sql.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { DepositId, OrganizationId } from '../domain/ids.ts'
import type { Money } from '../domain/money/money.ts'
import { log } from '../platform/log.ts'
import { takeInCalls } from '../services/callbacks/callbacks.ts'
import { type HeldDeposit, findHeldDeposit, markCallbacksProcessed, recordReturn } from '../services/deposits/steps.ts'
import { moneyPartner } from './money-partners.ts'

export type AtPartner = { readonly partner: ConnectionName; readonly partnerDepositId: string; readonly amount: Money }

/** Asks if the partner has sent a deposit back. Fails for good if the deposit is unknown or the amount differs. */
export async function isSentBack({ partner, partnerDepositId, amount }: AtPartner): Promise<boolean> {
  const view = await moneyPartner(partner).deposit(partnerDepositId)
  if (!view) throw ApplicationFailure.nonRetryable(`the ${partner} does not know the deposit`, 'DepositUnknown')
  if (view.amount.amount !== amount.amount || view.amount.currency !== amount.currency) {
    throw ApplicationFailure.nonRetryable(`the ${partner} names another amount`, 'DepositDiffers')
  }
  return view.status === 'returned'
}

/** Asks about a held deposit, and books its return or closes the callbacks about it. */
export async function askAboutHeld(organizationId: OrganizationId, id: DepositId, held: HeldDeposit): Promise<void> {
  if (await isSentBack(held)) return bookReturn(organizationId, id, true)
  await asSystem(organizationId, (tx) => markCallbacksProcessed(tx, id, held.callbacksReceived))
}

/** Books the return of the money; `unasked`: on the partner's own initiative. */
export async function bookReturn(organizationId: OrganizationId, id: DepositId, unasked: boolean): Promise<void> {
  const status = await asSystem(organizationId, (tx) => recordReturn(tx, id, unasked))
  if (status !== 'returned') log.error({ deposit_id: id, status }, 'a partner returned a deposit that is credited')
}

/** Asks the partner within a time limit, and books a return. Without a clear answer, callbacks stay unprocessed. */
export async function recheckWithTimeout(organizationId: OrganizationId, id: DepositId, patienceMs: number) {
  const until = Date.now() + patienceMs
  const looked = recheck(organizationId, id, until).catch((error: unknown) => {
    log.warn({ err: error, deposit_id: id }, 'a partner gave no clear answer about a deposit')
  })
  await Promise.race([looked, delay(patienceMs, undefined, { ref: false })])
}

/** Asks once, and again for callbacks that came meanwhile. */
async function recheck(organizationId: OrganizationId, id: DepositId, until: number): Promise<void> {
  const readHeld = (tx: Tx) => takeInCalls(tx, id).then(() => findHeldDeposit(tx, id))
  let held = await asSystem(organizationId, readHeld)
  do {
    if (held) await askAboutHeld(organizationId, id, held)
    held = await asSystem(organizationId, readHeld)
  } while (held?.hasUnprocessedCallbacks && Date.now() < until)
}
