/** Process of a worker that is killed: takes the step that it is sent, once. */
import { bookAnnouncedDeposit, sendDepositBack } from '../../activities/deposits.ts'
import { fetchBankFiles, readBankFile, uploadBankFile } from '../../activities/bank-files.ts'
import { rows } from '../../activities/index.ts'
import { cancelPayout, orderPayout, pollPayout } from '../../activities/payouts.ts'
import { followClock } from '../../db/postgres/clock.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { act } from './act.ts'

const { writeBankFile } = rows
const STEPS = {
  orderPayout,
  pollPayout,
  cancelPayout,
  bookAnnouncedDeposit,
  sendDepositBack,
  writeBankFile,
  uploadBankFile,
  fetchBankFiles: async (part: { readonly connection: string }) => void (await fetchBankFiles(part)),
  readBankFile,
}

export type MortalStep = { readonly name: keyof typeof STEPS; readonly ref: ProcessRef<never> & { connection: string } }

await followClock()
process.on('message', (message) => {
  const { name, ref } = message as MortalStep // sent by mortal.ts
  void act(STEPS[name], ref).then(() => process.exit(0))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
