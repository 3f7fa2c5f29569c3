/** Situations after an order was taken: late, held, backward, contradictory, returned, and changed. */
import { reconcile } from '../reconciling.ts'
import type { Scene } from '../scene.ts'
import { later } from '../service.ts'
import { PAID, RETURNABLE, type Situation, UNKNOWABLE, ofPayment } from '../situation.ts'
import type { Expectation } from '../verdict.ts'

const REVERSED: Expectation = { ends: ['reversed'] }
const FAILED: Expectation = { ends: ['failed'] }
const [DAY_SECONDS, SETTLED_DOWN_SECONDS] = [86_400, 3600]
const [BOOKED, GIVEN_BACK, KEPT] = ['booked and not paid', 'given back and paid', 'kept from the customer']

/** Has the payment paid, and all of its callbacks seen. */
async function pay(scene: Scene): Promise<void> {
  await scene.settle()
  if ((await scene.look()).status !== 'succeeded') throw new Error('the payment has not succeeded')
}

/** Says a change by a callback, and lets the payment's run look. */
async function tell(scene: Scene): Promise<void> {
  await scene.callBack()
  await scene.drive(3)
}

/** Reconciles when both lists and our books have settled down, then lets the run look. */
async function compare(scene: Scene): Promise<void> {
  await reconcile(scene.payment.rail)
  await later(SETTLED_DOWN_SECONDS)
  await reconcile(scene.payment.rail)
  await scene.drive(3)
}

const late: readonly Situation[] = [
  ofPayment(
    'a payout settles after three days',
    GIVEN_BACK,
    async (scene) => {
      await scene.order()
      for (let day = 0; day < 3; day += 1) {
        await later(DAY_SECONDS)
        await scene.drive(1)
      }
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'a payout is held, then paid',
    GIVEN_BACK,
    async (scene) => {
      await scene.order()
      scene.move('on_hold')
      await scene.drive(3)
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'a payout is held, then rejected',
    BOOKED,
    async (scene) => {
      await scene.order()
      scene.move('on_hold')
      await scene.drive(3)
      scene.move('rejected')
      await scene.drive()
    },
    FAILED,
  ),
  ofPayment(
    'a payout is rejected',
    BOOKED,
    async (scene) => {
      await scene.order()
      scene.move('rejected')
      await scene.drive()
    },
    FAILED,
  ),
  ofPayment(
    'the provider cancels a payout by itself',
    BOOKED,
    async (scene) => {
      await scene.order()
      scene.move('cancelled')
      await scene.drive()
    },
    FAILED,
  ),
  ofPayment(
    'the provider forgets an order that it took',
    'paid twice',
    async (scene) => {
      await scene.drive(1)
      scene.provider.forget(scene.payout().handle)
      await scene.drive()
    },
    UNKNOWABLE,
  ),
]

const backward: readonly Situation[] = [
  ofPayment(
    'the status goes backward, and so does the version',
    BOOKED,
    async (scene) => {
      await pay(scene)
      scene.move('processing', { onlySay: true, version: 1 })
      await tell(scene)
    },
    PAID,
  ),
  ofPayment(
    'the status goes backward under a new version',
    BOOKED,
    async (scene) => {
      await pay(scene)
      scene.move('processing', { onlySay: true })
      await tell(scene)
    },
    PAID,
  ),
  ofPayment(
    'the status is pending again while the payout is on its way',
    'paid twice',
    async (scene) => {
      await scene.order()
      scene.move('processing')
      await scene.drive(2)
      scene.move('pending', { onlySay: true })
      await scene.drive(2)
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'the version goes backward while the payout goes on',
    KEPT,
    async (scene) => {
      await scene.order()
      scene.move('processing', { version: 9 })
      await scene.drive(2)
      scene.move('settled', { version: 3 })
      await scene.drive(3)
      scene.move('settled', { version: 10, onlySay: true })
      await scene.drive()
    },
    PAID,
  ),
  ofPayment(
    'paid, then called rejected, though the money has left',
    GIVEN_BACK,
    async (scene) => {
      await pay(scene)
      scene.move('rejected', { onlySay: true })
      await tell(scene)
      await compare(scene)
    },
    { ends: ['succeeded'], finding: 'in_the_books_but_not_paid' },
  ),
  ofPayment(
    'rejected, and paid nevertheless',
    GIVEN_BACK,
    async (scene) => {
      await scene.order()
      const { handle } = scene.payout()
      scene.move('rejected')
      await scene.drive()
      scene.provider.move(handle, 'settled')
      await compare(scene)
    },
    { ends: ['failed'], finding: 'paid_but_not_in_the_books' },
  ),
  ofPayment(
    'the amount changes after the payment',
    'booked with another amount',
    async (scene) => {
      await pay(scene)
      scene.move('settled', { onlySay: true, amount: { ...scene.payment.amount, amount: '90.00' } })
      await scene.callBack()
      await scene.drive(3)
      await compare(scene)
    },
    { ends: ['succeeded'], finding: 'payout_amount_differs' },
  ),
  ofPayment(
    'the amount changes while the payout is on its way',
    'booked with another amount',
    async (scene) => {
      await scene.order()
      scene.move('processing', { amount: { ...scene.payment.amount, amount: '110.00' } })
      await scene.drive()
    },
    UNKNOWABLE,
  ),
]

const returned: readonly Situation[] = [
  ofPayment(
    'a payout comes back',
    KEPT,
    async (scene) => {
      await pay(scene)
      scene.move('returned')
      await tell(scene)
    },
    REVERSED,
    RETURNABLE,
  ),
  ofPayment(
    'a payout comes back, and the provider says so twice',
    'given back twice',
    async (scene) => {
      await pay(scene)
      scene.move('returned')
      await tell(scene)
      const [payout] = scene.payouts()
      if (payout) scene.provider.move(payout.handle, 'returned', { onlySay: true })
      await tell(scene)
    },
    REVERSED,
    RETURNABLE,
  ),
  ofPayment(
    'a payout comes back, and no callback says so',
    KEPT,
    async (scene) => {
      await pay(scene)
      scene.move('returned')
      await compare(scene)
    },
    REVERSED,
    RETURNABLE,
  ),
  ofPayment(
    'a payout comes back before we saw that it was paid',
    KEPT,
    async (scene) => {
      await scene.order()
      scene.move('settled')
      scene.move('returned')
      await scene.drive()
    },
    REVERSED,
    RETURNABLE,
  ),
  ofPayment(
    'a payout comes back after sixty days',
    KEPT,
    async (scene) => {
      await pay(scene)
      await later(60 * DAY_SECONDS)
      scene.move('returned')
      await tell(scene)
    },
    REVERSED,
    RETURNABLE,
  ),
  ofPayment(
    'a payout comes back, and is called paid again',
    'booked twice',
    async (scene) => {
      await pay(scene)
      scene.move('returned')
      await tell(scene)
      const [payout] = scene.payouts()
      if (payout) scene.provider.move(payout.handle, 'settled', { onlySay: true })
      await tell(scene)
      await compare(scene)
    },
    { ends: ['reversed'], finding: 'payout_status_differs' },
    RETURNABLE,
  ),
]

export const changes: readonly Situation[] = [...late, ...backward, ...returned]
