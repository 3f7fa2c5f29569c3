/** Answers as a person reads them: lists as tables, one thing as lines of name and value. */
import { makeSafe, markAlike, shorten } from './text.ts'

type Row = Readonly<Record<string, unknown>>

const CELL_MAX = 40
const GAP = '  '
/** Columns that come first, as far as there is room. */
const FIRST = ['id', 'type', 'name', 'title', 'summary', 'code', 'status', 'amount', 'deducting', 'landing', 'role']

/** Draws a list as a table that fits into a width. */
export function drawTable(rows: readonly Row[], width: number): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => isShown(name, rows))
  const rankOf = (name: string) => (FIRST.indexOf(name) + 1 || FIRST.length + 1) * 100 + names.indexOf(name)
  const columns: string[][] = []
  let used = 0
  for (const name of names.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const column = [makeSafe(name), ...rows.map((row) => shorten(formatValue(row[name]), CELL_MAX))]
    const wide = Math.max(...column.map((cell) => cell.length))
    if (columns.length > 0 && used + GAP.length + wide > width) break
    used += (columns.length > 0 ? GAP.length : 0) + wide
    columns.push(column.map((cell) => cell.padEnd(wide)))
  }
  const lines = ['', ...rows].map((_, index) => columns.map((column) => column[index] ?? '').join(GAP))
  return lines.map((line) => `${line.trimEnd()}\n`).join('')
}

/** Tells if a column says something: it has values that fit into a cell. */
const isShown = (name: string, rows: readonly Row[]): boolean =>
  name !== 'organization_id' &&
  rows.some((row) => row[name] !== null && row[name] !== undefined) &&
  rows.every((row) => isShort(row[name]))

const isShort = (value: unknown): boolean => value === null || typeof value !== 'object' || isMoney(value)

/** Draws one thing: a line for each member, those of objects inside by their path. */
export function drawRecord(value: Row): string {
  const lines = linesOf(value, '')
  const wide = Math.max(0, ...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(wide)}${GAP}${text}`.trimEnd() + '\n').join('')
}

function linesOf(value: Row, prefix: string): [string, string][] {
  return Object.entries(value).flatMap(([name, member]): [string, string][] => {
    const path = makeSafe(prefix + name)
    if (member === null || member === undefined) return []
    if (Array.isArray(member) && member.length > 0 && !member.every(isShort))
      return member.flatMap((one: Row, index) => linesOf(one, `${path}[${index}].`))
    if (isShort(member) || Array.isArray(member)) return [[path, formatValue(member)]]
    return linesOf(member as Row, `${path}.`)
  })
}

/** Writes a value as text that is safe on a terminal. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (isMoney(value)) return makeSafe(`${value.amount} ${value.currency}`)
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '-'
  return makeSafe(typeof value === 'string' ? markAlike(value) : JSON.stringify(value))
}

type Money = { readonly amount: string; readonly currency: string }

const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 2 &&
  'amount' in value &&
  'currency' in value
