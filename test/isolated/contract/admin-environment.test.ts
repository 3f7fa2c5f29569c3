/**
 * `npm run admin` beside `npm start`: it finds the database, the stand-in partners and Temporal wherever they listen.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { config } from '../../../platform/config.ts'
import { client } from '../../../temporal/client.ts'
import { createPayment, payerAndPayee } from '../../support/api.ts'
import { arriveAt, depositAt } from '../../support/deposits/deposits.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { longTest } from '../../support/model-runs.ts'

usePartners()

const dataDir = mkdtempSync(join(tmpdir(), 'admin-environment-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const ownerUrl = process.env['MIGRATION_DATABASE_URL'] ?? ''
const running = {
  database_url: ownerUrl,
  sandbox_partners_url: config.sandboxPartnersUrl,
  partners_file: null,
  sandbox_partners: '',
  temporal_address: config.temporal.address,
  temporal_ui_url: 'http://127.0.0.1:8233',
}
afterEach(() => void vi.unstubAllEnvs())
writeFileSync(join(dataDir, 'dev.json'), JSON.stringify(running))

const NAMES = ['DATABASE_URL', 'SANDBOX_PARTNERS_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_UI_URL']
const UNSET = Object.fromEntries(NAMES.map((name) => [name, '']))
const run = (file: string, args: readonly string[], env: Record<string, string>) =>
  promisify(execFile)(file, args, { env: { ...process.env, ...UNSET, ...env } })

longTest('a command that asks a partner reaches the one that runs, without being told of anything', async () => {
  const { unmatched_deposit_id: id } = await arriveAt(`nobody-${randomUUID()}`, '10')
  const { stdout } = await run('npm', ['run', '--silent', 'admin', '--', 'deposits', 'return', id], {
    DATA_DIR: dataDir,
  })
  expect(stdout).toBe(`${id} is returned\n`)
  const [row] = await owner`select partner_deposit_id as id from unmatched_deposits where id = ${id}`
  expect(await depositAt('bank', row?.['id'])).toMatchObject({ status: 'returned' })
})

longTest('a command that asks Temporal reaches the one that runs', async () => {
  const { boss, contactId } = await payerAndPayee()
  const payment = await createPayment(boss, contactId)
  await until('its run', () =>
    client.workflow
      .getHandle(`payment-${payment.id}`)
      .describe()
      .catch(() => undefined),
  )
  const args = ['run', '--silent', 'admin', '--', 'processes', 'show', payment.id]
  const { stdout } = await run('npm', args, { DATA_DIR: dataDir })
  expect(stdout).toContain(`run payment-${payment.id}: RUNNING`)
  expect(stdout).toContain(`${running.temporal_ui_url}/namespaces/`)
})

const elsewhere = 'postgres://somebody@elsewhere:5432/other'
const partners = 'http://partners:1'
const { database_url: database, temporal_address: temporal, temporal_ui_url: ui } = running
test('a command knows the stand-ins that the running service has', async () => {
  const folder = mkdtempSync(join(dataDir, 'stand-ins-'))
  writeFileSync(join(folder, 'dev.json'), JSON.stringify({ ...running, sandbox_partners: 'increase,ecb' }))
  for (const [name, value] of Object.entries({ ...UNSET, SANDBOX_PARTNERS: '', DATA_DIR: folder }))
    vi.stubEnv(name, value)
  vi.resetModules() // it reads them when loaded
  await import('../../../dev/admin-environment.ts')
  expect(process.env['SANDBOX_PARTNERS']).toBe('increase,ecb')
})

test.each([
  ['the running one has a file', {}, '/of/the/start.json', '/of/the/start.json'],
  ['another file is named', { PARTNERS_FILE: '/mine.json' }, '/of/the/start.json', '/mine.json'],
  ['other databases have other partners', { DATABASE_URL: elsewhere }, '/of/the/start.json', ''],
  ['the running one has none', {}, null, ''],
])('a command knows the connections that the running service has: %s', async (_, env, file, meant) => {
  const folder = mkdtempSync(join(dataDir, 'file-'))
  writeFileSync(join(folder, 'dev.json'), JSON.stringify({ ...running, partners_file: file }))
  for (const [name, value] of Object.entries({ ...UNSET, PARTNERS_FILE: '', DATA_DIR: folder, ...env }))
    vi.stubEnv(name, value)
  vi.resetModules() // it reads them when loaded
  await import('../../../dev/admin-environment.ts')
  expect(process.env['PARTNERS_FILE']).toBe(meant)
})

test.each([
  ['nothing is set', {}, [database, running.sandbox_partners_url, temporal, ui]],
  [
    'the database is named',
    { DATABASE_URL: config.databaseUrl },
    [config.databaseUrl, running.sandbox_partners_url, temporal, ui],
  ],
  ['another database is named', { DATABASE_URL: elsewhere }, [elsewhere, '', '', '']],
  ['the partners are named', { SANDBOX_PARTNERS_URL: partners }, [database, partners, temporal, ui]],
  ['Temporal is named', { TEMPORAL_ADDRESS: 't:1' }, [database, running.sandbox_partners_url, 't:1', ui]],
  ['nothing runs', { DATA_DIR: join(dataDir, 'none') }, ['', '', '', '']],
])('what the environment says stands, and nothing is mixed: %s', async (_, env, meant) => {
  for (const [name, value] of Object.entries({ ...UNSET, DATA_DIR: dataDir, ...env })) vi.stubEnv(name, value)
  vi.resetModules() // it reads them when loaded
  await import('../../../dev/admin-environment.ts')
  expect(NAMES.map((name) => process.env[name])).toEqual(meant)
})
