/** A start that cannot succeed says in one sentence what to fix; only bugs show a stack. */
import { spawnSync } from 'node:child_process'
import { createServer, getDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { once } from 'node:events'
import { NativeConnection } from '@temporalio/worker'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { explainStart } from '../../platform/start-faults.ts'
import { freePort } from '../../dev/machine/ports.ts'
import { importsOf, layerOf } from '../rules/rooms.ts'
import { compiled } from '../support/compiled.ts'

function run(program: string, env: Record<string, string> = {}) {
  const { PATH = '', HOME = '' } = process.env
  const options = { env: { PATH, HOME, ...env }, encoding: 'utf8' } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiled(program)], options)
  return { status, said: stdout + stderr }
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(() => undefined).catch((error: unknown) => error)

test.each(['server.ts', 'worker.ts', 'admin.ts', 'deploy.ts', 'sandbox/partners/server.ts'])(
  '%s names every variable that is missing or wrong',
  (program) => {
    expect(run(program, { PORT: 'abc' })).toEqual({
      status: 1,
      said:
        'The configuration is not usable:\n  PORT: must be a whole number\n  DATABASE_URL is required\n' +
        'docs/configuration.md says what each variable is for.\n',
    })
  },
)

test('migrations say which address does not answer, and never its password', async () => {
  const address = `127.0.0.1:${await freePort()}/x`
  const env = { MIGRATION_DATABASE_URL: `postgres://owner:secret@${address}`, DATABASE_APP_PASSWORD: 'app' }
  expect(run('db/migrate.ts', env)).toEqual({
    status: 1,
    said: `Postgres does not answer at ${address} (ECONNREFUSED): start it, or correct MIGRATION_DATABASE_URL.\n`,
  })
  const { status, said } = run('db/migrate.ts')
  expect([status, said]).toEqual([1, expect.stringMatching(/^MIGRATION_DATABASE_URL and/)])
})

test('the workflow bundle is built without any setting: its builder imports nothing of ours', () =>
  expect(importsOf('temporal/bundle.ts').filter(({ from }) => layerOf(from))).toEqual([]))

test('each fault of a server that is needed has its sentence', async () => {
  const port = await freePort()
  const env = { DATABASE_URL: `postgres://app:secret@127.0.0.1:${port}/books`, TEMPORAL_ADDRESS: `127.0.0.1:${port}` }
  const sql = postgres(env.DATABASE_URL, { max: 1 })
  const said = (error: unknown) => explainStart(error, 'DATABASE_URL', env)
  expect(said(await failureOf(sql`select 1`))).toBe(
    `Postgres does not answer at 127.0.0.1:${port}/books (ECONNREFUSED): start it, or correct DATABASE_URL.`,
  )
  expect(said(await failureOf(NativeConnection.connect({ address: env.TEMPORAL_ADDRESS })))).toBe(
    `Temporal does not answer at 127.0.0.1:${port}: start it, or name another one in TEMPORAL_ADDRESS.`,
  )
  const pooled = (code: string) => said(Object.assign(new Error('refused'), { code }))
  expect(pooled('08P01')).toMatch(/^A pooler at .* refuses the settings of our sessions: name Postgres itself/)
  expect(pooled('42P05')).toMatch(/^A pooler at .* keeps no prepared statements: name Postgres itself/)
  expect(pooled('25006')).toMatch(/is read-only: name its primary in DATABASE_URL\.$/)
  const first = createServer().listen(port, '127.0.0.1')
  await once(first, 'listening')
  const second = createServer().listen(port, '127.0.0.1')
  const [taken] = await once(second, 'error')
  first.close()
  expect(said(taken)).toMatch(`Port ${port} is already taken`)
})

test('a bug is no fault that an operator can mend', () => {
  expect(explainStart(new TypeError('undefined is not a function'))).toBeUndefined()
  expect(explainStart(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBeUndefined()
  expect(explainStart('text')).toBeUndefined()
})

test('what every program loads first gives an address two seconds to connect, before another one is tried', () =>
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2000))
