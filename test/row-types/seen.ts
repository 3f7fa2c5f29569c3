/** Statements as the recorder saw them in all processes. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Value as it was seen at one place: a column, a member of JSON, or the elements of an array. */
export type Place = {
  readonly facts: Set<string>
  readonly members: string[][]
  readonly places: Map<string, Place>
}

export type Columns = readonly (readonly [name: string, oid: number])[]

/** Statement as it was seen: each list of columns that it returned, and its values. */
export type Seen = { readonly columns: Columns[]; readonly row: Place }

type Line = readonly [name: string, path: readonly string[], fact: string | { columns?: Columns; members?: string[] }]

const newPlace = (): Place => ({ facts: new Set(), members: [], places: new Map() })

/** Reads statements by the names that the recorder gave them. */
export function readSeen(folder: string): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>()
  const lines = new Set(readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')))
  for (const line of lines) {
    if (!line.endsWith(']')) continue // of a process that was killed while it wrote
    const [name, path, fact] = JSON.parse(line) as Line
    const statement = entryOf(seen, name, () => ({ columns: [], row: newPlace() }))
    const place = path.reduce((from, part) => entryOf(from.places, part, newPlace), statement.row)
    if (typeof fact === 'string') place.facts.add(fact)
    else if (fact.columns) statement.columns.push(fact.columns)
    else if (fact.members) place.members.push(fact.members)
  }
  return seen
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
