/** Situations of a payout that comes back: whole or short, once or twice, and of what contradicts that. */
import { later } from '../service.ts'
import { RETURNABLE, RETURNS_PARTS, type Situation, byFiles, ofPayment } from '../situation.ts'
import type { Expectation } from '../verdict.ts'
import { compare, pay, tell } from './after-payment.ts'

const REVERSED: Expectation = { ends: ['reversed'] }
/** End of a return that the books cannot take: a person looks. */
const UNBOOKED: Expectation = { ends: ['succeeded'], finding: 'payout_amount_differs' }
const DAY_SECONDS = 86_400
const KEPT = 'kept from the customer'

export const returns: readonly Situation[] = [
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
    'a payout comes back short',
    KEPT,
    async (scene) => {
      await pay(scene)
      scene.move('returned', { back: { ...scene.payment.amount, amount: '95.00' } })
      await tell(scene)
    },
    REVERSED,
    RETURNS_PARTS,
  ),
  ofPayment(
    'a payout comes back short, and the provider says so twice',
    'given back twice',
    async (scene) => {
      await pay(scene)
      const back = { ...scene.payment.amount, amount: '95.00' }
      scene.move('returned', { back })
      await tell(scene)
      const [payout] = scene.payouts()
      if (payout) scene.provider.move(payout.handle, 'returned', { back, onlySay: true })
      await tell(scene)
    },
    REVERSED,
    RETURNS_PARTS,
  ),
  ofPayment(
    'more comes back than was sent',
    'given back and not received',
    async (scene) => {
      await pay(scene)
      scene.move('returned', { back: { ...scene.payment.amount, amount: '105.00' } })
      await tell(scene)
      await compare(scene)
    },
    UNBOOKED,
    RETURNS_PARTS,
  ),
  ofPayment(
    'other money comes back than was sent',
    'given back and not received',
    async (scene) => {
      await pay(scene)
      scene.move('returned', { back: { amount: '100.00', currency: 'USD' } })
      await tell(scene)
      await compare(scene)
    },
    UNBOOKED,
    RETURNS_PARTS,
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
    // by files it is one entry in another file, which counts once
    byFiles(REVERSED, { ends: ['reversed'], finding: 'payout_status_differs' }),
    RETURNABLE,
  ),
]
