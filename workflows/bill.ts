/** A bill: its file is read, a language model fills gaps, both are merged; or it is given up. */
import type { BillId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { bills, languageModel, record } from './proxies.ts'
import { Run, type Step } from './run.ts'

/** Drives a bill until its file is read. A request to read it again starts a new run. */
export async function bill(ref: ProcessRef<BillId>): Promise<string> {
  const { readBill } = bills()
  const { askLanguageModel } = languageModel()
  const run = new Run(ref, record.viewBill)
  for await (const bill of run.rows()) {
    if (bill.unreadable) await run.step(record.giveUpBill)
    else if (!bill.is_read) await takeWhenDue(readBill, 'Next try to read the file')
    else if (bill.asks_model) await takeWhenDue(askLanguageModel, 'Next try of the language model')
    else await run.step(record.mergeBill)

    /** Takes a long step when due: backoff and queue are stored in rows. */
    async function takeWhenDue(step: Step<BillId>, label: string): Promise<void> {
      if (bill.waits_for_turn) await run.wait('Turn of the organization')
      else if (bill.try_due) await run.step(step)
      else await run.wait(label)
    }
  }
  return run.status
}
