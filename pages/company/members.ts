/** Members of a company as other pages of it name them. */
import { markAlike } from '../../domain/look-alikes.ts'
import type { Member } from '../../domain/organizations/member.ts'
import { bodyOf } from '../frame/company.ts'
import { findMembers, nameOf } from '../frame/organizations.ts'
import type { Choice } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

/** Pages of a hundred members that a form offers at most. */
const PAGES_MAX = 3
const PAGE_ROWS = 100

/** Lists the members, sorted by name: the first three hundred. */
export async function allMembers(viewer: Viewer, companyId: string): Promise<readonly Member[]> {
  const found: Member[] = []
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path: string = `/organizations/${companyId}/members?limit=${PAGE_ROWS}${cursor === null ? '' : `&cursor=${cursor}`}`
    const { data, next_cursor: next } = bodyOf(await viewer.call<Rows<Member>>('GET', path))
    found.push(...data)
    if (next === null) break
    cursor = next
  }
  return found.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), viewer.language))
}

/** Lists the members, and those beyond the first three hundred that are named: who is missing then has left. */
export async function membersAnd(
  viewer: Viewer,
  companyId: string,
  named: readonly string[],
): Promise<readonly Member[]> {
  const members = await allMembers(viewer, companyId)
  if (members.length < PAGES_MAX * PAGE_ROWS) return members
  const known = new Set(members.map(({ id }) => id))
  const missing = named.filter((id) => !known.has(id))
  return [...members, ...bodyOf(await findMembers(viewer, companyId, missing))]
}

/** Lists the members as choices of a field. */
export const choicesOf = (members: readonly Member[], { company: { roles } }: Words): readonly Choice[] =>
  members.map((one) => [one.id, `${markAlike(nameOf(one))} (${roles[one.role]})`])
