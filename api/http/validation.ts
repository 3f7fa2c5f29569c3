/** Validation of shapes: one refusal lists every fault. */
import * as v from 'valibot'
import { refuse } from '../../domain/errors.ts'
import { A_TIME, sentenceFor } from '../../domain/sentences.ts'

const MAX_ERRORS = 50
/** Messages of valibot's own rules, in the words of API users. */
const PLAIN: Readonly<Record<string, (issue: v.BaseIssue<unknown>) => string>> = {
  string: () => 'must be text',
  number: () => 'must be a number',
  boolean: () => 'must be true or false',
  array: () => 'must be a list',
  object: () => 'must be an object',
  record: () => 'must be an object',
  picklist: oneOf,
  variant: oneOf,
  literal: ({ expected }) => `must be ${expected ?? ''}`,
  integer: () => 'must be a whole number',
  min_value: ({ requirement }) => `must be at least ${String(requirement)}`,
  max_value: ({ requirement }) => `must be at most ${String(requirement)}`,
  min_length: (issue) => `must have at least ${countOf(issue)}`,
  max_length: (issue) => `must have at most ${countOf(issue)}`,
  uuid: () => 'must be a uuid',
  iso_date: () => 'must be a day such as 2026-03-01',
  iso_timestamp: () => `must be ${A_TIME}`,
}
const ONE_VALUE: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'picklist'])

function oneOf({ expected }: v.BaseIssue<unknown>): string {
  if (!expected?.includes('"')) return 'must be an object' // a variant of what is none
  return `must be one of: ${expected.replaceAll(/[()"]/g, '').replaceAll(' | ', ', ')}`
}

function countOf({ requirement, input }: v.BaseIssue<unknown>): string {
  const things = Array.isArray(input) ? 'item' : 'character'
  return `${String(requirement)} ${things}${requirement === 1 ? '' : 's'}`
}

const OWN = 'Invalid '
/** Quoted input in valibot's messages: a password in the wrong field would get into logs of callers. */
const RECEIVED = /(?:: Received| but received) .*$/s

type Fault = { path: string; code: string; message: string }

/** Longest input as JSON of which all faults are listed; more would delay the others. */
const ALL_FAULTS_CHARACTERS_MAX = 8 * 1024

/**
 * Parses the input. Refuses `invalid_request` with `details.errors[{path, code, message}]`: up to 50 faults, or the
 * first one of an input above 8 KiB.
 */
export function parse<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const found = v.safeParse(schema, withoutNul(input), { abortEarly: true })
  if (!found.success && JSON.stringify(input).length > ALL_FAULTS_CHARACTERS_MAX) {
    refuse('invalid_request', { errors: found.issues.map(toError) })
  }
  const lists: Fault[] = []
  collectLists(schema, input, lists)
  if (found.success && lists.length === 0) return found.output
  const within = (path: string) => lists.some((list) => list.path === '' || `${path}.`.startsWith(`${list.path}.`))
  const issues = (v.safeParse(schema, input).issues ?? []).slice(0, MAX_ERRORS)
  const faults = issues.map(toError).filter(({ path }) => !within(path))
  refuse('invalid_request', { errors: [...lists, ...faults].slice(0, MAX_ERRORS) })
}

type Parts = {
  readonly type: string
  readonly key?: string
  readonly entries?: Readonly<Record<string, v.GenericSchema>>
  readonly item?: v.GenericSchema
  readonly options?: readonly v.GenericSchema[]
  readonly wrapped?: v.GenericSchema
}

/** Finds lists in the place of an object, which valibot takes for one; at most 50. */
function collectLists(schema: v.GenericSchema, input: unknown, found: Fault[], path = ''): void {
  if (typeof input !== 'object' || input === null || found.length === MAX_ERRORS) return
  const { type, key, entries = {}, item, options = [], wrapped } = schema as Parts // each has some of them
  if (wrapped) return collectLists(wrapped, input, found, path)
  const at = (name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
  if (Array.isArray(input)) {
    if (item) for (const [index, one] of input.entries()) collectLists(item, one, found, at(index))
    else if (OBJECTS.has(type)) found.push({ path, code: 'object', message: 'must be an object' })
    return
  }
  const members = input as Readonly<Record<string, unknown>>
  for (const [name, one] of Object.entries(entries)) collectLists(one, members[name], found, at(name))
  const variant = options.find((option) => key && isVariant(option, key, members[key]))
  if (variant) collectLists(variant, input, found, path)
}

const OBJECTS: ReadonlySet<string> = new Set(['object', 'loose_object', 'strict_object', 'record', 'variant'])

const isVariant = (option: v.GenericSchema, key: string, word: unknown): boolean => {
  const mark = (option as Parts).entries?.[key]
  return mark !== undefined && v.is(mark, word)
}

function toError(issue: v.BaseIssue<unknown>): Fault {
  const path = v.getDotPath(issue) ?? ''
  const [code, message] = sentenceFor(issue.message)
  if (message !== undefined) return { path, code, message }
  if (issue.received === 'undefined') return { path, code: 'required', message: 'is required' }
  return { path, code: issue.type, message: plain(issue) }
}

function plain(issue: v.BaseIssue<unknown>): string {
  if (!issue.message.startsWith(OWN)) return issue.message
  if (ONE_VALUE.has(issue.type) && Array.isArray(issue.input)) return 'takes one value, not a list'
  return PLAIN[issue.type]?.(issue) ?? issue.message.replace(RECEIVED, '')
}

/** Refuses text with NUL directly inside the input, since Postgres cannot store it. */
function withoutNul(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  for (const [key, value] of Object.entries(input)) {
    if (typeof value === 'string' && value.includes('\0')) {
      refuse('invalid_request', { errors: [{ path: key, code: 'nul', message: 'must not contain NUL' }] })
    }
  }
  return input
}
