/** Settings that are no secret: the address of the service, and the organization in use. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Io } from './io.ts'

export type Config = { readonly base_url?: string; readonly organization_id?: string }

/** Finds a file in the folder of the command: `bfs` in XDG_CONFIG_HOME, or in `~/.config`. */
export const fileOf = ({ env }: Pick<Io, 'env'>, name: string): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config'), 'bfs', name)

export async function readConfig(io: Io): Promise<Config> {
  return readPrivate(fileOf(io, 'config.json'))
}

export async function changeConfig(io: Io, change: Config): Promise<void> {
  await writePrivate(fileOf(io, 'config.json'), { ...(await readConfig(io)), ...change })
}

/** Forgets the organization in use. */
export async function forgetOrganization(io: Io): Promise<void> {
  const { organization_id: _, ...rest } = await readConfig(io)
  await writePrivate(fileOf(io, 'config.json'), rest)
}

/** Reads a file of ours; empty if there is none. */
export async function readPrivate(file: string): Promise<object> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/** Writes a file that only its user can read; it is the old one or the new one, also after a crash. */
export async function writePrivate(file: string, value: object): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  const whole = `${file}.${randomUUID()}`
  try {
    await writeFile(whole, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    await rename(whole, file)
  } finally {
    await rm(whole, { force: true })
  }
}

export const removePrivate = (file: string): Promise<void> => rm(file, { force: true })
