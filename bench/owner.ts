/** The owner's connection of the bench's own database: sets up what is measured. */
import postgres from 'postgres'

const url = process.env['MIGRATION_DATABASE_URL']
if (!url) throw new Error('bench/index.ts sets MIGRATION_DATABASE_URL')

export const owner = postgres(url, { max: 2, onnotice: () => {} })
