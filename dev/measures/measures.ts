/** Measures of the house: how much there is, how much of it is tests, and how many words a reader learns. */
import { readFileSync } from 'node:fs'
import { FILES } from '../../test/rules/files.ts'
import { WITH_SQL, readFragments } from '../../test/rules/fragments.ts'
import { habitsOf } from '../../test/rules/plain-english.ts'
import { LAYERS, circleIn, knownFiles, knownRooms, roomOf, sources } from '../../test/rules/rooms.ts'
import { rootFolder } from '../settings.ts'

const GENERATED = /^(?:openapi|clients\/.*\/(?:schemas|operations|operation-commands)\.ts|test\/histories\/.*\.json)/

const linesOf = (file: string): number => readFileSync(file, 'utf8').split('\n').length - 1
const linesOfAll = (files: readonly string[]): number => files.reduce((sum, file) => sum + linesOf(file), 0)
const written = FILES.filter((file) => file.endsWith('.ts') && !GENERATED.test(file))
const tests = written.filter((file) => /^test\/|^clients\/[^/]+\/test\//.test(file))

/** Counts the lines of each layer, and of what stands beside the layers. */
export function linesByLayer(): Readonly<Record<string, number>> {
  const layers = LAYERS.map((layer) => [layer, linesOfAll(sources(layer))])
  const beside = ['dev', 'bench', 'clients'].map((folder) => [
    folder,
    linesOfAll(written.filter((file) => file.startsWith(`${folder}/`) && !tests.includes(file))),
  ])
  return { ...Object.fromEntries([...layers, ...beside]), tests: linesOfAll(tests) }
}

const largest = (sizes: readonly number[]): number => Math.max(...sizes)

function filesInRooms(): number[] {
  const counts = new Map<string, number>()
  for (const file of LAYERS.flatMap(sources).filter((name) => roomOf(name) !== undefined)) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts.values()]
}

/** Counts the verbs with which an operation is declared. */
function verbs(): number {
  const text = readFileSync('api/http/operation.ts', 'utf8')
  const [, body = ''] = /\nclass Operation<[^]*?\{\n([^]*?)\n\}\n/.exec(text) ?? []
  return new Set([...body.matchAll(/^ {2}(\w+)(?:<[^\n]*?>)?\(/gm)].map(([, name]) => name)).size - 1
}

/** Measures with a limit: a greater number is worse. */
export const LIMITED = {
  'lines of tests for 100 of source': () =>
    Math.round((100 * linesOfAll(tests)) / linesOfAll(written.filter((file) => !tests.includes(file)))),
  'layers with a circle of rooms, or of files': () =>
    [...LAYERS.map(knownRooms), knownFiles()].filter((known) => circleIn(known).length > 0).length,
  'fragments with a free alias': () => readFragments(rootFolder, WITH_SQL).filter(({ free }) => free.length > 0).length,
  'files of the largest room': () => largest(filesInRooms()),
  'lines of the longest file': () => largest(LAYERS.flatMap(sources).map(linesOf)),
  'verbs of an operation': verbs,
  'places that are not plain English': () =>
    FILES.filter((file) => /\.(ts|sql|md)$/.test(file)).flatMap((file) => habitsOf(file)).length,
  'files that tell the type checker what it cannot see': () =>
    LAYERS.flatMap(sources).filter((file) => /\bas unknown as\b|@ts-/.test(readFileSync(file, 'utf8'))).length,
} as const
export type LimitedMeasure = keyof typeof LIMITED
