/** Begins the syncs of all organizations, started by a schedule. Each is a run of its own. */
import { setCurrentDetails } from '@temporalio/workflow'
import { scheduled } from './proxies.ts'

/** Answers how many there are. */
export async function accountingSyncs(): Promise<{ readonly begun: number }> {
  let begun = 0
  for (let after: string | null = null; ;) {
    const page: { readonly after: string | null; readonly begun: number } = await scheduled().beginSyncs({ after })
    begun += page.begun
    after = page.after
    setCurrentDetails(`${begun} syncs.`)
    if (after === null) return { begun }
  }
}
