/** Row-level security binds any user of DATABASE_URL: live refuses others, test takes the service's role. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { person, organization } from '../../support/api.ts'

const secret = randomBytes(32).toString('base64')
const LIVE = {
  SERVICE_ENV: 'live',
  BUILD_ID: 'live-test',
  ENCRYPTION_KEYS: `live1:${secret}`,
  EVENT_LOG_KEYS: `live1:${secret}`,
  OPERATOR_TOKEN: secret,
  SMTP_URL: 'smtp://localhost:1',
  MAIL_FROM: 'service@example.com',
  PUBLIC_URL: 'https://api.bank.test',
  BANK_URL: 'https://bank.test',
  BANK_KEY: secret,
  BANK_CALLBACK_SECRET: `whsec_${secret}`,
  CUSTODIAN_URL: 'https://custodian.test',
  CUSTODIAN_KEY: secret,
  CUSTODIAN_CALLBACK_SECRET: `whsec_${secret}`,
  RATES_URL: 'https://desk.test',
  RATES_KEY: secret,
}
const SUPERUSER = { DATABASE_URL: process.env['MIGRATION_DATABASE_URL'] ?? '' }
const SERVICE = { DATABASE_URL: process.env['DATABASE_URL'] ?? '' }

const SCRIPT = `
  await import('./platform/start-faults.js')
  const { requireBoundRole } = await import('./db/postgres/bound-role.js')
  const { sql } = await import('./db/postgres/sql.js')
  await requireBoundRole().catch((error) => {
    console.log(error.message)
    process.exit(1)
  })
  const [row] = await sql\`select current_user as role, (select count(*)::int from organizations) as seen\`
  console.log(JSON.stringify(row))
  await sql.end()`

function started(env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env
  const args = ['--input-type=module', '--eval', SCRIPT]
  const options = { cwd: inject('compiledService'), env: { PATH, HOME, ...env }, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync(process.execPath, args, options)
  return { status, lines: stdout.trim().split('\n') }
}

const asService = JSON.stringify({ role: 'business_finance_app', seen: 0 })

test('in test a superuser acts as the role of the service, sees no organization, and the log warns', async () => {
  await organization(await person(), 'Seen by its own people')
  const warned = expect.stringMatching(/not bound by row-level security/)
  const { status, lines } = started(SUPERUSER)
  expect([status, lines.toSorted()]).toEqual([0, [asService, warned].toSorted()])
  expect(started(SERVICE)).toEqual({ status: 0, lines: [asService] })
})

test('live does not start as a superuser, and says which user it takes', () => {
  const refused = started({ ...LIVE, ...SUPERUSER })
  expect(refused.status).toBe(1)
  expect(refused.lines.join('\n')).toMatch(/URL: row-level security does not bind .* Name business_finance_app/)
  expect(started({ ...LIVE, ...SERVICE })).toEqual({ status: 0, lines: [asService] })
})
