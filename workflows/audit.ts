import { continueAsNew, setCurrentDetails } from '@temporalio/workflow'
import type { AuditPage } from '../activities/audits.ts'
import { scheduleOn } from './proxies.ts'

/** Pages before continue-as-new, so that the history stays short. */
const PAGES_PER_RUN = 200

export type AuditProgress = AuditPage & { readonly audited: number; readonly faulty: number }
export type AuditVerdict = { readonly audited: number; readonly faulty: number; readonly faults: number }

/** Audits all; answers the number of organizations, of faulty ones, and of faults. */
export async function audit(progress: AuditProgress = { after: null, audited: 0, faulty: 0 }): Promise<AuditVerdict> {
  let { audited, faulty } = progress
  let { after } = progress
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const done = await scheduleOn('rows').auditOrganizations({ after })
    audited += done.audited
    faulty += done.faulty
    after = done.after
    setCurrentDetails(`${audited} organizations audited, ${faulty} with faults.`)
    if (!after) break
  }
  if (after) await continueAsNew<typeof audit>({ after, audited, faulty })
  const { faults } = await scheduleOn('rows').auditService()
  return { audited, faulty, faults }
}
