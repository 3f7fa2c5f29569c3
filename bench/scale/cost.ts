/**
 * Cost of a payment: `npm run bench cost`. Commits, WAL and rows of our database, commits and WAL of Temporal's, actions and
 * bytes of its runs, processor time; on Temporal in memory, and on the server of docker-compose.yml with 4 and 512 shards.
 */
import postgres from 'postgres'
import { Client, Connection } from '@temporalio/client'
import { type ServedTemporal, canServe, startServedTemporal, version } from '../../dev/temporal/served.ts'
import { processorTimeSince, processorTimes } from '../cpu.ts'
import type { Program } from '../groups.ts'
import { itemAt, run } from '../measure.ts'
import { owner, untilIdle } from '../owner.ts'
import { makePayers, onePayment } from '../payments.ts'

const PAYMENTS = 400
const AT_ONCE = 16
const SHARDS = [4, 512]

/** Starts and stops the programs of a measurement, with the environment of the moment. */
export type Programs = {
  readonly start: (program: Program) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Reports the cost on each Temporal; those that need Go to be built are said to be missing without it. */
export async function benchCost(apiUrl: string, inMemory: string, { start, stop }: Programs): Promise<void> {
  const measure = async (name: string, address: string, databaseUrl: string | null) => {
    process.env['TEMPORAL_ADDRESS'] = address
    await start({ file: '../worker.js', ready: 'worker ready' })
    await start({ file: '../server.js', ready: 'api ready' })
    await costOn(name, apiUrl, address, databaseUrl)
    await stop()
  }
  await measure('in memory', inMemory, null)
  for (const shards of SHARDS) {
    if (!canServe()) return console.log('     Temporal with Postgres: skipped, there is no Go to build it with')
    const served: ServedTemporal = await startServedTemporal(shards)
    try {
      await measure(`${version} on Postgres, ${shards} shards`, served.address, served.databaseUrl)
    } finally {
      await served.stop()
    }
  }
  process.env['TEMPORAL_ADDRESS'] = inMemory
}

async function costOn(name: string, apiUrl: string, address: string, databaseUrl: string | null): Promise<void> {
  const payers = await makePayers(apiUrl, AT_ONCE)
  const pay = (count: number) => run(count, AT_ONCE, (index) => onePayment(itemAt(payers, index)))
  await pay(AT_ONCE * 4) // warm-up
  await untilIdle()
  const theirs = databaseUrl ? postgres(databaseUrl, { max: 1, onnotice: () => {} }) : null
  const [ours, temporal, processors] = [await readings(owner), theirs && (await readings(theirs)), processorTimes()]
  const begun = performance.now()
  const { rate } = await pay(PAYMENTS)
  await untilIdle()
  const seconds = (performance.now() - begun) / 1000
  const [ours2, temporal2] = [await readings(owner), theirs && (await readings(theirs))]
  await theirs?.end()
  const { events, bytes, runs } = await histories(address)
  const of = (one: number, before: number, digits = 1) => ((one - before) / PAYMENTS).toFixed(digits)
  const print = (what: string, text: string) => console.log(`     ${what.padEnd(34)}${text}`)
  console.log(`\n     Cost of a payment by service ID; Temporal ${name}; ${PAYMENTS} at ${AT_ONCE} at once`)
  print('answered, ended', `${rate.toFixed(0)}/s, ${(PAYMENTS / seconds).toFixed(0)}/s`)
  print('our database: commits', of(ours2.commits, ours.commits))
  print('our database: WAL', `${of(ours2.wal, ours.wal, 0)} bytes`)
  print('our database: rows written', of(ours2.rows, ours.rows))
  if (temporal && temporal2) {
    print("Temporal's database: commits", of(temporal2.commits, temporal.commits))
    print("Temporal's database: WAL", `${of(temporal2.wal, temporal.wal, 0)} bytes`)
    print("Temporal's database: rows written", of(temporal2.rows, temporal.rows))
  }
  print('run: events, bytes of its history', `${(events / runs).toFixed(1)}, ${(bytes / runs).toFixed(0)}`)
  print('processor time', processorTimeSince(processors, PAYMENTS))
}

type Readings = { readonly commits: number; readonly wal: number; readonly rows: number }

/** Reads the counters of a server, all its databases together. */
async function readings(sql: postgres.Sql): Promise<Readings> {
  await sql`select pg_stat_force_next_flush()`
  const [row] = await sql<Readings[]>`
    select sum(xact_commit)::float8 as commits, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      sum(tup_inserted + tup_updated + tup_deleted)::float8 as rows from pg_stat_database`
  if (!row) throw new Error('the server has no statistics')
  return row
}

/** Sums the histories of ended payments. */
async function histories(address: string): Promise<{ events: number; bytes: number; runs: number }> {
  const connection = await Connection.connect({ address })
  const client = new Client({ connection })
  const sums = { events: 0, bytes: 0, runs: 0 }
  const query = "WorkflowType = 'payment' and ExecutionStatus = 'Completed'"
  for await (const { historyLength, historySize } of client.workflow.list({ query })) {
    sums.events += historyLength
    sums.bytes += historySize ?? 0
    sums.runs += 1
  }
  await connection.close()
  return sums
}
