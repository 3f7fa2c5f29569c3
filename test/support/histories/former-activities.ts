/** Activities of the former form, made of the present views and steps: a look acted before it answered. */
import type { main, partners } from '../../../activities/index.ts'
import type { PaymentId } from '../../../domain/ids.ts'
import type { ProcessRef } from '../../../domain/process.ts'

export type PaymentRef = ProcessRef<PaymentId>
type Looked =
  | { readonly again: true }
  | {
      readonly again: false
      readonly driven: boolean
      readonly due_now: boolean
      readonly status: string
      readonly wait_seconds: number | null
    }

/** The activities of the former payment workflow, by their former names. */
export function formerActivities(present: { readonly main: typeof main; readonly partners: typeof partners }) {
  const { viewPayment, expireApproval, remindApprovers } = present.main
  const { orderPayout, pollPayout, cancelPayout } = present.partners

  async function lookAtPayment(ref: PaymentRef): Promise<Looked> {
    const view = await viewPayment(ref)
    if (view.again) return view
    if (view.at_rest) return { again: false, driven: false, due_now: false, status: view.status, wait_seconds: null }
    if ('approval' in view && view.approval.due !== null) {
      await (view.approval.due === 'expiry' ? expireApproval : remindApprovers)(ref)
      return { again: true }
    }
    const { status, wait_seconds } = view
    return { again: false, driven: true, due_now: 'ask_due' in view && view.ask_due, status, wait_seconds }
  }

  async function pursuePayout(ref: PaymentRef): Promise<void> {
    await orderPayout(ref)
    await cancelPayout(ref)
    await pollPayout(ref)
  }

  return { local: { lookAtPayment }, steps: { pursuePayout } }
}

export type FormerLocal = ReturnType<typeof formerActivities>['local']
export type FormerSteps = ReturnType<typeof formerActivities>['steps']
