/** Builds of the service in temporary folders: the present sources, or a named commit. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { compile } from '../../compile.ts'
import { rootFolder } from '../settings.ts'
import { CannotStart } from '../terminal.ts'

/** Compiled service: the folder of its JavaScript, and the id that its processes get. */
export type Build = { readonly id: string; readonly folder: string }

/** Compiles a project of the present sources, or of a commit. It uses the packages that are installed here. */
export async function makeBuild(
  place: string,
  id: string,
  commit?: string,
  project = 'tsconfig.build.json',
): Promise<Build> {
  const root = commit === undefined ? rootFolder : extractCommit(place, commit)
  const folder = join(realpathSync(place), `build-${id}`) // as modules are named at run time
  mkdirSync(folder)
  symlinkSync(join(rootFolder, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(folder, name))
  await compile(folder, project, ['--noCheck'], root)
  const bundle = spawn(process.execPath, [join(folder, 'temporal/bundle.js')], { stdio: 'ignore' })
  const [code] = await once(bundle, 'exit')
  if (code !== 0) throw new CannotStart(`The workflow bundle of ${commit ?? 'the sources'} could not be built.`)
  return { id, folder }
}

/** Extracts a commit into a folder of its own, beside the packages installed here; answers it. */
export function extractCommit(place: string, commit: string): string {
  const folder = mkdtempSync(join(realpathSync(place), 'commit-'))
  const archive = join(folder, 'commit.tar')
  try {
    execFileSync('git', ['archive', '--output', archive, commit], { cwd: rootFolder, stdio: 'pipe' })
  } catch {
    throw new CannotStart(`git knows no commit ${commit}.`)
  }
  execFileSync('tar', ['-xf', archive, '-C', folder])
  rmSync(archive)
  symlinkSync(join(rootFolder, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
