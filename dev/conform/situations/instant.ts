/** Situations of an instant payment, which a standard one follows if the bank refuses it: one of both is paid. */
import { fallbackIdOf } from '../../../domain/payments/speed.ts'
import { exchangeFiles } from '../file-rounds.ts'
import { type CallToDieAt, killAtCall, killAtWrite, stepAtCall, stepOf } from '../killing.ts'
import { takeBackup } from '../restoring.ts'
import { Scene } from '../scene.ts'
import { IS_INSTANT, PAID, type Situation, UNKNOWABLE, ofKit } from '../situation.ts'
import type { Stop } from '../stops.ts'
import { type Expectation, all, judge, verdictOf } from '../verdict.ts'

const [TWICE, UNPAID, GIVEN_BACK] = ['paid twice', 'never paid', 'given back and paid']

/** Order by which a payment is to be paid; null: by none yet. */
type Payer = 'instant' | 'standard' | null

type Play = (scene: Scene) => Promise<unknown>

/** Makes a situation of an instant payment: how it ends, and which of its orders is paid. */
const ofInstant = (
  name: string,
  risk: string,
  play: Play,
  payer: Payer,
  expected: Expectation = payer === null ? UNKNOWABLE : PAID,
): Situation =>
  ofKit(
    name,
    risk,
    async (kit) => {
      const scene = await Scene.begin(kit, 'fiat', 'instant')
      await play(scene)
      return all(await judge(scene, expected), judgePayer(scene, payer))
    },
    IS_INSTANT,
  )

/** Compares the orders that the provider has paid with the one that it was to pay. */
function judgePayer(scene: Scene, payer: Payer) {
  const { id } = scene.payment
  const wanted = payer && { instant: id, standard: fallbackIdOf(id) }[payer]
  const paid = scene.payouts().filter(({ handle }) => scene.provider.movements(handle).length > 0)
  const fault = `it is not paid by ${payer ? `the ${payer} order` : 'none'}`
  return verdictOf(`paid by ${payer ? `the ${payer} order` : 'none'}`, {
    [fault]: paid.every(({ key }) => key === wanted) && paid.length === (payer ? 1 : 0),
  })
}

/** Has the provider refuse the instant order; its standard one is not sent yet. */
async function refuse(scene: Scene): Promise<void> {
  scene.provider.interfere('order', 'refuse')
  await scene.order()
  scene.provider.clear()
}

/** Has the provider refuse the instant order, and make it: looks show that a moment later only. */
async function refuseAndTake(scene: Scene): Promise<void> {
  scene.provider.interfere('order', 'refuse after acting', 1)
  scene.provider.interfere('find', 'absent', 3) // looks at both orders before it is sent, and one after the refusal
  await scene.order()
  scene.provider.clear()
}

const killInstant = (name: string, at: CallToDieAt | Stop, before: Play = async () => {}): Situation =>
  ofInstant(
    `kill -9 ${name}`,
    `${TWICE}, or ${UNPAID}`,
    async (scene) => {
      await before(scene)
      if (scene.provider.files) await exchangeFiles(scene.provider)
      const step = (await scene.look()).status === 'submitted' ? 'orderPayout' : 'pollPayout'
      if (typeof at === 'string') await killAtWrite(stepOf(step, scene.ref), at)
      else await killAtCall(scene, await stepAtCall(scene, step, at), at)
      await scene.settle()
    },
    'standard',
  )

export const instant: readonly Situation[] = [
  ofInstant('an instant order is taken and settles', UNPAID, (scene) => scene.settle(), 'instant'),
  ofInstant(
    'an instant order is refused',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'refuse', 1)
      await scene.drive(2)
      await scene.settle()
    },
    'standard',
  ),
  ofInstant(
    'an instant order is taken, and rejected later',
    UNPAID,
    async (scene) => {
      await scene.order()
      scene.move('rejected')
      await scene.settle()
    },
    'standard',
  ),
  ofInstant(
    'the answer to an instant order is lost, and it is seen later',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'answer lost', 1)
      scene.provider.interfere('find', 'absent', 2, true)
      await scene.drive(3)
      await scene.settle()
    },
    'instant',
  ),
  ofInstant(
    'an instant order is answered after the deadline, and was rejected',
    `${TWICE}, or ${UNPAID}`,
    async (scene) => {
      scene.provider.interfere('order', 'too slow', 1)
      await scene.order()
      scene.move('rejected')
      await scene.settle()
    },
    'standard',
  ),
  ofInstant(
    'an instant order is refused, and counts',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'refuse after acting', 1)
      await scene.drive(2)
      await scene.settle()
    },
    'instant',
  ),
  ofInstant(
    'an instant order is refused, and is there when a standard one is due',
    TWICE,
    async (scene) => {
      await refuseAndTake(scene)
      await scene.drive()
    },
    null,
  ),
  ofInstant(
    'an instant order is refused, and is paid when a standard one is due',
    TWICE,
    async (scene) => {
      await refuseAndTake(scene)
      scene.move('settled')
      await scene.drive()
    },
    'instant',
    UNKNOWABLE,
  ),
  ofInstant(
    'an instant order is refused, and then the standard one',
    GIVEN_BACK,
    async (scene) => {
      scene.provider.interfere('order', 'refuse')
      await scene.drive()
    },
    null,
    { ends: ['failed'] },
  ),
  ofInstant(
    'the answer to the standard order after an instant one is lost',
    TWICE,
    async (scene) => {
      await refuse(scene)
      scene.provider.interfere('order', 'answer lost', 3)
      await scene.drive()
      await scene.settle()
    },
    'standard',
  ),
  ofInstant(
    'three workers order at once where an instant order was refused',
    TWICE,
    async (scene) => {
      await refuse(scene)
      scene.provider.interfere('order', 'takes a moment', 3, true)
      await Promise.all([scene.order(), scene.order(), scene.order()])
      await scene.settle()
    },
    'standard',
  ),
  ofInstant(
    'the database is restored to before an instant order, whose standard order was paid',
    TWICE,
    async (scene) => {
      const { restore } = await takeBackup()
      await refuse(scene)
      await scene.settle()
      await restore()
      await scene.settle()
    },
    'standard',
  ),
  killInstant('before the rejection of an instant order is recorded', 'record an answer', async (scene) => {
    await scene.order()
    scene.move('rejected')
  }),
  killInstant('before the standard order after an instant one is remembered', 'remember an order', refuse),
  killInstant(
    'before the standard order after an instant one is at the provider',
    { call: 'order', when: 'before' },
    refuse,
  ),
  killInstant('after the standard order after an instant one', { call: 'order', when: 'after' }, refuse),
]
