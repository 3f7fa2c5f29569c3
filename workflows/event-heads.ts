/** Scheduled publication of the heads of all logs, page by page of organizations. */
import { continueAsNew } from '@temporalio/workflow'
import type { HeadsPage } from '../activities/event-heads.ts'
import { heavy } from './proxies.ts'

/** Pages before continue-as-new, so that the history stays short. */
const PAGES_PER_RUN = 200

type Progress = HeadsPage & { readonly published: number; readonly faulty: number }

/** Publishes heads; answers how many, and how many logs were skipped as faulty. */
export async function eventHeads(
  progress: Progress = { after: null, published: 0, faulty: 0 },
): Promise<Omit<Progress, 'after'>> {
  let { after, published, faulty } = progress
  for (let page = 0; page < PAGES_PER_RUN; page += 1) {
    const done = await heavy().publishEventHeads({ after })
    published += done.published
    faulty += done.faulty
    after = done.after
    if (!after) return { published, faulty }
  }
  return continueAsNew<typeof eventHeads>({ after, published, faulty })
}
