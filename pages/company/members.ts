/** Members of a company as other pages of it name them. */
import type { Member } from '../../domain/organizations/member.ts'
import { bodyOf } from '../frame/company.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'

/** Pages of a hundred members that a form offers at most. */
const PAGES_MAX = 3

/** Lists the members, sorted by name: the first three hundred. */
export async function allMembers(viewer: Viewer, companyId: string): Promise<readonly Member[]> {
  const found: Member[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path: string = `/organizations/${companyId}/members?limit=100${cursor === null ? '' : `&cursor=${cursor}`}`
    const { data, next_cursor: next } = bodyOf(await viewer.call<Rows<Member>>('GET', path))
    found.push(...data)
    if (next === null) break
    cursor = next
  }
  return found.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), viewer.language))
}

/** Names a member: by their address until they have a name. */
export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email
