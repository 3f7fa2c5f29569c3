/** Builds of a pair: a commit, and these sources. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { type Build, makeBuild } from '../../dev/rehearse/builds.ts'

/** Sides of a pair: a commit, and these sources. */
export type Builds = { readonly a: Build; readonly b: Build }

const PROJECT = 'tsconfig.bench.json'

/** Compiles both into a folder that ends with this process. */
export async function buildPair(commit: string): Promise<Builds> {
  const { path } = makeTemporaryFolder()
  return { a: await makeBuild(path, 'a', commit, PROJECT), b: await makeBuild(path, 'b', undefined, PROJECT) }
}

/** Tells whether a build can be a side of a pair; one of an earlier commit only prints reports. */
export const knowsPairs = ({ folder }: Build): boolean => existsSync(join(folder, 'bench/pair/side.js'))
