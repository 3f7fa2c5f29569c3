/** Situations of a database that was restored by three days: the provider knows more than we do. */
import { DepositScene } from '../deposit-scene.ts'
import { exchangeFiles, fileFindings } from '../file-rounds.ts'
import { mainRailOf } from '../provider.ts'
import { findingsAbout, hasFinding, reconcile } from '../reconciling.ts'
import { takeBackup } from '../restoring.ts'
import { Scene } from '../scene.ts'
import { later } from '../service.ts'
import { FORGETS_KEYS, PAID, RETURNABLE, type Situation, UNKNOWABLE, ofKit, ofPayment } from '../situation.ts'
import { type Verdict, judge, truthOf, verdictOf } from '../verdict.ts'

const THREE_DAYS_SECONDS = 3 * 86_400
const [TWICE, LOST] = ['paid twice', 'lost']

/** Lets something happen, and three days pass, then restores the database to before. */
async function forgetThreeDays(happening: () => Promise<unknown>): Promise<void> {
  const { restore } = await takeBackup()
  await happening()
  await later(THREE_DAYS_SECONDS)
  await restore()
}

/** Judges files about a payment that nobody knows any more: its debit is a finding. */
async function judgeUnknownEntry({ began }: Scene, out: number): Promise<Verdict> {
  const findings = (await fileFindings(began)).map((one) => one.split(':')[0])
  return verdictOf(`${out} left; finding ${[...new Set(findings)].join(', ')}`, {
    'no finding entry_unknown': findings.includes('entry_unknown'),
    'no finding about_no_file': findings.includes('about_no_file'),
  })
}

export const restores: readonly Situation[] = [
  ofPayment(
    'the database is restored by three days, to before the order',
    TWICE,
    async (scene) => {
      await forgetThreeDays(() => scene.settle())
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'the database is restored by three days, to after the order',
    TWICE,
    async (scene) => {
      await scene.order()
      await forgetThreeDays(() => scene.settle())
      await scene.drive()
    },
    PAID,
  ),
  ofPayment(
    'the database is restored by three days, to an order without an answer',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'answer lost', 3)
      scene.provider.interfere('find', 'absent', 1, true)
      await scene.order()
      await forgetThreeDays(() => scene.settle())
      await scene.settle()
    },
    PAID,
  ),
  ofPayment(
    'the database is restored by three days, in which the payout came back',
    'kept from the customer',
    async (scene) => {
      await forgetThreeDays(async () => {
        await scene.settle()
        scene.move('returned')
        await scene.callBack()
        await scene.drive()
      })
      await scene.drive()
    },
    { ends: ['reversed'] },
    RETURNABLE,
  ),
  ofPayment(
    'the database is restored by three days, and the provider has forgotten the key',
    TWICE,
    async (scene) => {
      await forgetThreeDays(() => scene.settle())
      scene.provider.forgetKeys()
      await scene.drive()
    },
    UNKNOWABLE,
    FORGETS_KEYS,
  ),
  ofPayment(
    'the database is restored by three days, and a repeat would be a new payout',
    TWICE,
    async (scene) => {
      await forgetThreeDays(() => scene.settle())
      scene.provider.forgetKeys('repeats')
      await scene.drive()
    },
    { ends: ['succeeded', 'on_hold'] },
    FORGETS_KEYS,
  ),
  ofPayment(
    'the provider forgets the key of an order without an answer',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'answer lost')
      await scene.order()
      scene.provider.clear()
      await later(THREE_DAYS_SECONDS)
      scene.provider.forgetKeys()
      await scene.drive()
    },
    UNKNOWABLE,
    FORGETS_KEYS,
  ),
  ofPayment(
    'an order never arrives, and its key is too old to be used again',
    TWICE,
    async (scene) => {
      scene.provider.interfere('order', 'request lost')
      await scene.drive(3)
      scene.provider.clear()
      await later(THREE_DAYS_SECONDS)
      scene.provider.forgetKeys()
      await scene.drive()
    },
    UNKNOWABLE,
    FORGETS_KEYS,
  ),
  ofKit('the database is restored by three days, to before the approval', TWICE, async (kit) => {
    const { payment, approve } = await kit.service.request(mainRailOf(kit.provider.can))
    const scene = new Scene(kit, payment)
    await forgetThreeDays(async () => {
      await approve()
      await scene.settle()
    })
    const { status } = await scene.look()
    await approve()
    await scene.settle()
    const { happened, faults } = await judge(scene, PAID)
    return { happened: `${status} again; ${happened}`, faults }
  }),
  ofKit('the database is restored by three days, to before the payment was made', LOST, async (kit) => {
    let scene: Scene | undefined
    await forgetThreeDays(async () => {
      scene = await Scene.begin(kit)
      await scene.settle()
    })
    if (!scene) throw new Error('there was no payment')
    await exchangeFiles(kit.provider)
    await reconcile(mainRailOf(kit.provider.can))
    const { out, handles } = truthOf(scene)
    for (const handle of handles) kit.provider.forget(handle)
    if (kit.provider.files) return judgeUnknownEntry(scene, out)
    const findings = await findingsAbout(scene.payment.id)
    return verdictOf(`${out} left; finding ${findings.join(', ')}`, {
      'no finding payout_of_no_payment': hasFinding(findings, 'payout_of_no_payment'),
      'no finding database_behind': findings.includes('database_behind'),
    })
  }),
  ofKit('the database is restored by three days, to before a deposit', LOST, async (kit) => {
    let scene: DepositScene | undefined
    await forgetThreeDays(async () => {
      scene = DepositScene.arrive(kit)
      await scene.announce()
    })
    if (!scene) throw new Error('there was no deposit')
    await reconcile(mainRailOf(kit.provider.can))
    await scene.book()
    return scene.judge({ ends: 'credited' })
  }),
]
