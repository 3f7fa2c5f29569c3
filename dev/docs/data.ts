/** docs/data.md: every table in one line, from the comments in the migrations. */
import { readFileSync, readdirSync } from 'node:fs'

const FOLDER = 'db/migrations'

const HEAD = `# Data

\`npm run docs:states\` writes this page from the comments in [db/migrations/](../db/migrations); \`npm run check:rules\` fails
if it is not up to date. Columns and indexes: [db/schema.sql](../db/schema.sql). A table of an organization has
\`organization_id\` and forced row-level security ([database.md](database.md)).`

export const dataPage = (): string => [HEAD, ...migrations().map(section).filter(Boolean), ''].join('\n\n')

type Table = { readonly name: string; readonly comment: string }

const migrations = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

function section(file: string): string {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8')
  const tables = tablesOf(text)
  if (tables.length === 0) return ''
  const title = file.replace(/^\d+_/, '').replace('.sql', '').replaceAll('_', '-')
  const rows = tables.map(({ name, comment }) => `| \`${name}\` | ${comment} |`)
  return [`## ${title}`, '', '| table | what a row is |', '|---|---|', ...rows].join('\n')
}

function tablesOf(text: string): Table[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const name = /^create (?:unlogged )?table (\w+)/.exec(line)?.[1]
    if (!name) return []
    const comment = commentAbove(lines, at)
    if (comment === '') throw new Error(`the table ${name} has no comment`)
    return [{ name, comment }]
  })
}

function commentAbove(lines: readonly string[], at: number): string {
  const comment: string[] = []
  for (let above = at - 1; lines[above]?.startsWith('--'); above -= 1)
    comment.unshift(lines[above]?.slice(2).trim() ?? '')
  return comment.join(' ')
}
