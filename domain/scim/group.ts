/** Groups of SCIM (RFC 7643, section 4.2): how a whole one and its changes are read. */
import { isUuid } from '../ids.ts'
import { refuseScim } from './errors.ts'
import type { Change } from './operations.ts'
import { listOf, membersOf, shorten, textOf } from './words.ts'

/** Members that one request names at most. */
export const MEMBERS_AT_ONCE = 1000

export type GroupAttributes = { readonly displayName: string; readonly externalId: string | null }

/** Change of the members of a group: `from` those that it has, or none. */
export type MembersChange = {
  readonly from: 'present' | 'none'
  readonly added: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
}

const NO_CHANGE: MembersChange = { from: 'present', added: new Set(), removed: new Set() }

export type GroupChange = GroupAttributes & { readonly members: MembersChange }

/** Reads a whole group; its members are those that are named. */
export function readGroup(body: unknown): GroupChange {
  const given = membersOf(body, 'A group')
  return {
    displayName: displayNameOf(given.get('displayname')),
    externalId: textOf(given.get('externalid'), 'externalId'),
    members: { from: 'none', added: new Set(memberIdsOf(given.get('members'))), removed: new Set() },
  }
}

function displayNameOf(value: unknown): string {
  return textOf(value, 'displayName') ?? refuseScim('invalidValue', 'displayName is required.')
}

/** Reads the ids of members, in lower case. */
function memberIdsOf(value: unknown): readonly string[] {
  return listOf(value, 'members', MEMBERS_AT_ONCE).map((one) => {
    const given = typeof one === 'string' ? new Map<string, unknown>([['value', one]]) : membersOf(one, 'A member')
    const [id, type] = [given.get('value'), given.get('type')]
    if (typeof type === 'string' && type.toLowerCase() === 'group')
      return refuseScim('invalidValue', 'Members of a group are users.')
    return isUuid(id) ? id.toLowerCase() : refuseScim('invalidValue', 'The value of a member is the id of a user.')
  })
}

/** Applies changes in their order; `id` is that of the group, which some providers send along. */
export function changeGroup(before: GroupAttributes, id: string, changes: readonly Change[]): GroupChange {
  const after = changes.reduce((group, change) => changeOne(group, id, change), { ...before, members: NO_CHANGE })
  if (after.members.added.size + after.members.removed.size > MEMBERS_AT_ONCE)
    refuseScim('tooMany', `At most ${MEMBERS_AT_ONCE} members are changed at once.`)
  return after
}

function changeOne(group: GroupChange, id: string, change: Change): GroupChange {
  const { op, path, value } = change
  const { attribute, sub, filter } = path
  if (attribute === 'members' && sub === undefined) return { ...group, members: changeMembers(group.members, change) }
  if (sub !== undefined || filter) return refuseScim('invalidPath', `${shorten(attribute)} is changed as a whole.`)
  if (attribute === 'displayname') return { ...group, displayName: displayNameOf(op === 'remove' ? null : value) }
  if (attribute === 'externalid') return { ...group, externalId: op === 'remove' ? null : textOf(value, 'externalId') }
  if (attribute === 'schemas' || attribute.startsWith('urn:') || (attribute === 'id' && value === id)) return group
  if (['id', 'meta'].includes(attribute)) return refuseScim('mutability', `${attribute} is read only.`)
  return refuseScim('invalidPath', `A group has no attribute ${shorten(attribute)}.`)
}

function changeMembers(
  { from, added, removed }: MembersChange,
  { op, path: { filter }, value }: Change,
): MembersChange {
  if (filter) {
    if (op !== 'remove' || filter.path !== 'value')
      return refuseScim('invalidPath', 'Members are chosen by their value, to be removed.')
    const [id = ''] = memberIdsOf(filter.value)
    return { from, added: without(added, [id]), removed: new Set([...removed, id]) }
  }
  const ids = memberIdsOf(value)
  if (op === 'add') return { from, added: new Set([...added, ...ids]), removed: without(removed, ids) }
  if (op === 'replace') return { from: 'none', added: new Set(ids), removed: new Set() }
  if (value === undefined || value === null) return { from: 'none', added: new Set(), removed: new Set() }
  return { from, added: without(added, ids), removed: new Set([...removed, ...ids]) }
}

function without(some: ReadonlySet<string>, others: readonly string[]): ReadonlySet<string> {
  const gone = new Set(others)
  return new Set([...some].filter((one) => !gone.has(one)))
}
