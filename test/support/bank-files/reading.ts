/** Readings of files of a bank in this process. */
import { readBankFile } from '../../../documents/bank-files/read.ts'
import { UnreadableBill } from '../../../domain/bills/reader.ts'

export const readText = (file: string | Uint8Array) =>
  readBankFile(typeof file === 'string' ? Buffer.from(file) : file).messages

/** Says why a file is not read. */
export function refusalOf(file: string | Uint8Array): string {
  try {
    readText(file)
  } catch (error) {
    if (error instanceof UnreadableBill) return error.message
    throw error
  }
  return 'it is read'
}
