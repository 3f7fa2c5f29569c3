/** `npm run data:uk-modulus -- valacdos-v8-50.txt scsubtab.txt`: writes Vocalink's modulus rules. */
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const DATA = new URL('../domain/data/', import.meta.url)
const READER = new URL('../domain/destinations/uk-modulus.ts', import.meta.url)
const RULE = /^(\d{6}) (\d{6}) (MOD10|MOD11|DBLAL)( -?\d{1,3}){14}( ([1-9]|1[0-4]))?$/
const SUBSTITUTE = /^\d{6} \d{6}$/

/** Parses both files. Throws for an unknown form, unsorted ranges, or ranges with more than two rules. */
export function modulusTable(valacdos: string, scsubtab: string): { rules: string[]; substitutes: string[] } {
  const rules = linesLike(RULE, valacdos)
  const ranges = rules.map((rule) => rule.slice(0, 13))
  for (const [index, range] of ranges.entries()) {
    const [start = '', end = ''] = range.split(' ')
    const before = ranges[index - 1]
    const isNext = before === undefined || start > before.slice(7)
    const isSecond = range === before && range !== ranges[index - 2]
    if (start > end || (!isNext && !isSecond)) throw new Error(`the range ${range} is out of order`)
  }
  return { rules, substitutes: linesLike(SUBSTITUTE, scsubtab) }
}

function linesLike(shape: RegExp, text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
    .filter(Boolean)
  const strange = lines.find((line) => !shape.test(line))
  if (lines.length === 0 || strange !== undefined) throw new Error(`another form: ${strange ?? 'no line'}`)
  return lines
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [valacdos = '', scsubtab] = process.argv.slice(2)
  const [, major, minor] = /v(\d)-?(\d{2})\.txt$/i.exec(valacdos) ?? []
  if (!major || !minor || !scsubtab) throw new Error('which files? For example valacdos-v8-50.txt scsubtab.txt')
  const table = modulusTable(readFileSync(valacdos, 'latin1'), readFileSync(scsubtab, 'latin1'))
  const name = `uk-modulus-v${major}.${minor}.json`
  for (const old of readdirSync(DATA).filter((file) => file.startsWith('uk-modulus-'))) rmSync(new URL(old, DATA))
  writeFileSync(new URL(name, DATA), `${JSON.stringify({ source: basename(valacdos), ...table }, null, 2)}\n`)
  writeFileSync(READER, readFileSync(READER, 'utf8').replace(/uk-modulus-v[\d.]+\.json/, name))
  console.log(
    `domain/data/${name} has ${String(table.rules.length)} rules. Now: npx vitest run test/domain/bank-coordinates.test.ts`,
  )
}
