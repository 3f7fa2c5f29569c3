/** Scheduled reconciliation with one partner or the rates desk: its lists against our books, part by part. */
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow'
import type { Part, ReconciliationResult, ReconciledPart } from '../activities/reconciliation.ts'
import { reconcileAt } from './proxies.ts'
import { pauseRound } from './run.ts'

/** Parts before continue-as-new, so that the history stays short. */
const PARTS_PER_RUN = 200

type Progress = Part & { readonly found?: ReconciliationResult }

/** Reconciles to the end; answers what was found. Lists that cannot be read come again after a while. */
export async function reconciliation({ found, ...ref }: Progress): Promise<ReconciliationResult> {
  let { records, differences, unknown } = found ?? { records: 0, differences: 0, unknown: 0 }
  let part: Part = ref
  setCurrentDetails(`Reads what the ${ref.partner} lists.`)
  for (let count = 0; count < PARTS_PER_RUN; count += 1) {
    const { next, ...done }: ReconciledPart = await reconcileAt(ref.partner).reconcilePartner(part)
    records += done.records
    differences += done.differences
    unknown += done.unknown
    setCurrentDetails(`${records} records, ${differences} differences.`)
    if (!next) return { records, differences, unknown }
    const { pause_seconds: pause, ...rest } = next
    if (pause) await pauseRound(pause, 'Next round of lists')
    part = rest
  }
  return continueAsNew<typeof reconciliation>({ ...part, found: { records, differences, unknown } })
}
