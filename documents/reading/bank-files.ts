/** Files of banks: read in a process of its own, which is ended if a file asks for too much. */
import type { BankFileContent } from '../../domain/bank-files/messages.ts'
import { FileRefused, read } from './process.ts'

/** Size of a file at most, as its reader knows it: larger ones are not sent there. */
export const BANK_FILE_BYTES_MAX = 50 * 1024 * 1024
/** Real time in which its process has to do some work. */
const READING_MS_MAX = 60_000

/** File that is not read, for good: `reason` names the element, and quotes nothing of the file. */
export class UnreadableBankFile extends Error {
  override readonly name = 'UnreadableBankFile'

  constructor(readonly reason: string) {
    super(`a file of a bank cannot be read: ${reason}`)
  }
}

/** Reads a file of a bank. Throws UnreadableBankFile for good; any other error may pass. */
export async function readBankFile(bytes: Uint8Array, signal?: AbortSignal): Promise<BankFileContent> {
  if (bytes.length > BANK_FILE_BYTES_MAX) throw new UnreadableBankFile('It has more than 50 MB.')
  try {
    return await read('bankFile', bytes, { msMax: READING_MS_MAX, byProgress: true, signal })
  } catch (error) {
    throw error instanceof FileRefused ? new UnreadableBankFile(reasonOf(error.details)) : error
  }
}

/** Takes the sentence of the reader; null is of a file that took too much. */
function reasonOf(details: unknown): string {
  const { message } = (details ?? {}) as { readonly message?: unknown } // as reading-process.ts answers it
  return typeof message === 'string' ? message : 'It takes too much time or memory.'
}
