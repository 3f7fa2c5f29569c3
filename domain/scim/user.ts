/** Users of SCIM (RFC 7643, section 4.1): what this service keeps of them, and how a whole one is read. */
import * as v from 'valibot'
import { email } from '../text.ts'
import { refuseScim } from './errors.ts'
import { booleanOf, listOf, membersOf, textOf } from './words.ts'

export const EMAILS_MAX = 10

export type Name = {
  readonly formatted?: string | undefined
  readonly givenName?: string | undefined
  readonly familyName?: string | undefined
}
export type Email = {
  readonly value: string
  readonly type?: string | undefined
  readonly primary?: boolean | undefined
  readonly display?: string | undefined
}

/** Attributes of a person at the provider, beside the groups that it puts them into. */
export type UserAttributes = {
  readonly userName: string
  readonly externalId: string | null
  readonly active: boolean
  readonly displayName: string | null
  readonly name: Name
  readonly emails: readonly Email[]
}

/** Attributes of the published schemas that are taken and not kept: what they say matters elsewhere. */
const NOT_KEPT: ReadonlySet<string> = new Set(
  `nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers ims photos addresses
  entitlements roles x509certificates schemas`.split(/\s+/),
)
const EXTENSION = 'urn:ietf:params:scim:schemas:extension:'

/** Tells if an attribute of this name, in lower case, is taken and not kept. */
export const isNotKept = (attribute: string): boolean => NOT_KEPT.has(attribute) || attribute.startsWith(EXTENSION)

/** Reads a whole user; `active` is undefined if the provider does not say it. */
export function readUser(body: unknown): Omit<UserAttributes, 'active'> & { readonly active: boolean | undefined } {
  const given = membersOf(body, 'A user')
  const userName = textOf(given.get('username'), 'userName')
  if (userName === null) return refuseScim('invalidValue', 'userName is required.')
  return {
    userName,
    externalId: textOf(given.get('externalid'), 'externalId'),
    active: given.has('active') ? booleanOf(given.get('active'), 'active') : undefined,
    displayName: textOf(given.get('displayname'), 'displayName'),
    name: nameOf(given.get('name')),
    emails: emailsOf(given.get('emails')),
  }
}

/** Reads parts of a name; those that are absent are not in the answer, empty ones are undefined. */
export function nameOf(value: unknown): Name {
  if (value === undefined || value === null) return {}
  const given = membersOf(value, 'name')
  const part = (sub: string, name: string) =>
    given.has(sub) ? { [name]: textOf(given.get(sub), `name.${name}`) ?? undefined } : {}
  return { ...part('formatted', 'formatted'), ...part('givenname', 'givenName'), ...part('familyname', 'familyName') }
}

/** Reads mail addresses; one without a value is left out, since providers send such for what is empty there. */
export function emailsOf(value: unknown): readonly Email[] {
  const read = listOf(value, 'emails', EMAILS_MAX).flatMap((one) => emailOf(one) ?? [])
  return withOnePrimary(read)
}

function emailOf(one: unknown): Email | undefined {
  const given = typeof one === 'string' ? new Map<string, unknown>([['value', one]]) : membersOf(one, 'An email')
  const value = addressIn(given.get('value'))
  if (value === null) return undefined
  const [type, display] = [textOf(given.get('type'), 'emails.type'), textOf(given.get('display'), 'emails.display')]
  const primary = (given.get('primary') ?? null) === null ? null : booleanOf(given.get('primary'), 'emails.primary')
  return {
    value,
    ...(type !== null && { type }),
    ...(primary !== null && { primary }),
    ...(display !== null && { display }),
  }
}

/** Reads a mail address; null if there is none. */
export function addressIn(value: unknown): string | null {
  const text = textOf(value, 'emails.value')
  if (text === null) return null
  return v.safeParse(email, text).success ? text : refuseScim('invalidValue', 'emails.value has to be a mail address.')
}

/** Leaves the last one that is primary (RFC 7644, section 3.5.2: there is one at most). */
export function withOnePrimary(emails: readonly Email[]): readonly Email[] {
  const last = emails.findLastIndex(({ primary }) => primary === true)
  return emails.map((one, index) => (one.primary && index !== last ? { ...one, primary: false } : one))
}

/**
 * Finds the address by which the person signs in first: the primary one, that of work, the first one, or the user name.
 * Null if it is none.
 */
export function signInAddressOf({ emails, userName }: Pick<UserAttributes, 'emails' | 'userName'>): string | null {
  const chosen =
    emails.find(({ primary }) => primary) ?? emails.find(({ type }) => type?.toLowerCase() === 'work') ?? emails[0]
  const parsed = v.safeParse(email, chosen?.value ?? userName)
  return parsed.success ? parsed.output : null
}
