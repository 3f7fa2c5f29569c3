/** Situations after an order was taken: late, held, backward, contradictory, and changed. */
import { later } from '../service.ts'
import { CALLED, PAID, type Situation, UNKNOWABLE, byFiles, ofPayment } from '../situation.ts'
import type { Expectation } from '../verdict.ts'
import { compare, pay, tell } from './after-payment.ts'

const FAILED: Expectation = { ends: ['failed'] }
const DAY_SECONDS = 86_400
const [BOOKED, GIVEN_BACK, KEPT] = ['booked and not paid', 'given back and paid', 'kept from the customer']

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
    CALLED,
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
    byFiles(
      { ends: ['succeeded'], finding: 'bank_file_status_differs' },
      { ends: ['succeeded'], finding: 'in_the_books_but_not_paid' },
    ),
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
    byFiles(
      { ends: ['failed'], finding: 'bank_file_status_differs' },
      { ends: ['failed'], finding: 'paid_but_not_in_the_books' },
    ),
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
    byFiles(
      { ends: ['succeeded'], finding: 'bank_file_entry_unknown' },
      { ends: ['succeeded'], finding: 'payout_amount_differs' },
    ),
  ),
  ofPayment(
    'the amount changes while the payout is on its way',
    'booked with another amount',
    async (scene) => {
      await scene.order()
      scene.move('processing', { amount: { ...scene.payment.amount, amount: '110.00' } })
      await scene.drive()
    },
    byFiles({ ends: ['processing'], finding: 'bank_file_amount_differs' }, UNKNOWABLE),
  ),
]

export const changes: readonly Situation[] = [...late, ...backward]
