/** The publication of the heads of all logs, started by a schedule: page by page of organizations. */
import { continueAsNew } from '@temporalio/workflow'
import type { HeadsPage } from '../activities/event-heads.ts'
import { heavy } from './proxies.ts'

/** A run's history stays short, however many organizations there are. */
const PAGES_PER_RUN = 200

type Progress = HeadsPage & { readonly published: number; readonly faulty: number }

/** Answers how many heads were published, and how many logs were not, as something is wrong with them. */
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
