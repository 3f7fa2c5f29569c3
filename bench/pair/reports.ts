/** Pairs with a commit from before pairs: each round runs the whole report of a side, and its printed lines are read. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Results } from './rounds.ts'
import type { Build } from '../../dev/rehearse/builds.ts'
import type { Builds } from './builds.ts'

type Values = Record<string, number>

/** `ok   G2 postings ÷ one-row inserts   0.21  (goal ≥ 0.4)  1234 against 5678 /s` */
const LINE = /^(?:ok {2}|MISS) (.+?) +(-?[\d.]+) {2}\((?:goal|budget)[^)]*\) {2}(.*)$/
/** `1234 against 5678 /s`: ours, and its unit. */
const OURS = /([\d.]+) against [\d.]+ (\S+)/
/** `     G1 processor time of each payment   API 12.1, worker 15.2, Postgres 20.4 ms` */
const PROCESSOR = /^ {5}(.*processor time.*?) {2,}(\S.*) ms$/

/** Runs the reports of both sides in turn. Ratios are of what is ours; processor times are of the whole machine. */
export async function runReports(builds: Builds, group: string, rounds: number): Promise<Results> {
  const found = new Map<string, { a: Values[]; b: Values[] }>()
  for (let round = 0; round < rounds; round += 1) {
    for (const side of ['a', 'b'] as const) {
      for (const [line, values] of readLines(await report(builds[side], group))) {
        const entry = found.get(line) ?? { a: [], b: [] }
        found.set(line, entry)
        entry[side].push(values)
      }
    }
  }
  return found
}

async function report({ id, folder }: Build, group: string): Promise<string> {
  const env = { ...process.env, BENCH_ROUNDS: '1' }
  const stdio = ['ignore' as const, 'pipe' as const, 'inherit' as const]
  const child = spawn(process.execPath, [join(folder, 'bench/index.js'), group], { env, stdio })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += String(chunk)))
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the report of ${id} ended with ${code}`)
  return text
}

/** Reads the values of printed lines. */
export function readLines(text: string): [string, Values][] {
  return text.split('\n').flatMap((printed): [string, Values][] => {
    const [, line, ratio, note = ''] = LINE.exec(printed) ?? []
    if (line !== undefined) {
      const [, ours, unit = ''] = OURS.exec(note) ?? []
      const name = unit.startsWith('/s') ? 'a second' : unit.replace(/[,;]$/, '')
      return [[line, { ratio: Number(ratio), ...(ours !== undefined && { [name]: Number(ours) }) }]]
    }
    const [, title, times] = PROCESSOR.exec(printed) ?? []
    if (title === undefined || times === undefined) return []
    const pairs = times.split(', ').map((one) => /^(.*) ([\d.]+)$/.exec(one) ?? [])
    return [[title, Object.fromEntries(pairs.map(([, label, ms]) => [`${label} ms`, Number(ms)]))]]
  })
}
