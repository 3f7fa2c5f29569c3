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

/**
 * Applies changes in their order; `id` is that of the group, which some providers send along. The members are kept in
 * two sets that every change works on, and are refused as soon as they are too many.
 */
export function changeGroup(before: GroupAttributes, id: string, changes: readonly Change[]): GroupChange {
  const members = new FoldedMembers()
  const words = changes.reduce<GroupAttributes>((group, change) => changeOne(group, members, id, change), before)
  return { ...words, members }
}

function changeOne(group: GroupAttributes, members: FoldedMembers, id: string, change: Change): GroupAttributes {
  const { op, path, value } = change
  const { attribute, sub, filter } = path
  if (attribute === 'members' && sub === undefined) {
    members.change(change)
    return group
  }
  if (sub !== undefined || filter) return refuseScim('invalidPath', `${shorten(attribute)} is changed as a whole.`)
  if (attribute === 'displayname') return { ...group, displayName: displayNameOf(op === 'remove' ? null : value) }
  if (attribute === 'externalid') return { ...group, externalId: op === 'remove' ? null : textOf(value, 'externalId') }
  if (attribute === 'schemas' || attribute.startsWith('urn:') || (attribute === 'id' && value === id)) return group
  if (['id', 'meta'].includes(attribute)) return refuseScim('mutability', `${attribute} is read only.`)
  return refuseScim('invalidPath', `A group has no attribute ${shorten(attribute)}.`)
}

/** Changes of members, folded one by one. */
class FoldedMembers implements MembersChange {
  from: MembersChange['from'] = 'present'
  readonly added = new Set<string>()
  readonly removed = new Set<string>()

  change({ op, path: { filter }, value }: Change): void {
    if (filter) {
      if (op !== 'remove' || filter.path !== 'value')
        refuseScim('invalidPath', 'Members are chosen by their value, to be removed.')
      this.#remove(memberIdsOf(filter.value))
    } else if (op === 'add') this.#add(memberIdsOf(value))
    else if (op === 'replace') this.#replaceBy(memberIdsOf(value))
    else if (value === undefined || value === null) this.#replaceBy([])
    else this.#remove(memberIdsOf(value))
    if (this.added.size + this.removed.size > MEMBERS_AT_ONCE)
      refuseScim('tooMany', `At most ${MEMBERS_AT_ONCE} members are changed at once.`)
  }

  #add(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.add(id)
      this.removed.delete(id)
    }
  }

  #remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.added.delete(id)
      this.removed.add(id)
    }
  }

  #replaceBy(ids: readonly string[]): void {
    this.from = 'none'
    this.added.clear()
    this.removed.clear()
    this.#add(ids)
  }
}
