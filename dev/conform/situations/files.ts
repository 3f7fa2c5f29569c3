/** Situations of a provider that is reached by files: cut, doubled, late, out of order, of another, or never written. */
import { DepositScene } from '../deposit-scene.ts'
import { exchangeFiles, fileFindings } from '../file-rounds.ts'
import type { FileControls, FileFault } from '../provider.ts'
import { takeBackup } from '../restoring.ts'
import type { Scene } from '../scene.ts'
import { later, owner } from '../service.ts'
import { BY_FILES, PAID, type Situation, ofKit, ofPayment } from '../situation.ts'
import { type Expectation, verdictOf } from '../verdict.ts'

const DAY_SECONDS = 86_400
const [TWICE, LOST, GIVEN_BACK, BOOKED] = ['paid twice', 'lost', 'given back and paid', 'booked and not paid']

const controls = ({ provider: { files } }: Pick<Scene, 'provider'>): FileControls => {
  if (!files) throw new Error('the provider has no files')
  return files
}

const ofFiles = (
  name: string,
  risk: string,
  play: (scene: Scene, files: FileControls) => Promise<unknown>,
  expected: Expectation = PAID,
): Situation => ofPayment(name, risk, (scene) => play(scene, controls(scene)), expected, BY_FILES)

/** Makes a situation in which files misbehave from the order to the end. */
const ofFault = (name: string, risk: string, fault: FileFault): Situation =>
  ofFiles(name, risk, async (scene, files) => {
    files.misbehave(fault)
    await scene.order()
    scene.move('settled')
    await scene.drive()
  })

/** Pays, closes the day, and lets the run look. */
async function payByStatement(scene: Scene, files: FileControls): Promise<void> {
  await scene.order()
  scene.move('settled')
  files.closeDay()
  await scene.drive()
}

export const files: readonly Situation[] = [
  ofFiles('a payment by file is taken and settles', LOST, (scene) => scene.settle()),
  ofFault('each file is cut, and comes whole under another name', LOST, 'cut'),
  ofFault('each file comes twice', TWICE, 'twice'),
  ofFault('files come in the wrong order', GIVEN_BACK, 'backward'),
  ofFault('no report says that the file was taken', TWICE, 'no reports'),
  ofFiles('no notification comes, and the statement has the entry', LOST, async (scene, bank) => {
    bank.misbehave('no notifications')
    await payByStatement(scene, bank)
  }),
  ofFiles('the entry is in a notification and in the statement', TWICE, payByStatement),
  ofFiles('files are late by three days', TWICE, async (scene, bank) => {
    bank.misbehave('late')
    await scene.order()
    scene.move('settled')
    for (let day = 0; day < 3; day += 1) {
      await later(DAY_SECONDS)
      await scene.drive(1)
    }
    scene.provider.clear()
    await scene.drive()
  }),
  ofFiles('the server is away for three days before the upload', TWICE, async (scene, bank) => {
    bank.misbehave('away')
    await scene.order()
    for (let day = 0; day < 3; day += 1) {
      await later(DAY_SECONDS)
      await scene.drive(1)
    }
    await scene.settle()
  }),
  ofFiles('we forget that the file was uploaded', TWICE, async (scene) => {
    await scene.order()
    await owner`update bank_files set status = 'written' where direction = 'out' and status in ('uploaded', 'acknowledged')`
    await scene.settle()
  }),
  ofFiles('the database is restored to before the file was written', TWICE, async (scene) => {
    const { restore } = await takeBackup()
    await scene.settle()
    await later(3 * DAY_SECONDS)
    await restore()
    await scene.settle()
  }),
  ofFiles(
    'the file is refused as a whole',
    BOOKED,
    async (scene, bank) => {
      bank.misbehave('refused whole')
      await scene.order()
      await scene.drive()
    },
    { ends: ['failed'] },
  ),
  ofFiles('the bank calls the file a repeat after it was taken', GIVEN_BACK, async (scene, bank) => {
    await scene.order()
    bank.sayRepeated(scene.payout().handle)
    await scene.drive(3)
    await scene.settle()
  }),
  ofFiles('the bank calls the file a repeat after it was paid', GIVEN_BACK, async (scene, bank) => {
    await scene.settle()
    bank.sayRepeated(scene.payout().handle)
    await scene.drive(3)
  }),
  ofFiles('the same entry comes in twenty files', TWICE, async (scene, bank) => {
    await scene.settle()
    for (let time = 0; time < 20; time += 1) bank.sayAgain(scene.payout().handle)
    await scene.drive(2)
    await exchangeFiles(scene.provider)
  }),
  ofKit(
    'a notification names the account of another',
    'credited and not received',
    async (kit) => {
      controls(kit).misbehave('another account')
      const scene = DepositScene.arrive(kit)
      await scene.announce(2)
      const { booked, status } = await scene.look()
      const findings = await fileFindings()
      return verdictOf(`${status}; finding ${findings.join(', ')}`, {
        [`booked: ${booked}`]: booked === 0,
        'no finding': findings.length > 0,
      })
    },
    BY_FILES,
  ),
  ofKit(
    'the account is debited by what we never ordered',
    LOST,
    async (kit) => {
      controls(kit).takeMoney('12.34')
      await exchangeFiles(kit.provider)
      const findings = await fileFindings()
      return verdictOf(`finding ${findings.join(', ')}`, {
        'no finding entry_unknown': findings.some((name) => name.startsWith('entry_unknown')),
      })
    },
    BY_FILES,
  ),
  ofKit(
    'a deposit comes in a notification, in another, and in the statement',
    'credited twice',
    async (kit) => {
      const bank = controls(kit)
      bank.misbehave('twice')
      const scene = DepositScene.arrive(kit)
      bank.closeDay()
      await scene.announce()
      return scene.judge({ ends: 'credited' })
    },
    BY_FILES,
  ),
]
