/** `admin live check` before anything is there: each fault once, no secret, and nothing that crashes or hangs. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { surveyConfiguration } from '../../platform/survey.ts'
import { unusable } from '../../platform/live.ts'
import { type Check, missing, ok, runChecks, writeReport } from '../../temporal/live-check/check.ts'
import { compiled } from '../support/compiled.ts'

const SECRET = 'hunter2-hunter2-hunter2'

function check(env: Record<string, string>, ...more: string[]) {
  const { PATH = '', HOME = '' } = process.env
  const args = [compiled('admin.ts'), 'live', 'check', ...more]
  return spawnSync(process.execPath, args, { env: { PATH, HOME, ...env }, encoding: 'utf8' })
}

test('with nothing there it says what is missing, and ends with 1', () => {
  const { status, stdout, stderr } = check({ TEMPORAL_ADDRESS: '127.0.0.1:1' })
  expect([status, stderr]).toEqual([1, ''])
  for (const said of [
    'SERVICE_ENV: must be live',
    'DATABASE_URL is required',
    'ENCRYPTION_KEYS: the development key is refused in live',
    'BANK_URL or CUSTODIAN_URL is required in live',
    'Temporal does not answer at 127.0.0.1:1',
    'SMTP_URL names none',
    '→ docs/configuration.md',
  ])
    expect(stdout).toContain(said)
  expect(stdout).toMatch(/\n\d+ missing for the first live payment\.\n$/)
})

test('as JSON it names check, status, detail and page, of wrong settings too, and quotes no secret', () => {
  const { status, stdout } = check(
    {
      SERVICE_ENV: 'live',
      DATABASE_URL: `postgres://app:${SECRET}@127.0.0.1:1/books`,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      BANK_URL: 'http://127.0.0.1:1',
      BANK_KEY: SECRET,
      BANK_CALLBACK_SECRET: SECRET,
      OPERATOR_TOKEN: SECRET,
      SMTP_URL: `smtp://mail:${SECRET}@127.0.0.1:1`,
      ENCRYPTION_KEYS: SECRET,
      PORT: 'abc',
    },
    '--json',
  )
  expect(status).toBe(1)
  expect(stdout).not.toContain(SECRET)
  const { ready, checks } = JSON.parse(stdout)
  expect(ready).toBe(false)
  const found = (name: string) =>
    checks.filter(({ check: of }: { check: string }) => of === name).map(({ detail }: { detail: string }) => detail)
  expect(found('configuration')).toEqual(
    expect.arrayContaining([
      'PORT: must be a whole number',
      'BANK_CALLBACK_SECRET: must be whsec_ and base64',
      'ENCRYPTION_KEYS must be id:base64 pairs of 32 bytes each, separated by commas',
      'BANK_URL: live asks for https',
      'MAIL_FROM is required in live',
    ]),
  )
  expect(found('configuration')).toHaveLength(new Set(found('configuration')).size)
  expect(found('database')).toEqual([expect.stringContaining('does not answer at 127.0.0.1:1/books')])
  for (const name of ['connection bank', 'callbacks bank', 'mail server']) expect(found(name)).toHaveLength(1)
  for (const one of checks) expect(Object.keys(one).toSorted()).toEqual(['check', 'detail', 'page', 'status'])
})

test('a survey goes on without what is wrong, and does not report what follows from that', () => {
  const parse = (env: NodeJS.ProcessEnv, { judges }: { readonly judges: boolean }) => {
    if (env['PORT'] === 'abc') throw unusable(['PORT: must be a number'])
    if (env['PARTNERS_FILE'] === 'gone') throw unusable(['PARTNERS_FILE: must be a file', 'PARTNERS_FILE: usd.key'])
    if (judges && !env['PARTNERS_FILE'])
      throw unusable(['BANK_URL or CUSTODIAN_URL is required', 'MAIL_FROM is required'])
    return { ...env }
  }
  const { config, faults } = surveyConfiguration(parse, {
    SERVICE_ENV: 'live',
    PORT: 'abc',
    PARTNERS_FILE: 'gone',
    KEPT: 'x',
  })
  expect(faults).toEqual([
    'DATABASE_URL is required',
    'PORT: must be a number',
    'PARTNERS_FILE: must be a file',
    'PARTNERS_FILE: usd.key',
    'MAIL_FROM is required',
  ])
  expect(config).toMatchObject({ SERVICE_ENV: 'live', KEPT: 'x', LOG_LEVEL: 'silent' })
  expect(config).not.toHaveProperty('PORT')
  const endless = () => {
    throw unusable(['FEES: not a table'])
  }
  expect(() => surveyConfiguration(endless, { SERVICE_ENV: 'live', FEES: 'x' })).toThrow('FEES: not a table')
})

test('a check that is away or late is missing, and one that needs it is left out', async () => {
  const never = new Promise<never>(() => {})
  const of = (name: string, look: Check['look'], needs?: readonly string[]): Check => ({
    name,
    page: 'docs/x.md',
    look,
    ...(needs && { needs }),
  })
  const away = Object.assign(new Error(`cannot reach postgres://app:${SECRET}@host`), { code: 'ECONNRESET' })
  const checks = [
    of('late', () => never),
    of('away', () => Promise.reject(away)),
    of('odd', () => Promise.reject(new TypeError(SECRET))),
    of('after', () => Promise.resolve([ok('fine')]), ['late']),
    of('here', () => Promise.resolve([ok('fine'), missing('half')])),
    of('then', () => Promise.resolve([ok('fine')]), ['fine']),
  ]
  const found = await runChecks(checks, 20)
  expect(found.map(({ check: name, status, detail }) => [name, status, detail])).toEqual([
    ['late', 'missing', 'no answer within 0.02 seconds'],
    ['away', 'missing', expect.stringContaining('ECONNRESET')],
    ['odd', 'missing', 'it cannot be used (TypeError)'],
    ['here', 'ok', 'fine'],
    ['here', 'missing', 'half'],
    ['then', 'ok', 'fine'],
  ])
  const report = writeReport(found)
  expect(report).not.toContain(SECRET)
  expect(report).toContain('4 missing for the first live payment.')
  expect(writeReport([])).toBe('Nothing is missing for the first live payment.')
})
