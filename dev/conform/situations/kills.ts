/** Situations of a worker that dies by SIGKILL in a step, which the next worker takes again. */
import { DepositScene } from '../deposit-scene.ts'
import { exchangeFiles } from '../file-rounds.ts'
import { type CallToDieAt, type StepName, killAtCall, killAtWrite, stepAtCall, stepOf } from '../killing.ts'
import type { Scene } from '../scene.ts'
import { CANCELLABLE, CANCELLED, PAID, type Situation, ofKit, ofPayment } from '../situation.ts'
import type { Stop } from '../stops.ts'
import type { Expectation } from '../verdict.ts'

const [TWICE, BOOKED_TWICE] = ['paid twice', 'booked twice']

const killPayment = (name: string, at: CallToDieAt | Stop, step: StepName, more: Part = {}): Situation =>
  ofPayment(
    `kill -9 ${name}`,
    more.risk ?? TWICE,
    async (scene) => {
      await more.before?.(scene)
      if (typeof at !== 'string') await killAtCall(scene, await stepAtCall(scene, step, at), at)
      else {
        if (step === 'pollPayout') await exchangeFiles(scene.provider)
        await killAtWrite(stepOf(step, scene.ref), at)
      }
      await scene.settle()
    },
    more.expected ?? PAID,
    ...(more.isOfCoins ? [CANCELLABLE] : []),
  )

type Part = {
  readonly before?: (scene: Scene) => Promise<unknown>
  readonly risk?: string
  readonly expected?: Expectation
  readonly isOfCoins?: boolean
}

const cancelling: Part = {
  before: async (scene) => {
    await scene.order()
    await scene.kit.service.cancel(scene.payment)
  },
  risk: 'given back and paid',
  expected: CANCELLED,
  isOfCoins: true,
}
const settled: Part = {
  before: async (scene) => {
    await scene.order()
    scene.move('settled')
  },
  risk: BOOKED_TWICE,
}

const ofDeposit = (name: string, play: (scene: DepositScene) => Promise<unknown>): Situation =>
  ofKit(`kill -9 ${name}`, 'credited twice', async (kit) => {
    const scene = DepositScene.arrive(kit)
    await scene.callBack()
    await play(scene)
    await scene.announce()
    return scene.judge({ ends: 'credited' })
  })

export const kills: readonly Situation[] = [
  killPayment('before the order is at the provider', { call: 'order', when: 'before' }, 'orderPayout'),
  killPayment(
    'while the order is on its way, and it arrives',
    { call: 'order', when: 'before', arrives: true },
    'orderPayout',
  ),
  killPayment('after the order, before its answer', { call: 'order', when: 'after' }, 'orderPayout'),
  killPayment('before the order is remembered', 'remember an order', 'orderPayout'),
  killPayment('after the answer to the order, before it is recorded', 'record an answer', 'orderPayout'),
  killPayment('during a look', { call: 'find', when: 'after' }, 'pollPayout', settled),
  killPayment('after a look that shows it paid, before that is booked', 'record an answer', 'pollPayout', settled),
  killPayment(
    'before a cancellation is at the provider',
    { call: 'cancel', when: 'before' },
    'cancelPayout',
    cancelling,
  ),
  killPayment('after a cancellation, before its answer', { call: 'cancel', when: 'after' }, 'cancelPayout', cancelling),
  killPayment('after a cancellation, before it is recorded', 'record an answer', 'cancelPayout', cancelling),
  ofDeposit('while the provider is asked about a deposit', async (scene) => {
    const at = { call: 'deposit', when: 'after' } as const
    await killAtCall(scene.kit, await stepAtCall(scene, 'bookAnnouncedDeposit', at), at)
  }),
  ofDeposit('before a deposit is booked', async (scene) => {
    await exchangeFiles(scene.kit.provider)
    await killAtWrite(stepOf('bookAnnouncedDeposit', scene.ref), 'book a deposit')
  }),
]
