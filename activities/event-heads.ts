/** Published heads of logs: each is verified, signed, stored, and then put into storage. */
import { organizationsDue, publishHead, storeHeads } from '../services/events/heads.ts'
import type { OrganizationId } from '../domain/ids.ts'
import { log } from '../platform/log.ts'

const ORGANIZATIONS_PER_PAGE = 500
/** Longest page; the organizations that are left go to the next page. */
const PAGE_MS = 60_000

export type HeadsPage = { readonly after: OrganizationId | null }

/**
 * Publishes the heads of a page of logs that have grown; `after` of the next page is null at the end. Logs a faulty
 * log, which keeps its last head. A repeat continues.
 */
export async function publishEventHeads({
  after,
}: HeadsPage): Promise<HeadsPage & { readonly published: number; readonly faulty: number }> {
  const { due, reached } = await organizationsDue(after, ORGANIZATIONS_PER_PAGE)
  const enough = Date.now() + PAGE_MS
  let [published, faulty, last] = [0, 0, reached]
  for (const organizationId of due) {
    if (Date.now() > enough) break
    const bad = await publishHead(organizationId)
    if (bad)
      log.error({ organization_id: organizationId, first_bad: bad }, 'the event log does not match its hash chain')
    if (bad) faulty += 1
    else published += 1
    last = organizationId === due.at(-1) ? reached : organizationId
  }
  await storeHeads()
  return { after: last, published, faulty }
}
