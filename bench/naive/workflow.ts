/** Naive payment: three activities that write to Postgres, approved by a signal. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow'
import type * as activities from './activities.ts'

export type NaivePayment = { readonly id: string; readonly from: number; readonly to: number }

export const approve = defineSignal('approve')

const { reserve, settle, complete } = proxyActivities<typeof activities>({ startToCloseTimeout: '10 seconds' })

export async function naivePayment(payment: NaivePayment): Promise<void> {
  let approved = false
  setHandler(approve, () => void (approved = true))
  await reserve(payment)
  await condition(() => approved)
  await settle(payment)
  await complete(payment)
}
