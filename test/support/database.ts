/** The owner's view of this file's database, which sees everything. */
import postgres from 'postgres'
import { atEndOfService } from './lifetime.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('test/setup.ts sets MIGRATION_DATABASE_URL')

/** Superuser connection, exempt from row-level security. */
export const owner = postgres(url, { max: 4, onnotice: () => {}, connection: { TimeZone: 'UTC' } })

atEndOfService(() => owner.end({ timeout: 5 }))
