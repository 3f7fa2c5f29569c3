/** The audit of all books, started by a schedule: page by page every organization, then what concerns all of them. */
import { continueAsNew, setCurrentDetails } from '@temporalio/workflow'
import type { AuditPage } from '../activities/audits.ts'
import { scheduled } from './proxies.ts'

/** A run's history stays short, however many organizations there are. */
const PAGES_PER_RUN = 200

export type AuditProgress = AuditPage & { readonly audited: number; readonly faulty: number }
export type AuditVerdict = { readonly audited: number; readonly faulty: number; readonly faults: number }

/** Answers how many organizations were audited, and how much is wrong with how many of them, and with the whole. */
export async function audit(progress: AuditProgress = { after: null, audited: 0, faulty: 0 }): Promise<AuditVerdict> {
  let { audited, faulty } = progress
  let { after } = progress
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const done = await scheduled().auditOrganizations({ after })
    audited += done.audited
    faulty += done.faulty
    after = done.after
    setCurrentDetails(`${audited} organizations audited, ${faulty} with faults.`)
    if (!after) break
  }
  if (after) await continueAsNew<typeof audit>({ after, audited, faulty })
  const { faults } = await scheduled().auditService()
  return { audited, faulty, faults }
}
