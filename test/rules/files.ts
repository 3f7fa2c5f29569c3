/** Every file of the project, and every word of its source. */
import { readFileSync, readdirSync } from 'node:fs'

const ROOT = readdirSync('.', { withFileTypes: true }).filter(({ name }) => !['node_modules', '.git'].includes(name))

export const FOLDERS = ROOT.filter((entry) => entry.isDirectory() && !/^\.|^(dist|release)$/.test(entry.name)).map(
  ({ name }) => name,
)

export const FILES = [
  ...ROOT.filter((entry) => entry.isFile()).map(({ name }) => name),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  ).filter((name) => !/\/(node_modules|dist)\//.test(name)),
]

/** Words of the source, with a file for each that uses it. */
export const WORDS: ReadonlyMap<string, string> = new Map(
  FILES.filter((file) => /\.(ts|cjs|sql)$/.test(file)).flatMap((file) =>
    (readFileSync(file, 'utf8').match(/\w+/g) ?? []).map((word): [string, string] => [word, file]),
  ),
)
