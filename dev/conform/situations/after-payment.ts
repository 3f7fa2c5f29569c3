/** Steps of situations after a payout was paid: both sides end, the provider says something else, we compare. */
import { reconcile } from '../reconciling.ts'
import type { Scene } from '../scene.ts'
import { later } from '../service.ts'

const SETTLED_DOWN_SECONDS = 3600

/** Has the payment paid, and all of its callbacks seen. */
export async function pay(scene: Scene): Promise<void> {
  await scene.settle()
  if ((await scene.look()).status !== 'succeeded') throw new Error('the payment has not succeeded')
}

/** Says a change by a callback, and lets the payment's run look. */
export async function tell(scene: Scene): Promise<void> {
  await scene.callBack()
  await scene.drive(3)
}

/** Reconciles when both lists and our books have settled down, then lets the run look. */
export async function compare(scene: Scene): Promise<void> {
  await reconcile(scene.payment.rail)
  await later(SETTLED_DOWN_SECONDS)
  await reconcile(scene.payment.rail)
  await scene.drive(3)
}
