/** `npm run admin` beside a running `npm start`: its database and its stand-in partners, wherever they listen. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { config } from '../db/config.ts'
import { arriveAt, depositAt } from './support/deposits.ts'
import { owner } from './support/database.ts'
import { usePartners } from './support/partners.ts'

usePartners()

const dataDir = mkdtempSync(join(tmpdir(), 'admin-environment-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const ownerUrl = process.env['MIGRATION_DATABASE_URL'] ?? ''
const running = { database_url: ownerUrl, sandbox_partners_url: config.sandboxPartnersUrl }
writeFileSync(join(dataDir, 'dev.json'), JSON.stringify(running))

const run = (file: string, args: readonly string[], env: Record<string, string>) =>
  promisify(execFile)(file, args, { env: { ...process.env, DATABASE_URL: '', SANDBOX_PARTNERS_URL: '', ...env } })

test('a command that asks a partner reaches the one that runs, without being told of anything', async () => {
  const { unmatched_deposit_id: id } = await arriveAt(`nobody-${randomUUID()}`, '10')
  const { stdout } = await run('npm', ['run', '--silent', 'admin', '--', 'deposits', 'return', id], {
    DATA_DIR: dataDir,
  })
  expect(stdout).toBe(`${id} is returned\n`)
  const [row] = await owner`select partner_deposit_id as id from unmatched_deposits where id = ${id}`
  expect(await depositAt('bank', row?.['id'])).toMatchObject({ status: 'returned' })
})

const elsewhere = 'postgres://somebody@elsewhere:5432/other'
const partners = 'http://partners:1'
test.each([
  ['nothing is set', {}, [running.database_url, running.sandbox_partners_url]],
  ['the database is named', { DATABASE_URL: config.databaseUrl }, [config.databaseUrl, running.sandbox_partners_url]],
  ['another database is named', { DATABASE_URL: elsewhere }, [elsewhere, '']],
  ['the partners are named', { SANDBOX_PARTNERS_URL: partners }, [running.database_url, partners]],
  ['nothing runs', { DATA_DIR: join(dataDir, 'none') }, ['', '']],
])('what the environment says stands, and nothing is mixed: %s', async (_, env, meant) => {
  const print = 'JSON.stringify([process.env.DATABASE_URL, process.env.SANDBOX_PARTNERS_URL])'
  const args = ['--import', 'tsx', '--import', './dev/admin-environment.ts', '-p', print]
  const { stdout } = await run(process.execPath, args, { DATA_DIR: dataDir, ...env })
  expect(JSON.parse(stdout)).toEqual(meant)
})
