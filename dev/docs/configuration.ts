/** Builds docs/configuration.md from .env.example, which describes every variable. */
import { readFileSync } from 'node:fs'

const SECTION = /^# --- (.+?) -+$/
const VARIABLE = /^(?:# )?([A-Z][A-Z_]+)=(.*)$/

/** Writes a table for each section of .env.example: variables that share a comment share its text. */
export function configurationPage(): string {
  const page = [
    '# Configuration',
    '',
    'Written by `npm run docs:states` from `.env.example`. `npm start` sets all of this itself. Processes of your own read it',
    'from the environment; an invalid value is refused at start, by name. An empty value counts as not set.',
    '',
    'With `DATABASE_URL` (and `MIGRATION_DATABASE_URL`) or `TEMPORAL_ADDRESS` set, `npm start` uses yours instead of its own.',
  ]
  let words: string[] = []
  let isComplete = true // the next comment begins another text
  for (const line of readFileSync('.env.example', 'utf8').split('\n')) {
    const section = SECTION.exec(line)?.[1]
    const [, name, value = ''] = VARIABLE.exec(line) ?? []
    if (section) {
      page.push(
        '',
        `## ${section[0]?.toUpperCase()}${section.slice(1)}`,
        '',
        '| variable | example or default | what it is |',
        '|---|---|---|',
      )
    } else if (name) {
      page.push(
        `| \`${name}\` | ${value && `\`${value}\``} | ${isComplete ? '' : words.join(' ').replaceAll('|', '\\|')} |`,
      )
      isComplete = true
    } else if (line.startsWith('# ')) {
      words = isComplete ? [line.slice(2)] : [...words, line.slice(2)]
      isComplete = false
    }
    if (section) isComplete = true
  }
  return `${page.join('\n')}\n`
}
