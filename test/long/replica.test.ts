/** Read replica: an export reads from it all that was committed before, or else from the primary. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../db/migrate.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import { freePort } from '../../dev/machine/ports.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { backUp, startStandby } from '../../dev/postgres/backup.ts'
import { type Cluster, startCluster } from '../../dev/postgres/cluster.ts'

let primary: Cluster
let standby: Cluster
let replica: typeof import('../../db/postgres/replica.ts')
let pools: typeof import('../../db/postgres/sql.ts')
let owner: postgres.Sql
let following: postgres.Sql

const folder = makeTemporaryFolder()
let standbyPort: number

const optionsOf = (name: string, port: number) => ({
  folder: join(folder.path, name),
  port,
  password: 'private',
  logFile: join(folder.path, `${name}.log`),
  durable: true,
})

type Named = { readonly primary: Cluster; readonly name: string; readonly options: ReturnType<typeof optionsOf> }

async function startPrimary(name: string): Promise<Named> {
  const options = optionsOf(name, await freePort())
  const started = await startCluster(options)
  folder.holds(started.mark())
  const sql = postgres(started.url(), { max: 1, onnotice: () => {} })
  await sql`create database books`
  await migrate(started.url('books'), 'app')
  await sql.unsafe(`alter system set wal_keep_size = '1GB'`)
  await sql`select pg_reload_conf()`
  await sql.end()
  return { primary: started, name, options }
}

async function follow({ primary: followed, name, options }: Named, port: number): Promise<Cluster> {
  const backup = join(folder.path, `backup of ${name}`)
  await backUp(followed, options, backup)
  const follower = await startStandby(followed, { backup, options: optionsOf(`standby of ${name}`, port) })
  folder.holds(follower.mark())
  return follower
}

beforeAll(async () => {
  const books = await startPrimary('primary')
  primary = books.primary
  owner = postgres(primary.url(), { max: 1, onnotice: () => {} })
  standbyPort = await freePort()
  standby = await follow(books, standbyPort)
  following = postgres(standby.url(), { max: 1, onnotice: () => {} })
  process.env['DATABASE_URL'] = primary.url('books')
  process.env['DATABASE_REPLICA_URL'] = standby.url('books')
  replica = await import('../../db/postgres/replica.ts')
  pools = await import('../../db/postgres/sql.ts')
})

afterAll(async () => {
  await Promise.all([pools.endPools(), owner.end(), following.end()])
  await standby.stop()
  await primary.stop()
})

/** Commits something on the primary, and reads it as an export would. */
async function readBack() {
  const seconds = Math.floor(Math.random() * 1e9)
  await pools.sql`update business_clock set offset_seconds = ${seconds}`
  const id = randomUUID() as OrganizationId
  return replica.inFreshSnapshot(id, async (reader) => {
    const [row] = await reader<{ standby: boolean; seconds: string }>(
      pools.sql`select pg_is_in_recovery() as standby, (select offset_seconds::text from business_clock) as seconds`,
    )
    return { ...row, isThere: row?.seconds === String(seconds) }
  })
}

test('the replica serves a snapshot that has everything committed before', async () => {
  for (let time = 0; time < 50; time += 1) expect(await readBack()).toMatchObject({ standby: true, isThere: true })
})

test('the primary serves it while the replica stays behind', async () => {
  await following`select pg_wal_replay_pause()`
  expect(await readBack()).toMatchObject({ standby: false, isThere: true })
  await following`select pg_wal_replay_resume()`
  expect(await readBack()).toMatchObject({ standby: true, isThere: true })
})

test('the primary serves it while the replica is away', async () => {
  await standby.kill()
  expect(await readBack()).toMatchObject({ standby: false, isThere: true })
  await standby.restart()
})

test('the primary serves it while the replica follows another primary, whose log is longer', async () => {
  await standby.stop()
  const other = await startPrimary('other')
  const sql = postgres(other.primary.url('books'), { max: 1, onnotice: () => {} })
  const [{ lsn } = { lsn: '' }] = await owner<{ lsn: string }[]>`select pg_current_wal_insert_lsn()::text as lsn`
  while ((await sql`select where pg_current_wal_insert_lsn() > ${lsn}::pg_lsn`).length === 0) {
    await sql`update business_clock set offset_seconds = 0`
    await sql`select pg_switch_wal()`
  }
  await sql.end()
  standby = await follow(other, standbyPort)
  expect(await readBack()).toMatchObject({ standby: false, isThere: true })
  await other.primary.stop()
})
