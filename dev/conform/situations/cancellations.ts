/** Situations of a cancellation: too late, unheard, refused, or of an order that never arrived. */
import type { Fault } from '../planned-faults.ts'
import type { Scene } from '../scene.ts'
import { CANCELLABLE, CANCELLED, PAID, type Situation, ofPayment } from '../situation.ts'

const RISK = 'given back and paid'

/** Makes a situation of a payment whose cancellation a person asks for; `before` is what happens to it until then. */
const ofCancellation = (
  name: string,
  play: (scene: Scene) => Promise<unknown>,
  expected = CANCELLED,
  before: (scene: Scene) => void = () => {},
): Situation =>
  ofPayment(
    name,
    RISK,
    async (scene) => {
      before(scene)
      await scene.order()
      const status = await scene.kit.service.cancel(scene.payment)
      if (status !== 200 && status !== 202) throw new Error(`the cancellation was answered ${status}`)
      await play(scene)
    },
    expected,
    CANCELLABLE,
  )

/** Makes a situation of an order of which we do not hear before it is cancelled. */
const ofUnheardOrder = (name: string, fault: Fault): Situation =>
  ofCancellation(
    name,
    (scene) => scene.drive(),
    CANCELLED,
    ({ provider }) => provider.interfere('order', fault, 3),
  )

const faulty = (name: string, fault: Fault, times: number, expected = CANCELLED): Situation =>
  ofCancellation(
    name,
    async (scene) => {
      scene.provider.interfere('cancel', fault, times)
      await scene.drive()
      if (expected === PAID) await scene.settle()
    },
    expected,
  )

export const cancellations: readonly Situation[] = [
  ofCancellation('a payout is cancelled in time', (scene) => scene.drive()),
  ofCancellation(
    'a cancellation comes too late',
    async (scene) => {
      scene.move('processing')
      await scene.drive(2)
      await scene.settle()
    },
    PAID,
  ),
  ofCancellation(
    'a payout is paid while its cancellation is asked for',
    async (scene) => {
      scene.move('settled')
      await scene.drive()
    },
    PAID,
  ),
  ofUnheardOrder('an order that may not have arrived is cancelled', 'request lost'),
  ofUnheardOrder('an order whose answer was lost is cancelled', 'answer lost'),
  faulty('the answer to a cancellation is lost', 'answer lost', 2),
  faulty('a cancellation is lost on its way', 'request lost', 2),
  faulty('half an answer to a cancellation', 'half an answer', 2),
  faulty('a cancellation is answered 500', 'error before', 2),
  faulty('a cancellation is refused', 'refuse', 1, PAID),
  faulty('a cancellation conflicts with what is under way', 'conflict', 1, PAID),
]
