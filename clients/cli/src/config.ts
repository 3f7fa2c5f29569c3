/** Settings that are no secret: the address of the service, and the organization in use. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { EXIT, Failure } from './failures.ts'
import type { Io } from './io.ts'

export type Config = { readonly base_url?: string; readonly organization_id?: string }

/** Finds the folder of the command: `bfs` in XDG_CONFIG_HOME, or in `~/.config`. A relative one is none. */
function folderOf({ env }: Pick<Io, 'env'>): string | undefined {
  const home = [env['HOME'], findHome()].find((one) => one !== undefined && isAbsolute(one))
  const base = [env['XDG_CONFIG_HOME'], home && join(home, '.config')].find((one) => one && isAbsolute(one))
  return base && join(base, 'bfs')
}

/** Finds the home of the user in the system's list of users; undefined if it has none. */
function findHome(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}

/** Names a file in the folder of the command. Throws if there is no folder: none is made where the command runs. */
export function fileOf(io: Pick<Io, 'env'>, name: string): string {
  const folder = folderOf(io)
  if (folder === undefined)
    throw new Failure(EXIT.usage, 'There is no folder for settings: set HOME, or XDG_CONFIG_HOME, to a whole path')
  return join(folder, name)
}

/** Reads the settings; none without a folder for them. */
export async function readConfig(io: Io): Promise<Config> {
  if (folderOf(io) === undefined) return {}
  const file = fileOf(io, 'config.json')
  const config: Record<string, unknown> = await readPrivate(file)
  for (const name of ['base_url', 'organization_id'])
    if (config[name] !== undefined && typeof config[name] !== 'string')
      throw new Failure(EXIT.usage, `${file}: ${name} is no text. Correct it, or remove the file`)
  return config
}

export async function changeConfig(io: Io, change: Config): Promise<void> {
  await writePrivate(fileOf(io, 'config.json'), { ...(await readConfig(io)), ...change })
}

/** Forgets the organization in use. */
export async function forgetOrganization(io: Io): Promise<void> {
  const { organization_id: _, ...rest } = await readConfig(io)
  await writePrivate(fileOf(io, 'config.json'), rest)
}

/** Reads a file of ours; empty if there is none. Throws if it is broken: what it held is not written over. */
export async function readPrivate(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  const value = parseObject(text)
  if (!value) throw new Failure(EXIT.usage, `${file} is broken: it is no JSON object. Correct it, or remove the file`)
  return value
}

/** Parses a JSON object; undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
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
