/** A screening: a name is compared with lists of sanctions, and asked again until there is an answer. */
import type { ScreeningId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { record, screeningAt } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a screening to its answer. A possible match waits for operators, without a run. */
export async function screening(ref: ProcessRef<ScreeningId>): Promise<string> {
  const run = new Run(ref, record.viewScreening)
  for await (const screening of run.rows()) {
    if (screening.ask_due) await run.step(screeningAt(screening).screenName)
    else await run.wait('Next question about the name')
  }
  return run.status
}
