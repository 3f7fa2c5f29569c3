/** Organizations of the viewer, page by page. */
import type { OrganizationId } from '../../domain/ids.ts'
import { type Rows, type Viewer, refusalIn } from './viewer.ts'

export type Organization = { readonly id: OrganizationId; readonly name: string; readonly is_primary: boolean }

export const PAGE = 100

/** Lists a page of the viewer's organizations after a cursor; null without a session. */
async function listOrganizations(viewer: Viewer, after: string | null): Promise<Rows<Organization> | null> {
  const cursor = after === null ? '' : `&cursor=${encodeURIComponent(after)}`
  const answer = await viewer.call<Rows<Organization>>('GET', `/organizations?limit=${PAGE}${cursor}`)
  if (answer.ok) return answer.body
  if (answer.status === 401) return null
  throw refusalIn(answer.error)
}

/** Lists the organizations that the page is about, by its cursor `after`; null without a session. */
export const organizationsHere = (viewer: Viewer): Promise<Rows<Organization> | null> =>
  listOrganizations(viewer, viewer.http.req.query('after') ?? null)

/** Lists the organizations that the page of the viewer is about; null without a session. */
export const organizationsOf = async (viewer: Viewer): Promise<readonly Organization[] | null> =>
  (await organizationsHere(viewer))?.data ?? null

/** Lists all organizations of the viewer, page by page; null without a session. */
export async function* allOrganizations(viewer: Viewer): AsyncGenerator<readonly Organization[] | null> {
  for (let after: string | null = null; ;) {
    const page: Rows<Organization> | null = await listOrganizations(viewer, after)
    yield page && page.data
    if (!page?.next_cursor) return
    after = page.next_cursor
  }
}
