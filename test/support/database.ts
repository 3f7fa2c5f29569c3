/** The owner's view of this file's database, which sees everything. */
import postgres from 'postgres'
import { atEndOfService } from './lifetime.ts'
import { until } from './until.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('test/setup.ts sets MIGRATION_DATABASE_URL')

/** Superuser connection, exempt from row-level security. */
export const owner = postgres(url, {
  max: 4,
  onnotice: () => {},
  connection: { TimeZone: 'UTC' },
  debug: (_, statement) => statements?.push(statement),
})

let statements: string[] | undefined

/** Lists the statements of the owner from now on. */
export const listStatements = (): readonly string[] => (statements = [])

atEndOfService(() => owner.end({ timeout: 5 }))

/** Waits until `count` statements wait for this transaction, or behind one that does. */
export async function untilBlocked(tx: postgres.TransactionSql, count = 1): Promise<void> {
  const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  await until(`${count} statements that wait`, async () => {
    const waiting = await owner`
      with recursive waiting (pid) as (
        select ${own!.pid}::integer union
        select a.pid from pg_stat_activity a join waiting w on w.pid = any (pg_blocking_pids(a.pid))
      )
      select from waiting where pid <> ${own!.pid}`
    return waiting.length >= count
  })
}
