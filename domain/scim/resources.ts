/** Resources of SCIM as they are answered (RFC 7643, section 3), whole or in part. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson } from '../canonical.ts'
import type { UserAttributes } from './user.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const SCIM_ROOT = '/scim/v2'
export const PAGE_DEFAULT = 100
export const PAGE_MAX = 200

/** Times of a resource. */
type Times = { readonly id: string; readonly inserted_at: string; readonly updated_at: string }

/** Reference to another resource; that to a group has its name. */
export type Reference = { readonly value: string; readonly display?: string }

export type UserResource = Times & { readonly attributes: UserAttributes; readonly groups: readonly Reference[] }
export type GroupResource = Times & {
  readonly displayName: string
  readonly externalId: string | null
  /** Ids of users; absent if the request leaves them out. */
  readonly members?: readonly string[] | undefined
}

/** Resource as JSON: a record of attributes. */
export type Resource = Readonly<Record<string, unknown>>

/** Writes a user below the address of this service. */
export function writeUser({ attributes, groups, ...times }: UserResource, root: string): Resource {
  const { externalId, userName, name, displayName, emails, active } = attributes
  return withMeta('User', times, root, {
    schemas: [USER_SCHEMA],
    id: times.id,
    ...(externalId !== null && { externalId }),
    userName,
    ...(Object.values(name).some((part) => part !== undefined) && { name }),
    ...(displayName !== null && { displayName }),
    ...(emails.length > 0 && { emails }),
    active,
    ...(groups.length > 0 && { groups: groups.map((one) => refer(one, `${root}/Groups`, 'direct')) }),
  })
}

/** Writes a group below the address of this service. */
export function writeGroup({ displayName, externalId, members, ...times }: GroupResource, root: string): Resource {
  const plain = { schemas: [GROUP_SCHEMA], id: times.id, ...(externalId !== null && { externalId }), displayName }
  if (!members || members.length === 0) return withMeta('Group', times, root, plain)
  const references = members.map((value) => refer({ value }, `${root}/Users`, 'User'))
  // one text for thousands of members: to hash each as an object takes many times as long
  return withMeta('Group', times, root, { ...plain, members: references }, { ...plain, members: members.join(' ') })
}

const refer = ({ value, display }: Reference, at: string, type: string): Resource => ({
  value,
  $ref: `${at}/${value}`,
  type,
  ...(display !== undefined && { display }),
})

/** Adds what the service says of a resource; its version is one of `content`. */
function withMeta(
  resourceType: 'User' | 'Group',
  times: Times,
  root: string,
  resource: Resource,
  content: Resource = resource,
): Resource {
  const { id, inserted_at: created, updated_at: lastModified } = times
  const hash = bytesToHex(sha256(utf8ToBytes(canonicalJson(content)))).slice(0, 16)
  const location = `${root}/${resourceType}s/${id}`
  return { ...resource, meta: { resourceType, created, lastModified, location, version: `W/"${hash}"` } }
}

/** Writes a list (RFC 7644, section 3.4.2). */
export const writeList = (resources: readonly Resource[], total: number, startIndex: number): Resource => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const NAMES_MAX = 50
/** Attributes that every answer has (RFC 7643, section 7: returned "always"). */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'schemas'])

/** Attributes that a request wants, in lower case; with `leavesOut` those that it does not. */
export type Selection = { readonly names: ReadonlySet<string>; readonly leavesOut: boolean } | null

/** Reads `attributes` and `excludedAttributes`; the first one counts if a request has both. */
export function readSelection(attributes: string | undefined, excluded: string | undefined): Selection {
  const given = attributes || excluded
  if (!given) return null
  const names = given.split(',', NAMES_MAX).map((name) => plainName(name.trim().toLowerCase()))
  return { names: new Set(names), leavesOut: !attributes }
}

const plainName = (name: string): string =>
  [USER_SCHEMA, GROUP_SCHEMA].reduce(
    (left, schema) => (left.startsWith(`${schema.toLowerCase()}:`) ? left.slice(schema.length + 1) : left),
    name,
  )

/** Tells if an answer of this selection has the attribute. */
export const isSelected = (selection: Selection, attribute: string): boolean =>
  selection === null ||
  (selection.leavesOut
    ? !selection.names.has(attribute)
    : [...selection.names].some((name) => name === attribute || name.startsWith(`${attribute}.`)))

/** Leaves in a resource what the request wants, also of complex attributes. */
export function select(resource: Resource, selection: Selection): Resource {
  if (selection === null) return resource
  const kept = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const key = name.toLowerCase()
    if (ALWAYS.has(key)) return [[name, value]]
    if (!isSelected(selection, key)) return []
    return [[name, selectWithin(value, key, selection)]]
  })
  return Object.fromEntries(kept)
}

function selectWithin(value: unknown, key: string, { names, leavesOut }: NonNullable<Selection>): unknown {
  if (leavesOut && ![...names].some((name) => name.startsWith(`${key}.`))) return value
  if (Array.isArray(value)) return value.map((one) => selectWithin(one, key, { names, leavesOut }))
  if (typeof value !== 'object' || value === null || (!leavesOut && names.has(key))) return value
  const parts = Object.entries(value).filter(([sub]) => names.has(`${key}.${sub.toLowerCase()}`) !== leavesOut)
  return Object.fromEntries(parts)
}
