/** Syncs of all organizations, begun by a schedule; each is a run of its own. */
import { setCurrentDetails } from '@temporalio/workflow'
import { scheduleOn } from './proxies.ts'

export async function accountingSyncs(): Promise<{ readonly begun: number }> {
  let begun = 0
  for (let after: string | null = null; ;) {
    const page: { readonly after: string | null; readonly begun: number } = await scheduleOn('rows').beginSyncs({
      after,
    })
    begun += page.begun
    after = page.after
    setCurrentDetails(`${begun} syncs.`)
    if (after === null) return { begun }
  }
}
