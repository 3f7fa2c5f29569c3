/** Scheduled reconciliation with one partner or the rates desk: its lists against our books. */
import { setCurrentDetails } from '@temporalio/workflow'
import type { PartnerRef, Reconciled } from '../activities/reconciliation.ts'
import { scheduleOn } from './proxies.ts'

export async function reconciliation(ref: PartnerRef): Promise<Reconciled> {
  setCurrentDetails(`Reads what the ${ref.partner} lists.`)
  const reconciled = await scheduleOn(ref.partner).reconcilePartner(ref)
  setCurrentDetails(`${reconciled.records} records, ${reconciled.differences} differences.`)
  return reconciled
}
