/** Statements of a migration that the code of the commit before it may not survive. */

/** Words of a statement, in lower case, without comments, texts and the bodies of functions. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, ' ')
    .toLowerCase()

const NAME = '"?[\\w.]+"?'
const IF = '(?:if (?:not )?exists )?'

/** Actions of `alter table`; `$1` is the column, if one is named. */
const ACTIONS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^drop (?!constraint\\b)(?:column )?${IF}(${NAME})`), 'drops $1'],
  [new RegExp(`^rename (?:column )?(?!constraint\\b|to\\b)(${NAME}) to`), 'renames $1'],
  [/^rename to/, 'is renamed'],
  [new RegExp(`^alter (?:column )?(${NAME}) set not null`), 'requires $1'],
  [new RegExp(`^alter (?:column )?(${NAME}) drop default`), 'has no default of $1'],
  [new RegExp(`^alter (?:column )?(${NAME}) (?:set data )?type`), 'changes the type of $1'],
]
const ADDED = new RegExp(
  `^add (?!constraint\\b|check\\b|unique\\b|foreign\\b|primary\\b|exclude\\b)(?:column )?${IF}(${NAME})`,
)

/** Lists what a migration takes from the code before it, as `table: what happens to it`. */
export function listContractions(text: string): string[] {
  const statements = wordsOf(text)
    .split(';')
    .map((statement) => statement.trim())
  const made = new Set(statements.flatMap((one) => new RegExp(`^create table ${IF}(${NAME})`).exec(one)?.[1] ?? []))
  return statements.flatMap((statement) => {
    const dropped = new RegExp(`^drop (?:table|view|materialized view) ${IF}(.+?)(?: cascade| restrict)?$`).exec(
      statement,
    )
    if (dropped?.[1]) return dropped[1].split(',').map((name) => `${name.trim()}: is dropped`)
    const [, called] = new RegExp(`^drop function ${IF}(${NAME})`).exec(statement) ?? []
    if (called) return [`${called}(): is missing until functions are applied`]
    const [, table = '', actions] = new RegExp(`^alter table ${IF}(?:only )?(${NAME}) (.+)$`).exec(statement) ?? []
    // no code before it knows a table of its own
    return actions === undefined || made.has(table)
      ? []
      : actionsOf(actions).flatMap((one) => contractionOf(table, one))
  })
}

/** Splits the actions of a statement at the commas outside of brackets. */
const actionsOf = (actions: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const character of actions) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}

function contractionOf(table: string, action: string): string[] {
  const column = ADDED.exec(action)?.[1]
  if (column && /\bnot null\b|\bprimary key\b/.test(action) && !/\bdefault\b|\bgenerated\b/.test(action))
    return [`${table}: requires ${column}`]
  for (const [pattern, what] of ACTIONS) {
    const found = pattern.exec(action)
    if (found) return [`${table}: ${what.replace('$1', found[1] ?? '')}`]
  }
  return []
}
