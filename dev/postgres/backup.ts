/** Physical backup of an embedded cluster, and its restore to a point in time: what pg_basebackup does, by hand. */
import { appendFileSync, chownSync, copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'

import { type User, findHome, makePrivateFolder, writePrivateFile } from './home.ts'
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts'

const LOOK_MS = 50
/** Folders of a running server whose content no backup holds, and files that none does. */
const EMPTY = ['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_subtrans']
const LEFT_OUT: ReadonlySet<string> = new Set([...EMPTY, 'postmaster.pid', 'postmaster.opts'])

/** Restarts the cluster with an archive of its log in this folder. */
export async function archiveLog(cluster: Cluster, { folder }: ClusterOptions, archive: string): Promise<void> {
  makePrivateFolder(archive, findHome(folder).user)
  const command = `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`
  await withServer(cluster, async (sql) => {
    await sql.unsafe(`alter system set archive_mode = 'on'`)
    await sql.unsafe(`alter system set archive_command = '${command}'`)
  })
  await cluster.stop()
  await cluster.restart()
}

/** Copies the data of the running cluster into a folder. The copy needs the archived log from here on. */
export async function backUp(cluster: Cluster, { folder }: ClusterOptions, backup: string): Promise<void> {
  const { dataDir, user } = findHome(folder)
  makePrivateFolder(backup, user)
  await withServer(cluster, async (sql) => {
    await sql`select pg_backup_start('rehearsal', true)`
    copyFolder(dataDir, backup, user, LEFT_OUT)
    for (const name of EMPTY) makePrivateFolder(join(backup, name), user)
    const [label] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop()`
    writePrivateFile(join(backup, 'backup_label'), label?.labelfile ?? '', user)
  })
}

/** Reads the clock of the server, and waits until it has moved on: what commits later is after this instant. */
export async function readInstant(cluster: Cluster): Promise<string> {
  return withServer(cluster, async (sql) => {
    const [row] = await sql<{ at: string }[]>`select clock_timestamp()::text as at`
    await sql`select pg_sleep(1)`
    return row?.at ?? ''
  })
}

/** Ends the present file of the log; resolves when it is in the archive. */
export async function archiveAll(cluster: Cluster, archive: string): Promise<void> {
  await withServer(cluster, async (sql) => {
    const [row] = await sql<{ name: string }[]>`select pg_walfile_name(pg_current_wal_lsn()) as name`
    await sql`select pg_switch_wal()`
    while (!readdirSync(archive).includes(row?.name ?? '')) await delay(LOOK_MS)
  })
}

/** Starts a cluster on the backup; it recovers from the archive up to an instant. */
export async function restoreTo(
  instant: string,
  { backup, archive, options }: { backup: string; archive: string; options: ClusterOptions },
): Promise<Cluster> {
  const { dataDir, user } = findHome(options.folder)
  makePrivateFolder(dataDir, user)
  copyFolder(backup, dataDir, user)
  const recovery = [
    `restore_command = 'cp "${archive}/%f" "%p"'`,
    `recovery_target_time = '${instant}'`,
    `recovery_target_action = 'promote'`,
  ]
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `${recovery.join('\n')}\n`)
  writePrivateFile(join(dataDir, 'recovery.signal'), '', user)
  const cluster = await startCluster(options)
  await withServer(cluster, async (sql) => {
    while ((await sql`select 1 where pg_is_in_recovery()`).length > 0) await delay(LOOK_MS)
  })
  return cluster
}

/** Starts a standby on a backup of the primary, from which it streams the log. */
export async function startStandby(
  primary: Cluster,
  { backup, options }: { backup: string; options: ClusterOptions },
): Promise<Cluster> {
  const { dataDir, user } = findHome(options.folder)
  makePrivateFolder(dataDir, user)
  copyFolder(backup, dataDir, user)
  const { hostname, port, username, password } = new URL(primary.url())
  const address = `host=${hostname} port=${port} user=${username} password=${password}`
  const streaming = [`primary_conninfo = '${address}'`, 'hot_standby_feedback = on']
  appendFileSync(join(dataDir, 'postgresql.auto.conf'), `${streaming.join('\n')}\n`)
  writePrivateFile(join(dataDir, 'standby.signal'), '', user)
  return startCluster(options)
}

async function withServer<Result>(cluster: Cluster, work: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(cluster.url(), { max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Copies a folder with its owner. A file that the server removes meanwhile is made again from the log. */
function copyFolder(from: string, to: string, user: User | undefined, leftOut: ReadonlySet<string> = new Set()): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (leftOut.has(entry.name)) continue
    if (entry.isDirectory()) {
      makePrivateFolder(copy, user)
      copyFolder(source, copy, user)
    } else {
      copyIfThere(source, copy)
      if (user && existsSync(copy)) chownSync(copy, user.uid, user.gid)
    }
  }
}

function copyIfThere(source: string, copy: string): void {
  try {
    copyFileSync(source, copy)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
