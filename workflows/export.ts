/** An export: its file is written, with retries. Each try has its own snapshot. */
import type { ExportId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives an export. Another try of a failed one starts a new run. */
async function exportFile(ref: ProcessRef<ExportId>): Promise<string> {
  const { writeExport } = heavy()
  const run = new Run(ref, record.viewExport)
  for await (const file of run.rows()) {
    if (file.waits_for_turn) await run.wait('Turn of the organization')
    else if (file.write_due) await run.step(writeExport)
    else await run.wait('Next try to write the file')
  }
  return run.status
}
export { exportFile as export }
