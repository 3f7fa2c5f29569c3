/** Operations of a PATCH (RFC 7644, section 3.5.2), as Okta and Entra ID write them. */
import { refuseScim } from './errors.ts'
import { type Path, parsePath } from './filter.ts'
import { listOf, membersOf, shorten } from './words.ts'

const OPERATIONS_MAX = 1000

/** One change of one attribute. */
export type Change = { readonly op: 'add' | 'replace' | 'remove'; readonly path: Path; readonly value: unknown }

/** Reads the changes of a PATCH. An operation without a path is one change for each member of its value. */
export function readChanges(body: unknown): readonly Change[] {
  const operations = listOf(membersOf(body, 'A PATCH').get('operations'), 'Operations', OPERATIONS_MAX)
  if (operations.length === 0) refuseScim('invalidSyntax', 'A PATCH has Operations.')
  const changes = operations.flatMap(changesOf)
  if (changes.length > OPERATIONS_MAX)
    refuseScim('tooMany', `A PATCH changes at most ${OPERATIONS_MAX} attributes at once.`)
  return changes
}

function changesOf(operation: unknown): readonly Change[] {
  const given = membersOf(operation, 'An operation')
  const op = opOf(given.get('op'))
  const [path, value] = [given.get('path'), given.get('value')]
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') return refuseScim('invalidPath', 'A path has to be a text.')
    if (op !== 'remove' && value === undefined) return refuseScim('invalidValue', `The operation ${op} needs a value.`)
    return [{ op, path: parsePath(path), value }]
  }
  if (op === 'remove') return refuseScim('noTarget', 'The operation remove needs a path.')
  return [...membersOf(value, 'The value of an operation without a path')].map(([name, member]) => ({
    op,
    path: parsePath(name),
    value: member,
  }))
}

function opOf(value: unknown): Change['op'] {
  const op = typeof value === 'string' ? value.toLowerCase() : ''
  if (op === 'add' || op === 'replace' || op === 'remove') return op
  return refuseScim(
    'invalidSyntax',
    `An operation is add, replace or remove, not ${shorten(JSON.stringify(value ?? null))}.`,
  )
}
