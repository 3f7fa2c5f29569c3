/** The owner's view of this file's database, which sees everything. */
import postgres from 'postgres'
import { atEndOfService } from './lifetime.ts'
import { until } from './until.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('test/setup.ts sets MIGRATION_DATABASE_URL')

/** Superuser connection, exempt from row-level security. */
export const owner = postgres(url, { max: 4, onnotice: () => {}, connection: { TimeZone: 'UTC' } })

atEndOfService(() => owner.end({ timeout: 5 }))

/** Waits until `count` statements of this file's database wait for a lock. */
export const untilLocked = (count = 1): Promise<boolean> =>
  until(`${count} statements that wait`, async () => {
    const found = await owner`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return found.length >= count
  })
