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
import { booleanOf, shorten, textOf } from './words.ts'

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
  if (before.some(isChosen))
    return requireFew(before.flatMap((one) => (isChosen(one) ? withValue(one, sub, given.value) : [one])))
  if (filter.path !== 'type' || typeof filter.value !== 'string')
    return refuseScim('noTarget', 'No mail address is chosen by the path.')
  const value = sub === undefined ? emailsOf(given.value)[0]?.value : sub === 'value' ? addressIn(given.value) : null
  return value ? requireFew([...before, { value, type: filter.value }]) : before
}

function chooserOf({ path, value }: Filter): (one: Email) => boolean {
  const wanted = typeof value === 'string' ? value.toLowerCase() : value
  if (path === 'type') return ({ type }) => (type?.toLowerCase() ?? null) === wanted
  if (path === 'value') return (one) => one.value.toLowerCase() === wanted
  if (path === 'primary') return ({ primary = false }) => primary === wanted
  return refuseScim('invalidPath', 'Mail addresses are chosen by type, value or primary.')
}

/** Replaces an address, or a part of it; no value takes the address away. */
function withValue(one: Email, sub: string | undefined, value: unknown): readonly Email[] {
  if (sub === undefined) return emailsOf([{ ...one, ...(value as object | null) }])
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
