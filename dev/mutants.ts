/**
 * `npm run mutants [count] [seed]`: changes one place of the rules at a time and asks whether a unit test notices.
 * Prints the share of noticed changes, and those that no test noticed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Changes of an expression, each to its neighbour. */
const CHANGES: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ >= /g, ' > '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ < /g, ' <= '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/\? (?=[\w'"`([])/g, '? !1 && '],
]
const LANES = 2
const PATIENCE_MS = 90_000

type Mutant = {
  readonly file: string
  readonly at: number
  readonly from: string
  readonly to: string
  readonly line: string
}

/** Lists all changes of a file outside its comments, imports and types. */
function listMutants(file: string): Mutant[] {
  const text = readFileSync(file, 'utf8')
  const code = text
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, (comment) => ' '.repeat(comment.length))
    .replaceAll(/^(import|export type|type) [^]*?\n(?=\S|$)/gm, (skipped) => skipped.replaceAll(/[^\n]/g, ' '))
  return CHANGES.flatMap(([pattern, to]) =>
    Array.from(code.matchAll(pattern), ({ index, 0: from }) => {
      const [start, end] = [text.lastIndexOf('\n', index) + 1, text.indexOf('\n', index)]
      return { file, at: index, from, to, line: text.slice(start, end).trim() }
    }),
  )
}

/** Makes numbers in [0, 1) that are the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Tells whether a unit test fails with the change; one that takes too long counts as noticed. */
async function isNoticed(folder: string, { file, at, from, to }: Mutant): Promise<boolean> {
  const text = readFileSync(file, 'utf8')
  writeFileSync(join(folder, file), text.slice(0, at) + to + text.slice(at + from.length))
  const command = ['related', file, '--run', '--project', 'unit', '--bail', '1', '--reporter', 'dot']
  const run = spawn('node_modules/.bin/vitest', command, { cwd: folder, stdio: 'ignore', timeout: PATIENCE_MS })
  const [code] = await once(run, 'exit')
  writeFileSync(join(folder, file), text)
  return code !== 0
}

const [count, seed] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1)]
const random = randomOf(seed)
/** Folders that unit tests alone prove: rules of nouns, and of words on bills. */
const FOLDERS = ['domain', 'documents/bills/text']
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
const all = files.filter((name) => name.endsWith('.ts')).flatMap(listMutants)
const sample = Array.from({ length: count }, () => all.splice(Math.floor(random() * all.length), 1)).flat()
const survivors: Mutant[] = []
const waiting = [...sample]
await Promise.all(
  Array.from({ length: LANES }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
    const isSource = (path: string) => !/^(node_modules|\.git|dist|\.data)\b/.test(relative('.', path))
    cpSync('.', folder, { recursive: true, filter: isSource })
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const [first] = sample
    if (first && (await isNoticed(folder, { ...first, to: first.from })))
      throw new Error('the tests fail without a change')
    for (let mutant = waiting.pop(); mutant; mutant = waiting.pop()) {
      if (!(await isNoticed(folder, mutant))) survivors.push(mutant)
    }
    rmSync(folder, { recursive: true, force: true })
  }),
)
for (const { file, from, to, line } of survivors) console.log(`${file}: ${from.trim()} → ${to.trim()} in ${line}`)
console.log(
  `${sample.length - survivors.length} of ${sample.length} changes noticed, of ${all.length + count}; seed ${seed}`,
)
