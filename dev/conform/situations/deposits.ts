/** Situations of money that arrives: unannounced, announced twice, taken back, changed, or unreadable. */
import { randomUUID } from 'node:crypto'
import { DepositScene } from '../deposit-scene.ts'
import type { Fault } from '../planned-faults.ts'
import { reconcile } from '../reconciling.ts'
import { later } from '../service.ts'
import { CALLS_BACK, OTHER_SECRET, RETURNS_DEPOSITS, type Situation, ofKit, onRail } from '../situation.ts'
import { all, verdictOf } from '../verdict.ts'

const SETTLED_DOWN_SECONDS = 3600
const [LOST, TWICE, UNFOUNDED] = ['lost', 'credited twice', 'credited and not received']
type Arrival = NonNullable<Parameters<typeof DepositScene.arrive>[1]>
type End = { readonly ends: string; readonly finding?: string }

const ofDeposit = (
  name: string,
  risk: string,
  play: (scene: DepositScene) => Promise<unknown>,
  end: End,
  arrival: Arrival = {},
): Situation =>
  ofKit(
    name,
    risk,
    async (kit) => {
      const scene = DepositScene.arrive(kit, arrival)
      await play(scene)
      return scene.judge(end)
    },
    ...(arrival.rail ? [onRail(arrival.rail)] : []),
  )

const CREDITED: End = { ends: 'credited' }
const HELD: Arrival = { rail: 'crypto', amount: '5000.00' }

/** Reconciles twice: lists and books have settled down in between. */
async function compare({ deposit: { rail } }: DepositScene): Promise<void> {
  await reconcile(rail)
  await later(SETTLED_DOWN_SECONDS)
  await reconcile(rail)
}

const faulty = (name: string, fault: Fault, times: number): Situation =>
  ofDeposit(
    name,
    TWICE,
    async (scene) => {
      scene.kit.provider.interfere('deposit', fault, times)
      await scene.announce()
    },
    CREDITED,
  )

/** Makes a situation of coins whose sender nobody names: they are to go back, once. */
const ofReturn = (
  name: string,
  risk: string,
  play: (scene: DepositScene) => Promise<unknown>,
  end: End,
): Situation => ({
  ...ofDeposit(
    name,
    risk,
    async (scene) => {
      await scene.announce()
      await scene.startReturn()
      await play(scene)
    },
    end,
    HELD,
  ),
  needs: [onRail('crypto'), RETURNS_DEPOSITS],
})

const returning = (name: string, fault: Fault, times: number): Situation =>
  ofReturn(
    name,
    'returned twice',
    async (scene) => {
      scene.kit.provider.interfere('return deposit', fault, times)
      await scene.pursue()
    },
    { ends: 'returned' },
  )

const arriving: readonly Situation[] = [
  ofDeposit('money arrives', LOST, (scene) => scene.announce(), CREDITED),
  ofDeposit(
    'money arrives, and is announced three times',
    TWICE,
    async (scene) => {
      for (let time = 0; time < 3; time += 1) await scene.announce()
    },
    CREDITED,
  ),
  ofDeposit(
    'money is announced to two workers at once',
    TWICE,
    async (scene) => {
      await scene.callBack()
      scene.kit.provider.interfere('deposit', 'takes a moment', 3)
      await Promise.all([scene.book(), scene.book(), scene.book()])
    },
    CREDITED,
  ),
  ofDeposit(
    'money arrives, and nobody says so',
    LOST,
    async (scene) => {
      await reconcile(scene.deposit.rail)
      await scene.book()
    },
    CREDITED,
  ),
  ofDeposit(
    'money arrives for an account that nobody has',
    LOST,
    (scene) => scene.announce(),
    { ends: 'unmatched' },
    { account: `DE${randomUUID()}` },
  ),
  ofDeposit('a deposit of zero', UNFOUNDED, (scene) => scene.announce(), { ends: 'nowhere' }, { amount: '0.00' }),
  ofDeposit(
    'a deposit in money that the books do not have',
    LOST,
    (scene) => scene.announce(),
    { ends: 'nowhere', finding: 'unreadable_record' },
    { currency: 'XBB' },
  ),
  faulty('the answer about a deposit is lost', 'request lost', 4),
  faulty('half an answer about a deposit', 'half an answer', 4),
  faulty('a gateway answers 404 about a deposit', 'gateway not found', 4),
  faulty('an answer about another deposit', 'another id', 4),
]

const takenBack: readonly Situation[] = [
  ofDeposit(
    'a deposit is taken back before it is booked',
    UNFOUNDED,
    async (scene) => {
      scene.kit.provider.takeBack(scene.deposit.handle)
      await scene.announce()
    },
    { ends: 'nowhere' },
  ),
  ofDeposit(
    'a deposit is taken back after it was credited',
    UNFOUNDED,
    async (scene) => {
      await scene.announce()
      scene.kit.provider.takeBack(scene.deposit.handle)
      await scene.announce()
      await compare(scene)
    },
    { ends: 'credited', finding: 'deposit_status_differs' },
  ),
  ofDeposit(
    'held coins are taken back by their sender',
    UNFOUNDED,
    async (scene) => {
      await scene.announce()
      scene.kit.provider.takeBack(scene.deposit.handle)
      await scene.callBack()
      await scene.pursue()
    },
    { ends: 'returned' },
    HELD,
  ),
  ofDeposit(
    'the amount of a deposit changes after it was credited',
    UNFOUNDED,
    async (scene) => {
      await scene.announce()
      scene.kit.provider.changeDeposit(scene.deposit.handle, { ...scene.deposit.amount, amount: '10.00' })
      await scene.announce()
      await compare(scene)
    },
    { ends: 'credited', finding: 'deposit_amount_differs' },
  ),
]

const goingBack: readonly Situation[] = [
  returning('the answer to a return is lost', 'answer lost', 2),
  returning('a return is lost on its way', 'request lost', 2),
  returning('half an answer to a return', 'half an answer', 2),
  returning('a return is answered 500', 'error after', 2),
  ofReturn(
    'two workers return a deposit at once',
    'returned twice',
    async (scene) => {
      scene.kit.provider.interfere('return deposit', 'takes a moment', 2)
      await Promise.all([scene.pursue(1), scene.pursue(1)])
    },
    { ends: 'returned' },
  ),
  ofReturn(
    'the provider refuses a return',
    LOST,
    async (scene) => {
      scene.kit.provider.interfere('return deposit', 'refuse')
      await scene.pursue(2)
    },
    { ends: 'held' },
  ),
]

const forged = ofKit(
  'a callback about a deposit is forged',
  'believed a forger',
  async (kit) => {
    const scene = DepositScene.arrive(kit)
    const status = await scene.callBack({ secret: OTHER_SECRET })
    await scene.book()
    const verdict = await scene.judge({ ends: 'nowhere' })
    await scene.announce()
    return all(verdict, verdictOf(`answered ${status}`, { 'the forged callback is taken': status === 401 }))
  },
  CALLS_BACK,
)

export const deposits: readonly Situation[] = [...arriving, ...takenBack, ...goingBack, forged]
