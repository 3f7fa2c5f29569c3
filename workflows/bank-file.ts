/** A file to a bank is written, uploaded, acknowledged and closed; one of a bank is read. */
import type { BankFileId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { bills, mover, record, rows } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a file. Files of the bank name the status of its payments. */
export async function bankFile(ref: ProcessRef<BankFileId>): Promise<string> {
  const { writeBankFile, holdBankFile } = rows()
  const { readBankFile } = bills()
  const run = new Run(ref, record.viewBankFile)
  for await (const file of run.rows()) {
    switch (file.status) {
      case 'collecting':
        if (file.due && file.folder_read) await run.step(writeBankFile)
        else if (file.due && file.urgent) await run.step(mover({ partner: file.connection }).visitForBankFile)
        else await run.wait(file.due ? 'Files of the bank' : 'Flush of the file')
        break
      case 'written':
        await run.step(mover({ partner: file.connection }).uploadBankFile)
        break
      case 'uploaded':
        if (file.all_ended) await run.step(record.closeBankFile)
        else if (file.due) await run.step(holdBankFile)
        else await run.wait('Acknowledgement by the bank')
        break
      case 'acknowledged':
      case 'on_hold':
        if (file.all_ended) await run.step(record.closeBankFile)
        else await run.wait('Payments by the bank')
        break
      case 'fetched':
        await run.step(readBankFile)
        break
      default:
        throw new Error(`nothing drives a file that is ${file.status}`)
    }
  }
  return run.status
}
