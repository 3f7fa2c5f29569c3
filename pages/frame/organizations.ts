/** Organizations of the viewer, page by page, and members of them by their ids. */
import type { OrganizationId } from '../../domain/ids.ts'
import type { Member } from '../../domain/organizations/member.ts'
import { type Answer, type Rows, type Viewer, refusalIn } from './viewer.ts'

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

/** Names a member: by their address until they have a name. */
export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email

/** Most members that are asked for at once. */
const MEMBERS_MAX = 100

/** Reads the members of these ids. Who has left is none; the refusal is answered to those who may not list members. */
export async function findMembers(
  viewer: Viewer,
  companyId: string,
  ids: Iterable<string>,
): Promise<Answer<readonly Member[]>> {
  const found: Member[] = []
  const asked = [...new Set(ids)]
  for (let from = 0; from < asked.length; from += MEMBERS_MAX) {
    const query = new URLSearchParams([
      ['limit', String(MEMBERS_MAX)],
      ...asked.slice(from, from + MEMBERS_MAX).map((id): [string, string] => ['user_ids', id]),
    ])
    const answer = await viewer.call<Rows<Member>>('GET', `/organizations/${companyId}/members?${query.toString()}`)
    if (!answer.ok) return answer
    found.push(...answer.body.data)
  }
  return { ok: true, status: 200, body: found }
}

/** Reads the names of members by their ids: none of those who left, nor for a viewer who may not list members. */
export async function findNames(
  viewer: Viewer,
  companyId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const members = await findMembers(viewer, companyId, ids)
  return new Map(members.ok ? members.body.map((one) => [one.id, nameOf(one)]) : [])
}
