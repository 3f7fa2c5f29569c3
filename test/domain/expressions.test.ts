/** No regular expression that a caller's text reaches blocks the event loop. */
import { readFileSync, readdirSync } from 'node:fs'
import { parseAst } from 'vitest/node'
import { expect, test, vi } from 'vitest'
import * as v from 'valibot'
import { attacksOn } from '../support/expressions/attacks.ts'
import { listed } from '../support/listed.ts'

/** Length that shows exponential growth. */
const SHORT = 24
const MIDDLE = 1024
/** Length that shows quadratic growth. */
const LONG = 16 * MIDDLE
/** A hundred times the time of a linear expression on the longest text. */
const SLOW_MS = 50
/** Time for the middle length; what is quadratic and faster stays below SLOW_MS for the long one. */
const SUSPECT_MS = SLOW_MS / (LONG / MIDDLE) ** 2
const TRIES = 3
/** These read the environment, or array text written by Postgres: no caller writes either. */
const UNREACHED = new Set(listed`
  platform/config.ts | platform/partner-access.ts | platform/live.ts | db/postgres/driver-arrays.ts`)

const FILES = ['api', 'db', 'services', 'documents', 'domain', 'platform', 'partners', 'activities', 'sandbox'].flatMap(
  (folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name}`)
      .filter((name) => name.endsWith('.ts') && !UNREACHED.has(name)),
)

/** The literals of a file; `makesOthers` if it also builds expressions from text. */
function expressionsIn(file: string): { file: string; literals: RegExp[]; makesOthers: boolean } {
  const literals: RegExp[] = []
  let makesOthers = false
  JSON.stringify(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), (_, node) => {
    const { type, regex, callee } = Object(node)
    if (type === 'Literal' && regex) literals.push(new RegExp(regex.pattern, regex.flags))
    if (type === 'NewExpression' && callee.name === 'RegExp') makesOthers = true
    return typeof node === 'bigint' ? null : node
  })
  return { file, literals, makesOthers }
}

/** Collects the expressions that files build from text when they are loaded. */
async function expressionsBuiltBy(files: readonly string[]): Promise<RegExp[]> {
  const built: RegExp[] = []
  const recording = new Proxy(RegExp, {
    construct: (target, given) => {
      const expression = Reflect.construct(target, given)
      built.push(expression)
      return expression
    },
  })
  vi.resetModules()
  vi.stubGlobal('RegExp', recording)
  try {
    for (const file of files) await import(/* @vite-ignore */ `../../${file}`)
  } finally {
    vi.unstubAllGlobals()
  }
  return built
}

/** Finds all matches in the text. */
function matchAll({ source, flags }: RegExp, text: string): void {
  const all = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
  for (const _ of text.matchAll(all));
}

/** Measures how long all matches in the text take, in milliseconds. */
function msFor(expression: RegExp, text: string): number {
  const started = performance.now()
  matchAll(expression, text)
  return performance.now() - started
}

/** Processor time of this thread; of the whole process before Node 23.9, which has no other. */
const spentTime: typeof process.cpuUsage = Reflect.get(process, 'threadCpuUsage') ?? process.cpuUsage.bind(process)

/** Measures the processor time of all matches, in milliseconds: others on the machine take none of it. */
function workFor(expression: RegExp, text: string): number {
  const started = spentTime()
  matchAll(expression, text)
  const { user, system } = spentTime(started)
  return (user + system) / 1000
}

/** Returns the beginning of a text for which the expression is repeatedly slow, or undefined. */
function slowTextFor(expression: RegExp): string | undefined {
  const repeatedly = (takes: () => boolean) => Array.from({ length: TRIES }).every(takes)
  const isSlow = (text: string) =>
    repeatedly(() => msFor(expression, text) > SLOW_MS && workFor(expression, text) > SLOW_MS)
  const attack = attacksOn(expression).find(
    (make) =>
      isSlow(make(SHORT)) ||
      (repeatedly(() => msFor(expression, make(MIDDLE)) > SUSPECT_MS) && (isSlow(make(MIDDLE)) || isSlow(make(LONG)))),
  )
  return attack?.(SHORT)
}

test('no expression takes 50 ms for 16 KB, however they are chosen', async () => {
  const found = FILES.map(expressionsIn)
  const builders = found.filter(({ file, makesOthers }) => makesOthers && file.startsWith('domain/'))
  const all = [
    ...found.flatMap(({ literals }) => literals),
    ...(await expressionsBuiltBy(builders.map(({ file }) => file))),
    v.RFC_EMAIL_REGEX,
    v.ISO_TIMESTAMP_REGEX,
    v.ISO_DATE_REGEX,
    v.UUID_REGEX,
  ]
  expect(all.length).toBeGreaterThan(400)
  const unique = [...new Map(all.map((one) => [String(one), one])).values()]
  const slow = unique.flatMap((one) => {
    const text = slowTextFor(one)
    return text === undefined ? [] : [`${one} for ${JSON.stringify(text)}…`]
  })
  expect(slow).toEqual([])
})

test.each([/0+$/, /^x(1(\.0*)?|0\.\d*[1-9]\d*)$/, /^(a|a)*$/, /<([^>]+)>/])(
  'an expression such as %s is found to be slow',
  (expression) => expect(slowTextFor(expression)).toBeDefined(),
)
