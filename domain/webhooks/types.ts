/** Types that an endpoint takes, and from which place of the log on. */

/** Places by type; `*` is that of any type without one of its own. A type without either is taken from the cursor on. */
export type TypeStarts = Readonly<Record<string, string>>

const ANY = '*'

type TypeChoice = { readonly types: readonly string[]; readonly starts: TypeStarts }

/**
 * Computes the places after a change of the types at `end` of the log; an empty list is all types. A type that was taken
 * keeps its place, and one that was not begins at the end.
 */
export function startsAfter(before: TypeChoice, types: readonly string[], end: string): TypeStarts {
  const all = before.types.length === 0
  const startOf = (type: string): string | undefined =>
    all || before.types.includes(type) ? (before.starts[type] ?? (all ? before.starts[ANY] : undefined)) : end
  if (types.length > 0) return withoutHoles(types.map((type) => [type, startOf(type)]))
  if (all) return before.starts
  return { ...withoutHoles(before.types.map((type) => [type, startOf(type) ?? '0'])), [ANY]: end }
}

const withoutHoles = (entries: readonly (readonly [string, string | undefined])[]): TypeStarts =>
  Object.fromEntries(entries.flatMap(([type, start]) => (start === undefined ? [] : [[type, start]])))
