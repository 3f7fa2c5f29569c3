/** An export: its file is written, and tried again later if that failed. Each try has a snapshot of its own. */
import type { ExportId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { heavy, record } from './proxies.ts'
import { Run } from './run.ts'

/** Returns the status that the export ended in. Another try of one that failed starts it again. */
async function exportFile(ref: ProcessRef<ExportId>): Promise<string> {
  const { writeExport } = heavy()
  const run = new Run(ref, record.viewExport)
  for await (const file of run.rows()) {
    if (file.waits_for_turn) await run.wait('The turn of its organization')
    else if (file.write_due) await run.step(writeExport)
    else await run.wait('Write the file again')
  }
  return run.status
}
export { exportFile as export }
