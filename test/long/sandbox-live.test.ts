/** The stand-in partners as their own process. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { rootFolder } from '../../dev/settings.ts'
import { compiled } from '../support/compiled.ts'

test('the stand-in partners do not start in live', async () => {
  const said = { text: '' }
  const env = {
    ...process.env,
    LOG_LEVEL: 'info',
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
  }
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [compiled('sandbox/partners/server.ts')], {
    cwd: rootFolder,
    env,
    stdio: [...stdio],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said.text += text))
  const [code] = await once(child, 'exit')
  expect(code).not.toBe(0)
  expect(said.text).toContain('the sandbox partners do not run in live')
  expect(said.text).not.toContain('ready')
})
