/** Commands that follow a process: pay, watch, bill add, batch import, export, trigger; and the real binary. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { api, approve, baseUrl, contact, payerAndPayee, withStepUp } from '../../support/api.ts'
import { fileOf, toHandle } from '../../support/batches/imports.ts'
import { xmlFiles } from '../../../dev/sample-bills/xml-files.ts'
import { bfs, home, transcript } from '../../support/cli/terminal.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker({ chains: true })

const { boss, payer, payee, contactId } = await payerAndPayee('100.00')
const pendingId = await contact(boss, payer.id, payee.svcId)
await owner`update payment_contacts set status = 'pending_approval' where id = ${pendingId}`
const env = { BFS_TOKEN: boss.token, BFS_ORGANIZATION: payer.id }
const golden = (name: string) => `golden/${name}.txt`
const order = (amount: string, to = contactId) => [
  'pay',
  to,
  amount,
  'usd',
  '--reason',
  'services',
  '--description',
  'Invoice 1',
]
const file = async (name: string, content: string | Uint8Array) => {
  const path = join((await home())['XDG_CONFIG_HOME'] ?? '', name)
  await writeFile(path, content)
  return path
}

test('a payment is shown and asked for, its key comes first, and it waits for a person; a repeat with the key pays once', async () => {
  const args = order('10.00')
  const ran = await bfs(args, { env, tty: true, confirms: true })
  await expect(transcript(args, ran)).toMatchFileSnapshot(golden('pay-terminal'))
  expect(ran.code).toBe(4)
  const [, quote = '', key = ''] = /--quote (\S+) --idempotency-key (\S+):/.exec(ran.stderr) ?? []
  const again = await bfs([...args, '--quote', quote, '--idempotency-key', key], { env })
  expect(again.code, again.stderr).toBe(4)
  expect(ran.stdout).toContain(JSON.parse(again.stdout).id)
})

test('the question names the amount, the payee and the account, and that account is paid', async () => {
  const questions: string[] = []
  const ask = (args: readonly string[]) =>
    bfs(args, { env, tty: true, confirms: true, asked: (question) => questions.push(question) })
  const paid = await ask(order('3.00'))
  expect(questions).toEqual([`Prepare the payment of 3.00 USD to Payee, ${payee.svcId}?`])
  const { destinations } = (await api('GET', `/payment-contacts/${contactId}`, { token: boss.token })).body
  expect(paid.stdout).toContain(destinations[0].id)
  const bank = await withStepUp('POST', `/payment-contacts/${contactId}/destinations`, {
    token: boss.token,
    body: {
      type: 'bank',
      country_code: 'DE',
      currency: 'EUR',
      account_holder_name: 'Payee GmbH',
      iban: 'DE89370400440532013000',
    },
  })
  expect(bank.status, JSON.stringify(bank.body)).toBe(201)
  const [pay, id, amount, , ...rest] = order('3.00')
  const named = await ask([pay!, id!, amount!, 'eur', ...rest, '--destination', bank.body.id])
  expect(named.stderr).toMatch(/^account +…3000 of Payee GmbH$/m)
})

test.each([
  ['pay-blocked', order('5000.00', pendingId), { confirms: true }, 1],
  ['pay-refused-by-the-person', order('10.00'), { confirms: false }, 1],
])('%s: nothing is asked of the service', async (name, args, { confirms }, code) => {
  const ran = await bfs(args, { env, tty: true, confirms })
  await expect(transcript(args, ran)).toMatchFileSnapshot(golden(name))
  expect(ran.code).toBe(code)
})

test('without a person to ask, a payment needs --yes', async () => {
  expect((await bfs(order('10.00'), { env })).code).toBe(2)
})

test('a payment is watched until it has succeeded; what is not in the log is refused', async () => {
  const { stdout } = await bfs([...order('10.00'), '--yes'], { env })
  const payment = JSON.parse(stdout)
  let said = ''
  await until(
    'it is in the log',
    async () => (await bfs(['watch', payment.id], { env, signal: AbortSignal.abort() })).code !== 1,
  )
  const watched = bfs(['watch', payment.id], { env, written: (piece) => (said += piece) })
  await until('it is watched', async () => said.includes('payment.created'))
  await approve(boss, payment)
  const { code, stdout: seen, stderr } = await watched
  expect(code, stderr).toBe(0)
  const types = seen
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).event_type)
  expect([types[0], new Set(types).size]).toEqual(['payment.created', types.length])
  const unknown = await bfs(['watch', payer.id], { env })
  expect(unknown.code).toBe(1)
})

test('a bill is added from its file, and shown once it is read', async () => {
  const [first] = xmlFiles().filter(({ half, name }) => half === 'made' && name.startsWith('plain'))
  const path = await file('bill.xml', first?.bytes ?? '')
  const ran = await bfs(['bill', 'add', path], { env })
  expect(ran.code, ran.stderr).toBe(0)
  expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'extracted', organization_id: payer.id })
  expect((await bfs(['bill', 'add', 'notes.txt'], { env })).code).toBe(2)
})

test('a batch is imported with its progress, and waits for a person; what is wrong in a file is said', async () => {
  const path = await file('batch.csv', fileOf(toHandle(payee.svcId), toHandle(payee.svcId, '2.00')))
  const ran = await bfs(['batch', 'import', path, '--submit'], { env })
  expect(ran.code, ran.stderr).toBe(4)
  expect(ran.stderr).toContain('2 of 2 rows can be paid, 3.00 USD in all')
  expect(JSON.parse(ran.stdout)).toMatchObject({ name: 'batch.csv', status: 'awaiting_approval' })
  const wrong = await bfs(['batch', 'import', await file('wrong.csv', fileOf(toHandle('nobody-here')))], { env })
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain('list-rows')
})

test('money arrives in the test environment, and an export of it is written to a file', async () => {
  const arrived = await bfs(['trigger', 'deposit', '7.00', 'usd'], { env })
  expect(JSON.parse(arrived.stdout)).toMatchObject({ organization_id: payer.id })
  const path = await file('transactions.csv', '')
  const range = ['--from', '2026-01-01', '--to', '2035-12-31']
  const ran = await bfs(['export', 'transactions', ...range, '-o', path], { env })
  expect(ran.code, ran.stderr).toBe(0)
  const written = await readFile(path, 'latin1')
  expect(written).toContain('7.00')
  expect((await bfs(['export', 'transactions', ...range], { env })).stdout).toBe(written)
})

test('the page of an approval is opened, and nothing is approved', async () => {
  const pages: string[] = []
  const ran = await bfs(['approve', contactId], { env, tty: true, openPage: (page) => pages.push(page) })
  expect([ran.stdout, pages]).toEqual([`${baseUrl}/approve/${contactId}\n`, [`${baseUrl}/approve/${contactId}`]])
})

test('the command itself runs from the repository', async () => {
  const given = { env: { PATH: process.env['PATH'], ...(await home()) } }
  const { stdout } = await promisify(execFile)('clients/cli/bin/bfs.js', ['reference', 'list-currencies'], {
    ...given,
    env: { ...given.env, BFS_TOKEN: boss.token },
  })
  expect(JSON.parse(stdout).data.length).toBeGreaterThan(0)
})
