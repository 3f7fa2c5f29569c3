/** Situations of one call: the order or a look is lost, late, twice, or answered with nonsense. */
import type { Fault, ProviderCall } from '../planned-faults.ts'
import { Scene } from '../scene.ts'
import { later } from '../service.ts'
import { PAID, PAID_IF_KNOWN, type Situation, UNKNOWABLE, byFiles, ofKit, ofPayment } from '../situation.ts'
import { type Expectation, all, judge, verdictOf } from '../verdict.ts'

const [TWICE, GIVEN_BACK, STUCK, UNPAID] = ['paid twice', 'given back and paid', 'stuck', 'booked and not paid']
const REFUSED: Expectation = { ends: ['failed'] }

/** Faults of the answer to an order, the times that each comes, and the end. */
const ORDERS: readonly (readonly [name: string, fault: Fault, times: number, risk: string, expected: Expectation])[] = [
  ['answer lost after the order', 'answer lost', 1, TWICE, PAID],
  ['answer lost after the order, five times', 'answer lost', 5, TWICE, PAID],
  ['answer lost before the order', 'request lost', 1, STUCK, PAID],
  ['answer lost before the order, five times', 'request lost', 5, STUCK, PAID],
  ['half an answer to the order', 'half an answer', 2, TWICE, PAID],
  ['the answer to the order comes after the deadline', 'too slow', 1, TWICE, PAID],
  ['a proxy answers the order with a page', 'page of a proxy', 3, TWICE, PAID],
  ['an empty answer to the order', 'empty answer', 3, TWICE, PAID],
  ['a huge answer to the order', 'huge answer', 3, TWICE, PAID],
  ['the order is answered 500 before it counts', 'error before', 3, STUCK, PAID],
  ['the order is answered 500 after it counts', 'error after', 3, TWICE, PAID],
  ['a gateway answers the order with 502', 'bad gateway', 3, TWICE, PAID],
  ['the order is answered 503', 'unavailable', 3, TWICE, PAID],
  ['the key is refused for a while: 401', 'unauthorized', 3, GIVEN_BACK, PAID],
  ['the key is refused for a while: 403', 'forbidden', 3, GIVEN_BACK, PAID],
  ['a gateway answers the order with 404', 'gateway not found', 3, GIVEN_BACK, { ends: ['succeeded', 'on_hold'] }],
  ['the order arrives twice', 'arrives twice', 1, TWICE, PAID],
  ['the answer to the order names another id', 'another id', 3, UNPAID, PAID],
  ['the answer to the order names an unknown status', 'unknown status', 3, UNPAID, PAID],
  ['the answer to the order has an absurd version', 'absurd version', 3, UNPAID, PAID],
  ['the order is refused', 'refuse', 3, UNPAID, REFUSED],
  ['the order is refused, and counts', 'refuse after acting', 3, GIVEN_BACK, PAID],
  ['the order is called malformed', 'bad request', 3, GIVEN_BACK, { ends: ['succeeded', 'on_hold'] }],
]

/** Faults of a look at an order that the provider took. */
const LOOKS: readonly (readonly [name: string, fault: Fault, times: number, risk: string])[] = [
  ['looks are lost for a while', 'request lost', 6, STUCK],
  ['half an answer to a look', 'half an answer', 3, TWICE],
  ['a look is answered after the deadline', 'too slow', 1, TWICE],
  ['a gateway answers a look with 404', 'gateway not found', 4, TWICE],
  ['a look is answered 500', 'error before', 4, STUCK],
  ['a look shows another id', 'another id', 4, 'booked for another payment'],
  ['a look shows an unknown status', 'unknown status', 4, UNPAID],
  ['a look shows an earlier answer', 'stale answer', 4, UNPAID],
]

const orders = ORDERS.map(([name, fault, times, risk, expected]) =>
  ofPayment(
    name,
    risk,
    async (scene) => {
      scene.provider.interfere('order', fault, times)
      await scene.drive()
      await scene.settle()
    },
    expected,
  ),
)

const looks = LOOKS.map(([name, fault, times, risk]) =>
  ofPayment(
    name,
    risk,
    async (scene) => {
      await scene.order()
      scene.provider.interfere('find', fault, times)
      await scene.drive()
      await scene.settle()
    },
    PAID,
  ),
)

/** Makes a situation in which the provider names other money than was ordered. */
const otherMoney = (name: string, call: ProviderCall, fault: Fault): Situation =>
  ofPayment(
    name,
    'booked with another amount',
    async (scene) => {
      if (call === 'find') await scene.order()
      else scene.provider.interfere('order', fault)
      scene.provider.interfere('find', fault, undefined, call === 'order')
      await scene.drive()
    },
    byFiles({ ends: ['processing'], finding: 'bank_file_amount_differs' }, UNKNOWABLE),
  )

export const answers: readonly Situation[] = [
  ofPayment('an order is taken and settles', UNPAID, (scene) => scene.settle(), PAID),
  ...orders,
  ...looks,
  otherMoney('the answer to the order names another amount', 'order', 'another amount'),
  otherMoney('the answer to the order names another currency', 'order', 'another currency'),
  otherMoney('a look shows another amount', 'find', 'another amount'),
  ofKit('the order is answered by a redirect', 'the key is given away', async (kit) => {
    const scene = await Scene.begin(kit)
    scene.provider.interfere('order', 'redirect', 3)
    await scene.drive()
    const followed = kit.provider.followedRedirects()
    await scene.settle()
    const secret = verdictOf(`${followed} redirects followed`, { 'the key went to another address': followed === 0 })
    return all(await judge(scene, PAID), secret)
  }),
  ofPayment(
    '429 for an hour',
    STUCK,
    async (scene) => {
      scene.provider.interfere('order', 'slow down for an hour')
      await scene.drive()
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'the provider is away for three days',
    GIVEN_BACK,
    async (scene) => {
      scene.provider.interfere('order', 'request lost', undefined, true)
      scene.provider.interfere('find', 'request lost', undefined, true)
      await scene.drive()
      for (let day = 0; day < 3; day += 1) {
        await later(86_400)
        await scene.drive(2)
      }
      await scene.settle()
    },
    PAID_IF_KNOWN,
  ),
  ofPayment(
    'an order that counts is not seen for a minute',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'answer lost', 3)
      scene.provider.interfere('find', 'absent', 2, true)
      await scene.drive()
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'another order has the id',
    GIVEN_BACK,
    async (scene) => {
      scene.provider.interfere('order', 'conflict')
      await scene.drive()
    },
    UNKNOWABLE,
  ),
]
