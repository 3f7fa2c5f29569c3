/** The owner's view of this file's database: tests look at everything, and set up people and organizations. */
import postgres from 'postgres'
import { atEndOfService } from './lifetime.ts'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('test/setup.ts sets MIGRATION_DATABASE_URL')

/** Superuser connection: row-level security does not apply to it. */
export const owner = postgres(url, { max: 4, onnotice: () => {}, connection: { TimeZone: 'UTC' } })

atEndOfService(() => owner.end({ timeout: 5 }))
