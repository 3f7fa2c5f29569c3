/** The client for Python: built as for a release, installed in a place of its own, used by programs. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findObstacle, runTool } from '../../dev/clients/generator.ts'
import { buildPythonClient } from '../../dev/clients/python.ts'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { baseUrl, createPayment, payerAndPayee, person } from '../support/api.ts'
import { httpReceiver } from '../support/webhooks/receivers.ts'
import { rename, subscribed } from '../support/webhooks/webhooks.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

const BUILD_MS_MAX = 5 * 60_000
const obstacle = findObstacle('python')
if (obstacle) console.warn(`the client for Python is skipped: ${obstacle}`)

describe.skipIf(obstacle !== null)('the wheel', () => {
  useWorker({ chains: true })
  const folder = makeTemporaryFolder()
  const python = join(folder.path, 'own/bin/python')
  beforeAll(async () => {
    const wheel = await buildPythonClient(join(folder.path, 'built'))
    await runTool('python3', ['-m', 'venv', 'own'], folder.path)
    await runTool(python, ['-m', 'pip', 'install', '--quiet', wheel], folder.path)
  }, BUILD_MS_MAX)
  afterAll(() => folder.remove())

  test('makes a first payment: asks once, proves the approval by a code, waits, and finds it on the pages of the list', async () => {
    const { boss, payer, contactId } = await payerAndPayee()
    await createPayment(boss, contactId)
    const codes = [await boss.totp(), await boss.totp(1)]
    const args = [resolve('clients/python/example.py'), baseUrl, boss.email, boss.password, payer.id, contactId]
    const said = await runFed(python, args, `${codes.join('\n')}\n`)
    expect(said).toMatch(/^paid 25\.00 USD: [0-9a-f-]{36}, one of 2 payments\n$/)
  })

  test('reads a refusal by its type, with the id of the request', async () => {
    const program = join(folder.path, 'refused.py')
    writeFileSync(program, REFUSED)
    const said = JSON.parse(await runTool(python, [program, baseUrl], folder.path))
    expect(said).toEqual({ type: 'not_authenticated', request: expect.stringMatching(/^[\w-]{8,}$/) })
  })

  test('verifies a delivery as it comes, and refuses a body that was changed', async () => {
    const receiver = await httpReceiver((_, response) => response.end())
    const at = await subscribed(await person({ authenticator: true }), receiver)
    await rename(at, 'Another name')
    const { body, headers } = await until('a delivery', async () => receiver.received[0])
    const program = join(folder.path, 'webhook.py')
    writeFileSync(program, WEBHOOK)
    const said = JSON.parse(await runFed(python, [program, at.secret], JSON.stringify({ body, headers })))
    expect(said).toEqual({ type: JSON.parse(body).type, changed: 'WebhookVerificationError' })
  })
})

const REFUSED = `
import json, sys
from business_finance import api, connect, refusal_of
try:
    api.MeApi(connect(sys.argv[1], 'wrong')).get_me()
except api.ApiException as error:
    refusal = refusal_of(error)
    print(json.dumps({'type': refusal.type.actual_instance, 'request': refusal.request_id}))
`

const WEBHOOK = `
import json, sys
from business_finance import unwrap
sent = json.load(sys.stdin)
event = unwrap(sent['body'], sent['headers'], sys.argv[1])
try:
    unwrap(sent['body'].replace('updated', 'deleted') + ' ', sent['headers'], sys.argv[1])
    changed = None
except Exception as error:
    changed = type(error).__name__
print(json.dumps({'type': event['type'], 'changed': changed}))
`

/** Runs a program with a text as its input. Returns what it printed; throws with its errors if it fails. */
async function runFed(command: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (said.out += chunk))
  child.stderr.on('data', (chunk) => (said.err += chunk))
  child.stdin.end(input)
  const [code] = await new Promise<[number | null]>((done) => child.on('close', (status) => done([status])))
  if (code !== 0) throw new Error(said.err)
  return said.out
}
