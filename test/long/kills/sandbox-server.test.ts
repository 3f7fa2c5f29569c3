/** The stand-in partners as their own process, which may be killed and does not run in live. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { startPartners } from '../../../sandbox/partners/server.ts'
import { config } from '../../../platform/config.ts'
import { rootFolder } from '../../../dev/settings.ts'
import '../../support/api.ts'
import { compiled } from '../../support/compiled.ts'
import { owner } from '../../support/database.ts'
import { askPartner, useReceiver } from '../../support/partners/partners.ts'

const receiver = useReceiver()
const children: ChildProcess[] = []
// A leftover process would hold the next test's port
afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')))
const BODY = { amount: { amount: '10.00', currency: 'EUR' }, reference: 'Invoice 1', beneficiary: { iban: 'x' } }

const goOn = () => owner`update sandbox_payouts set due_at = now() where due_at is not null`

function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [compiled('sandbox/partners/server.ts')], {
    cwd: rootFolder,
    env: { ...process.env, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said.text += text))
  }
  return { child, said }
}

test('what it took before it was killed is paid once by the next one, and called back', async () => {
  const { child, said } = run({ PUBLIC_URL: 'http://127.0.0.1:1', SANDBOX_SETTLE_MS: '3600000' })
  await expect.poll(() => said.text, { timeout: 25_000 }).toContain('"msg":"sandbox ready"')
  const ids = Array.from({ length: 30 }, () => randomUUID())
  await Promise.all(ids.map((id) => askPartner('bank', 'PUT', `/payouts/${id}`, BODY)))
  await goOn() // the first step of two
  await expect.poll(() => owner`select distinct status from sandbox_payouts`).toEqual([{ status: 'processing' }])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await goOn()

  const port = Number(new URL(config.sandboxPartnersUrl).port)
  const next = await startPartners({ port, callbackUrl: receiver.url() })
  try {
    const [first = ''] = ids
    expect((await askPartner('bank', 'PUT', `/payouts/${first}`, BODY)).status).toBe(200)
    await expect
      .poll(() => owner`select distinct status, version from sandbox_payouts`)
      .toEqual([{ status: 'settled', version: 3 }])
    await expect.poll(() => owner`select id from sandbox_callbacks`).toHaveLength(0)
    for (const id of ids) {
      const versions = receiver.received.filter(({ body }) => body.id === id).map(({ body }) => body.version)
      expect(new Set(versions)).toEqual(new Set([2, 3]))
    }
  } finally {
    await next.stop()
  }
})

test('it stops when it is told to', async () => {
  const { child, said } = run({ PUBLIC_URL: receiver.url() })
  await expect.poll(() => said.text, { timeout: 25_000 }).toContain('"msg":"sandbox ready"')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('in live it does not start', async () => {
  const { child, said } = run({
    SERVICE_ENV: 'live',
    BUILD_ID: 'b1',
    PUBLIC_URL: 'https://api.bank.test',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    EVENT_LOG_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    OPERATOR_TOKEN: 'an operator token',
    PASSWORD_HASH_MEMORY_KIB: '',
    PASSWORD_HASH_PASSES: '',
    SMTP_URL: 'smtp://mail.bank.test',
    MAIL_FROM: 'hello@bank.test',
    ...Object.fromEntries(
      ['BANK', 'CUSTODIAN', 'RATES'].flatMap((name) => [
        [`${name}_URL`, 'https://partner.test'],
        [`${name}_KEY`, 'a key of a real partner'],
        [`${name}_CALLBACK_SECRET`, `whsec_${randomBytes(32).toString('base64')}`],
      ]),
    ),
  })
  const [code] = await once(child, 'exit')
  expect(code).not.toBe(0)
  expect(said.text).toContain('the sandbox partners do not run in live')
  expect(said.text).not.toContain('ready')
})
