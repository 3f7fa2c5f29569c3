/** Values of SCIM as providers write them: names of attributes in any case, texts for booleans. */
import * as v from 'valibot'
import { line } from '../text.ts'
import { refuseScim } from './errors.ts'

export const TEXT_MAX = 255

/** Reads the members of a JSON object, by their names in lower case. Refuses a name that comes twice in another case. */
export function membersOf(value: unknown, what: string): ReadonlyMap<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuseScim('invalidValue', `${what} has to be an object.`)
  const members = new Map<string, unknown>()
  for (const [name, member] of Object.entries(value)) {
    const key = name.toLowerCase()
    if (members.has(key)) refuseScim('invalidValue', `The attribute ${shorten(name)} comes twice.`)
    members.set(key, member)
  }
  return members
}

/** Shortens what the provider sent, to name it in a sentence. */
export const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

const Line = line(0, TEXT_MAX)
/** Longest text that is cleaned of signs that only hide others: its work is bounded, however often one is read. */
const UNCLEANED_MAX = 4 * TEXT_MAX

/** Reads one line of text; null if it is absent or empty. */
export function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null) return null
  const isLong = typeof value === 'string' && value.length > UNCLEANED_MAX
  const parsed = v.safeParse(Line, isLong ? null : value)
  if (!parsed.success)
    return refuseScim('invalidValue', `${name} has to be one line of at most ${TEXT_MAX} characters.`)
  return parsed.output.trim() === '' ? null : parsed.output.trim()
}

/** Reads a boolean; Entra ID writes it as text. */
export function booleanOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  return refuseScim('invalidValue', `${name} has to be true or false.`)
}

/** Lists the values of a multi-valued attribute; one alone is taken as a list of one. */
export function listOf(value: unknown, name: string, max: number): readonly unknown[] {
  const list: readonly unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  if (list.length > max) refuseScim('tooMany', `${name} has ${list.length} values; at most ${max} are taken at once.`)
  return list
}
