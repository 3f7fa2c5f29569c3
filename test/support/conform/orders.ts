/** Orders under havoc: payments whose worker dies, whose partner forgets, and whose database is restored. */
import { numbersFrom } from '../chaos/random.ts'
import { killAtCall, killAtWrite, stepOf } from '../../../dev/conform/killing.ts'
import { takeBackup } from '../../../dev/conform/restoring.ts'
import { type Kit, Scene } from '../../../dev/conform/scene.ts'
import { later } from '../../../dev/conform/service.ts'
import { dieAt } from '../../../dev/conform/stops.ts'
import { judge, truthOf } from '../../../dev/conform/verdict.ts'

export type Run = {
  /** Number of the batch and of the payment in it: the same again with the same numbers. */
  readonly seed: string
  readonly deeds: readonly string[]
  readonly status: string
  readonly payouts: number
  readonly faults: readonly string[]
}

type Random = (limit: number) => number
type Deed = (scene: Scene) => Promise<unknown>

export const BATCH = 20
const ROUNDS = 5
const [MINUTE, HOUR, DAY] = [60, 3600, 90_000]
/** Payments of a batch of which one dies by a real SIGKILL. */
const KILLED_OF = 20

const faulty =
  (fault: Parameters<Scene['provider']['interfere']>[1]): Deed =>
  async (scene) => {
    scene.provider.interfere('order', fault, 3, true)
    await scene.step()
    scene.provider.clear()
  }

/** Takes a step whose process dies at a write, in each of its tries. */
const dying =
  (at: Parameters<typeof dieAt>[0], deed: Deed = (scene) => scene.step()): Deed =>
  async (scene) => {
    const live = await dieAt(at, scene.payment.id)
    await deed(scene)
    await live()
  }

/** Deeds by name, each as often as it stands there. */
const DEEDS: readonly (readonly [name: string, deed: Deed])[] = [
  ['step', (scene) => scene.step()],
  ['step', (scene) => scene.step()],
  ['two at once', (scene) => Promise.all([scene.step(), scene.step()])],
  ['answer lost', faulty('answer lost')],
  ['request lost', faulty('request lost')],
  ['half an answer', faulty('half an answer')],
  ['500 after', faulty('error after')],
  ['a page', faulty('page of a proxy')],
  ['dies before it remembers', dying('remember an order')],
  ['dies before it records', dying('record an answer')],
  ['dies without an answer', dying('record an answer', faulty('answer lost'))],
  ['rests', () => Promise.resolve()],
  ['on its way', (scene) => Promise.resolve(scene.move('processing'))],
  ['paid', (scene) => Promise.resolve(scene.move('settled'))],
]

/** Deaths by SIGKILL of a worker that orders. */
const DEATHS: readonly (readonly [name: string, deed: Deed])[] = [
  ['kill -9 on its way', (scene) => killAtCall(scene, order(scene), { call: 'order', when: 'before' })],
  ['kill -9 before the answer', (scene) => killAtCall(scene, order(scene), { call: 'order', when: 'after' })],
  ['kill -9 before it remembers', (scene) => killAtWrite(order(scene), 'remember an order')],
  ['kill -9 before it records', (scene) => killAtWrite(order(scene), 'record an answer')],
]
const order = (scene: Scene) => stepOf('orderPayout', scene.ref)

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item // never empty

/** Lets time pass; after a day the partner has forgotten the ids of before. */
async function passTime({ provider }: Kit, random: Random, forgets: 'repeats' | 'looks'): Promise<string> {
  const chance = random(100)
  const seconds = chance < 70 ? MINUTE : chance < 92 ? HOUR : DAY
  await later(seconds)
  if (seconds === DAY) provider.forgetKeys(forgets)
  return seconds === DAY ? 'a day' : seconds === HOUR ? 'an hour' : 'a minute'
}

/** Runs a batch of payments, one of them killed for real; restores the database in half of the batches. */
export async function runBatch(kit: Kit, batch: number): Promise<readonly Run[]> {
  const random = numbersFrom(batch * 7919 + 1)
  const forgets = batch % 2 === 0 ? 'looks' : 'repeats'
  const scenes: { scene: Scene; deeds: string[] }[] = []
  for (let index = 0; index < BATCH; index += 1) scenes.push({ scene: await Scene.begin(kit), deeds: [] })
  const note = (deed: string) => scenes.forEach(({ deeds }) => deeds.push(deed))
  const backupAt = random(3)
  const restoreAt = random(2) === 0 ? backupAt + 1 + random(ROUNDS - backupAt) : ROUNDS + 1
  let backup: Awaited<ReturnType<typeof takeBackup>> | undefined
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round === backupAt) backup = await takeBackup()
    for (const [index, { scene, deeds }] of scenes.entries()) {
      const dies = round === 0 && index % KILLED_OF === 0
      const [name, deed] = pick(random, dies ? DEATHS : DEEDS)
      deeds.push(name)
      await deed(scene)
    }
    if (round + 1 === restoreAt) {
      for (let day = 0; day < 3; day += 1) await later(DAY)
      kit.provider.forgetKeys(forgets)
      await backup?.restore()
      note('restored by three days')
    } else note(await passTime(kit, random, forgets))
  }
  kit.provider.clear()
  const runs: Run[] = []
  for (const [index, { scene, deeds }] of scenes.entries()) {
    await scene.settle()
    const { faults } = await judge(scene, { ends: ['succeeded', 'on_hold'] })
    const { status } = await scene.look()
    runs.push({ seed: `${batch}/${index}, forgets ${forgets}`, deeds, status, payouts: truthOf(scene).leaving, faults })
  }
  return runs
}
