/** Situations of a worker that dies by SIGKILL between the steps of a file. */
import { exchangeFiles, filesThatAre, writeDueFiles } from '../file-rounds.ts'
import { killAtCall, killAtWrite, stepOf } from '../killing.ts'
import type { Scene } from '../scene.ts'
import { BY_FILES, PAID, type Situation, ofPayment } from '../situation.ts'
import { act } from '../act.ts'
import { fetchBankFiles } from '../../../activities/bank-files.ts'
import { later } from '../service.ts'

const FLUSH_SECONDS = 2
const FETCH = stepOf('fetchBankFiles', { connection: 'bank' })

const kill = (name: string, play: (scene: Scene) => Promise<unknown>): Situation =>
  ofPayment(
    `kill -9 ${name}`,
    'paid twice, or lost',
    async (scene) => {
      await play(scene)
      await scene.settle()
    },
    PAID,
    BY_FILES,
  )

const only = <Ref>([first]: readonly Ref[]): Ref => {
  if (!first) throw new Error('there is no such file')
  return first
}

/** Puts the order into the outbox alone. */
const put = (scene: Scene) => scene.putOrder()

/** Has the bank pay, and say so in files that nobody has read. */
async function pay(scene: Scene): Promise<void> {
  await scene.order()
  scene.move('settled')
  scene.provider.files?.work()
}

export const fileKills: readonly Situation[] = [
  kill('before a file is written', async (scene) => {
    await put(scene)
    await later(FLUSH_SECONDS)
    await act(fetchBankFiles, { connection: 'bank' })
    await killAtWrite(stepOf('writeBankFile', only(await filesThatAre('collecting'))), 'write a file')
  }),
  kill('after the bytes are there, before the rename is claimed', async (scene) => {
    await put(scene)
    await killAtWrite(stepOf('uploadBankFile', only(await writeDueFiles())), 'claim a rename')
  }),
  kill('after the rename, before the upload is recorded', async (scene) => {
    await put(scene)
    await killAtWrite(stepOf('uploadBankFile', only(await writeDueFiles())), 'record an upload')
  }),
  kill('after the rename, and the bank takes the file before the next try', async (scene) => {
    await put(scene)
    await killAtWrite(stepOf('uploadBankFile', only(await writeDueFiles())), 'record an upload')
    scene.provider.files?.work()
  }),
  kill('while files are listed', async (scene) => {
    await pay(scene)
    await killAtCall(scene, FETCH, { call: 'find', when: 'after' })
  }),
  kill('while a file is fetched', async (scene) => {
    await pay(scene)
    await killAtCall(scene, FETCH, { call: 'deposit', when: 'after' })
  }),
  kill('before a fetched file is stored', async (scene) => {
    await pay(scene)
    await killAtWrite(FETCH, 'store a fetched file')
  }),
  kill('while the entries of a file are booked', async (scene) => {
    await pay(scene)
    await act(fetchBankFiles, { connection: 'bank' })
    await killAtWrite(stepOf('readBankFile', only(await filesThatAre('fetched'))), 'book an entry')
  }),
  kill('after the entries of a file are booked, before it is read', async (scene) => {
    await pay(scene)
    await act(fetchBankFiles, { connection: 'bank' })
    await killAtWrite(stepOf('readBankFile', only(await filesThatAre('fetched'))), 'record a reading')
    await exchangeFiles(scene.provider)
  }),
]
