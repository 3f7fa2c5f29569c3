/**
 * A process of its own that opens the files of bills. Whatever a file does to what reads it, it does it here, without
 * secrets, and with limits of memory and processor time after which the process is ended.
 */
import { constants, setPriority } from 'node:os'
import { type BillFile, type Reading, UnreadableBill, type UnreadableCode } from '../../../db/model/bills/reader.ts'
import { readings } from './readers.ts'
import { watchThisProcess } from './limits.ts'

export type Answer =
  | { readonly readings: readonly Reading[] }
  | { readonly code: UnreadableCode; readonly message: string }
  | { readonly crash: string }

async function answer(file: BillFile): Promise<Answer> {
  try {
    return { readings: await readings(file) }
  } catch (error) {
    if (error instanceof UnreadableBill) return { code: error.code, message: error.message }
    return { crash: String(error) }
  }
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL) // requests come first
watchThisProcess()
process.on('SIGINT', () => {}) // of a terminal: our parent drains, and ends us with itself
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL')) // an orderly exit would wait for the file
process.on('message', (file: BillFile) => {
  void answer(file).then((said) => process.send?.(said))
})
