/** Situations of a cancellation: too late, unheard, refused, or of an order that never arrived. */
import type { Fault, ProviderCall } from '../interferer.ts'
import type { Scene } from '../scene.ts'
import { type Situation, ofPayment } from '../situation.ts'
import type { Expectation } from '../verdict.ts'

const CANCELLED: Expectation = { ends: ['cancelled'] }
const PAID: Expectation = { ends: ['succeeded'] }
const RISK = 'given back and paid'
const coins = {
  rail: 'crypto',
  needs: ({ cancels }: { cancels: readonly string[] }) => cancels.includes('crypto'),
} as const

async function cancel(scene: Scene): Promise<void> {
  const status = await scene.kit.service.cancel(scene.payment)
  if (status !== 200 && status !== 202) throw new Error(`the cancellation was answered ${status}`)
}

const faulty = (name: string, call: ProviderCall, fault: Fault, times: number, expected = CANCELLED): Situation =>
  ofPayment(
    name,
    RISK,
    async (scene) => {
      await scene.order()
      await cancel(scene)
      scene.provider.interfere(call, fault, times)
      await scene.drive()
      if (expected === PAID) await scene.settle()
    },
    expected,
    coins,
  )

export const cancellations: readonly Situation[] = [
  ofPayment(
    'a payout is cancelled in time',
    RISK,
    async (scene) => {
      await scene.order()
      await cancel(scene)
      await scene.drive()
    },
    CANCELLED,
    coins,
  ),
  ofPayment(
    'a cancellation comes too late',
    RISK,
    async (scene) => {
      await scene.order()
      await cancel(scene)
      scene.move('processing')
      await scene.drive(2)
      await scene.settle()
    },
    PAID,
    coins,
  ),
  ofPayment(
    'a payout is paid while its cancellation is asked for',
    RISK,
    async (scene) => {
      await scene.order()
      await cancel(scene)
      scene.move('settled')
      await scene.drive()
    },
    PAID,
    coins,
  ),
  ofPayment(
    'an order that may not have arrived is cancelled',
    RISK,
    async (scene) => {
      scene.provider.interfere('order', 'request lost', 3)
      await scene.order()
      await cancel(scene)
      await scene.drive()
    },
    CANCELLED,
    coins,
  ),
  ofPayment(
    'an order whose answer was lost is cancelled',
    RISK,
    async (scene) => {
      scene.provider.interfere('order', 'answer lost', 3)
      await scene.order()
      await cancel(scene)
      await scene.drive()
    },
    CANCELLED,
    coins,
  ),
  faulty('the answer to a cancellation is lost', 'cancel', 'answer lost', 2),
  faulty('a cancellation is lost on its way', 'cancel', 'request lost', 2),
  faulty('half an answer to a cancellation', 'cancel', 'half an answer', 2),
  faulty('a cancellation is answered 500', 'cancel', 'error before', 2),
  faulty('a cancellation is refused', 'cancel', 'refuse', 1, PAID),
  faulty('a cancellation conflicts with what is under way', 'cancel', 'conflict', 1, PAID),
]
