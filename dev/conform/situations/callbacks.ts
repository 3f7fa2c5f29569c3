/** Situations of callbacks: early, twice, forged, old, about others, out of order, or never. */
import { mainRailOf } from '../provider.ts'
import { Scene } from '../scene.ts'
import { CALLS_BACK, DATES_CALLBACKS, OTHER_SECRET, PAID, type Situation, ofKit, ofPayment } from '../situation.ts'
import { all, judge, verdictOf } from '../verdict.ts'

const [TWICE, FORGED] = ['booked twice', 'believed a forger']
const TEN_MINUTES = 600

/** Makes a situation in which a callback must be refused, and change nothing. */
const refuseCallback = (name: string, options: { secret?: string; clockOff?: number }): Situation =>
  ofKit(
    name,
    FORGED,
    async (kit) => {
      const scene = await Scene.begin(kit)
      await scene.order()
      const looks = kit.provider.count('find')
      const status = await scene.callBack(options)
      await scene.drive(1)
      const asked = kit.provider.count('find') - looks
      await scene.settle()
      return all(
        await judge(scene, PAID),
        verdictOf(`answered ${status}`, {
          'a callback that is not the provider’s is taken': status === 401,
          'the run does not look by itself': asked > 0,
        }),
      )
    },
    ...(options.clockOff === undefined ? [CALLS_BACK] : [CALLS_BACK, DATES_CALLBACKS]),
  )

export const callbacks: readonly Situation[] = [
  ofPayment(
    'a callback comes before the answer to the order',
    TWICE,
    async (scene) => {
      const held = scene.provider.hold('order', 'after')
      const ordering = scene.order()
      await held.waiting
      scene.move('settled')
      await scene.callBack()
      held.release()
      await ordering
      await scene.drive()
    },
    PAID,
    CALLS_BACK,
  ),
  ofPayment(
    'a callback comes twice',
    TWICE,
    async (scene) => {
      await scene.order()
      scene.move('settled')
      for (const messageId of ['one', 'one', 'two'])
        await scene.callBack({ messageId: `${messageId}-${scene.payment.id}` })
      await scene.drive()
    },
    PAID,
    CALLS_BACK,
  ),
  ofPayment(
    'no callback ever comes',
    'stuck',
    async (scene) => {
      await scene.order()
      scene.move('settled')
      await scene.drive()
    },
    PAID,
  ),
  ofPayment(
    'callbacks come in the wrong order',
    TWICE,
    async (scene) => {
      await scene.order()
      scene.move('processing')
      scene.move('settled')
      for (const version of [3, 1, 2]) await scene.callBack({ version })
      await scene.drive()
    },
    PAID,
    CALLS_BACK,
  ),
  ofPayment(
    'a callback names a version that never comes',
    'stuck',
    async (scene) => {
      await scene.order()
      await scene.callBack({ version: 900_000 })
      await scene.drive(4)
      scene.move('settled')
      await scene.drive(14)
    },
    PAID,
    CALLS_BACK,
  ),
  refuseCallback('a callback is forged', { secret: OTHER_SECRET }),
  refuseCallback('a callback is ten minutes old', { clockOff: -TEN_MINUTES }),
  refuseCallback('a callback is from a clock that is ten minutes ahead', { clockOff: TEN_MINUTES }),
  ofKit(
    'a callback is about a payout of another customer of the provider',
    FORGED,
    async (kit) => {
      const rail = mainRailOf(kit.provider.can)
      const { handle } = kit.provider.invent(rail, { amount: '100.00', currency: kit.service.currencies[rail] })
      const status = await kit.service.callBack(kit.provider.callback('payout', handle))
      kit.provider.forget(handle)
      return verdictOf(`answered ${status}`, { 'it is not taken as a hint': status === 204 })
    },
    CALLS_BACK,
  ),
]
