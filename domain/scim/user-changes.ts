/** Changes of a user by PATCH. */
import { refuseScim } from './errors.ts'
import type { Path } from './filter.ts'
import type { Change } from './operations.ts'
import {
  EMAILS_MAX,
  type Email,
  type UserAttributes,
  addressIn,
  emailsOf,
  isNotKept,
  nameOf,
  withOnePrimary,
} from './user.ts'
import { booleanOf, membersOf, shorten, textOf } from './words.ts'

/** Applies changes in their order; `id` is that of the user, which some providers send along. */
export const changeUser = (before: UserAttributes, id: string, changes: readonly Change[]): UserAttributes =>
  changes.reduce((user, change) => changeOne(user, id, change), before)

function changeOne(user: UserAttributes, id: string, change: Change): UserAttributes {
  const { op, path, value } = change
  const { attribute, sub, filter } = path
  if (attribute === 'emails') return { ...user, emails: changeEmails(user.emails, change) }
  if (isNotKept(attribute)) return user
  if (filter) return refuseScim('invalidPath', `${shorten(attribute)} has no values to choose among.`)
  if (attribute === 'name') return changeName(user, change)
  if (sub !== undefined) return refuseScim('invalidPath', `${shorten(attribute)} has no sub-attributes.`)
  switch (attribute) {
    case 'active':
      if (op === 'remove') return refuseScim('invalidValue', 'active is true or false, and is not removed.')
      return { ...user, active: booleanOf(value, 'active') }
    case 'username': {
      const userName = op === 'remove' ? null : textOf(value, 'userName')
      return userName === null ? refuseScim('invalidValue', 'userName is required.') : { ...user, userName }
    }
    case 'externalid':
      return { ...user, externalId: op === 'remove' ? null : textOf(value, 'externalId') }
    case 'displayname':
      return { ...user, displayName: op === 'remove' ? null : textOf(value, 'displayName') }
    default:
      return refuseOther(user, id, change)
  }
}

/** Refuses what the service writes itself, and what is no attribute. */
function refuseOther(user: UserAttributes, id: string, { path: { attribute }, value }: Change): UserAttributes {
  if (attribute === 'id' && value === id) return user
  if (['id', 'meta', 'groups'].includes(attribute)) return refuseScim('mutability', `${attribute} is read only.`)
  return refuseScim('invalidPath', `A user has no attribute ${shorten(attribute)}.`)
}

const PARTS: Readonly<Record<string, 'formatted' | 'givenName' | 'familyName'>> = {
  formatted: 'formatted',
  givenname: 'givenName',
  familyname: 'familyName',
}

function changeName(user: UserAttributes, { op, path: { sub }, value }: Change): UserAttributes {
  if (sub === undefined) return { ...user, name: op === 'remove' ? {} : { ...user.name, ...nameOf(value) } }
  const part = Object.hasOwn(PARTS, sub) ? PARTS[sub] : undefined
  if (part === undefined) {
    if (['middlename', 'honorificprefix', 'honorificsuffix'].includes(sub)) return user // taken and not kept
    return refuseScim('invalidPath', `name has no sub-attribute ${shorten(sub)}.`)
  }
  const text = op === 'remove' ? undefined : (textOf(value, `name.${part}`) ?? undefined)
  return { ...user, name: { ...user.name, [part]: text } }
}

function changeEmails(before: readonly Email[], { op, path, value }: Change): readonly Email[] {
  if (path.filter) return changeChosen(before, path, path.filter, op === 'remove' ? undefined : { value })
  if (path.sub !== undefined) return refuseScim('invalidPath', 'A value of emails is chosen in brackets.')
  if (op === 'remove') {
    const gone = new Set(emailsOf(value).map((one) => one.value.toLowerCase()))
    return value === undefined || value === null ? [] : before.filter((one) => !gone.has(one.value.toLowerCase()))
  }
  const given = emailsOf(value)
  if (op === 'replace') return given
  const isNew = (one: Email) => !before.some((other) => other.value === one.value && other.type === one.type)
  return requireFew([...before, ...given.filter(isNew)])
}

const requireFew = (emails: readonly Email[]): readonly Email[] =>
  emails.length > EMAILS_MAX
    ? refuseScim('tooMany', `A user has at most ${EMAILS_MAX} mail addresses.`)
    : withOnePrimary(emails)

type Filter = NonNullable<Path['filter']>

/** Changes the addresses that a filter chooses; a type that is not there yet is added, as Entra ID expects. */
function changeChosen(
  before: readonly Email[],
  { sub }: Path,
  filter: Filter,
  given: { readonly value: unknown } | undefined,
): readonly Email[] {
  const isChosen = chooserOf(filter)
  if (!given) {
    if (sub === undefined || sub === 'value') return before.filter((one) => !isChosen(one))
    return before.map((one) => (isChosen(one) ? withPart(one, sub, null) : one))
  }
  if (sub === undefined) return changeWhole(before, filter, isChosen, partsOf(given.value))
  if (before.some(isChosen))
    return requireFew(before.flatMap((one) => (isChosen(one) ? withValue(one, sub, given.value) : [one])))
  const type = typeToAdd(filter)
  const value = sub === 'value' ? addressIn(given.value) : null
  return value === null ? before : requireFew([...before, { value, type }])
}

type Chooser = (one: Email) => boolean

/** Changes addresses as a whole: what the parts do not name stays, and a type is one of the path's if none is named. */
function changeWhole(
  before: readonly Email[],
  filter: Filter,
  isChosen: Chooser,
  parts: Readonly<Record<string, unknown>>,
): readonly Email[] {
  if (!before.some(isChosen)) return requireFew([...before, ...emailsOf([{ type: typeToAdd(filter), ...parts }])])
  return requireFew(before.flatMap((one) => (isChosen(one) ? emailsOf([{ ...one, ...parts }]) : [one])))
}

/** Reads the type of an address to add from the path that chooses it. */
const typeToAdd = ({ path, value }: Filter): string =>
  (path === 'type' && typeof value === 'string' ? textOf(value, 'emails.type') : null) ??
  refuseScim('noTarget', 'No mail address is chosen by the path.')

const PARTS_OF_EMAIL = ['value', 'type', 'primary', 'display']

/** Reads the parts of an address that an object names: foreign members are left behind, once for all addresses. */
function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  const given = membersOf(value, 'An email')
  return Object.fromEntries(PARTS_OF_EMAIL.filter((part) => given.has(part)).map((part) => [part, given.get(part)]))
}

function chooserOf({ path, value }: Filter): Chooser {
  if (path === 'type') {
    const wanted = typeof value === 'string' ? (textOf(value, 'emails.type')?.toLowerCase() ?? null) : value
    return ({ type }) => (type?.toLowerCase() ?? null) === wanted
  }
  const wanted = typeof value === 'string' ? value.toLowerCase() : value
  if (path === 'value') return (one) => one.value.toLowerCase() === wanted
  if (path === 'primary') return ({ primary = false }) => primary === wanted
  return refuseScim('invalidPath', 'Mail addresses are chosen by type, value or primary.')
}

/** Replaces a part of an address; no value takes the address away. */
function withValue(one: Email, sub: string, value: unknown): readonly Email[] {
  if (sub !== 'value') return [withPart(one, sub, value)]
  const address = addressIn(value)
  return address === null ? [] : [{ ...one, value: address }]
}

function withPart(one: Email, sub: string, value: unknown): Email {
  if (sub === 'type') return { ...one, type: textOf(value, 'emails.type') ?? undefined }
  if (sub === 'display') return { ...one, display: textOf(value, 'emails.display') ?? undefined }
  if (sub === 'primary') return { ...one, primary: value !== null && booleanOf(value, 'emails.primary') }
  return refuseScim('invalidPath', `emails has no sub-attribute ${shorten(sub)}.`)
}
