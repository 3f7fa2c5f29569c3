/** Files that ask for much work, sent by a stranger twenty times: nobody else waits for them. */
import { deflateSync } from 'node:zlib'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { WORKERS } from '../../dev/services.ts'
import { inLanes } from '../../platform/concurrency.ts'
import { type Answer, type TestPerson, api, organization, person } from '../support/api.ts'
import { atRest, importFile, newBatch } from '../support/batches/imports.ts'
import { longFormats, manySheets } from '../support/batches/workbooks.ts'
import { billingContact } from '../support/billing-contacts.ts'
import { send } from '../support/files/files.ts'
import { blanks, chainedStreams, nothing } from '../support/files/hostile.ts'
import { deepPng, png, zeros } from '../support/files/png.ts'
import { FORM } from '../support/http/forms.ts'
import { draft } from '../support/invoices/invoices.ts'
import { usePartners } from '../support/partners/partners.ts'
import { become, payerBy, sent } from '../support/payments/payouts.ts'
import { type Child, call, startApi, startWorker } from '../support/processes.ts'

usePartners()

const TIMES = 20
/** Requests that the stranger has under way. */
const LANES = 4
const HEALTH_MS_MAX = 1000
const [QUIET_PAYOUTS, QUIET_ANSWERS, HEALTH_EVERY_MS] = [5, 200, 20]
/** Payouts take this many times their quiet time at most; a machine of two cores does other work, too. */
const SLOWER_MAX = 5

const started: Child[] = []
afterAll(() => Promise.all(started.map((child) => child.stop())))

const ATTACHMENTS = [
  chainedStreams(1000, blanks(16)),
  chainedStreams(2000, blanks(200), '/Encrypt'),
  chainedStreams(2000, nothing(4), '/Encrypt'),
]
const WORKBOOKS = [manySheets(20_000), manySheets(100_000), longFormats(100_000)]
const TABLES = [','.repeat(5_000_000), `"${'\n'.repeat(4_900_000)}"`, '"a",'.repeat(1_200_000)].map((text) =>
  Buffer.from(text),
)
const PICTURES = [png(6300, 6300, zeros(6300 * (1 + 3 * 6300))), png(6300, 6300, deflateSync('cut')), deepPng(6300)]

type Stranger = { readonly by: TestPerson; readonly id: string; readonly contactId: string; readonly url: string }

/** Repeats a request while the stranger has too many under way. */
async function insist(ask: () => Promise<Pick<Answer, 'status' | 'body'>>) {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await delay(200)
  }
}

async function uploaded(by: TestPerson, path: string, more: object, bytes: Buffer): Promise<string> {
  const slot = await api('POST', path, { token: by.token, body: { byte_size: bytes.length, ...more } })
  expect(slot.status).toBe(201)
  expect((await send(slot.body, bytes)).status).toBe(200)
  return slot.body.id
}

async function attach({ by, id, contactId, url }: Stranger, bytes: Buffer): Promise<void> {
  const more = { content_type: 'application/pdf', filename: `${crypto.randomUUID()}.pdf` }
  const fileId = await uploaded(by, `/organizations/${id}/invoices/upload`, more, bytes)
  const body = draft(contactId, { attachments: [{ file_id: fileId }] })
  const path = `/organizations/${id}/invoices`
  const { status, body: said } = await insist(() => call({ url }, 'POST', path, { token: by.token, body }))
  expect([status, said.error?.type]).toEqual([422, 'invalid_file'])
}

async function importTable({ by, id }: Stranger, bytes: Buffer, format: 'csv' | 'xlsx'): Promise<void> {
  const batchId = await newBatch(by, id)
  const [path, more] =
    format === 'xlsx'
      ? [`/payment-batches/${batchId}/documents/upload`, { format, filename: 'a.xlsx' }]
      : [`/payment-batches/${batchId}/upload`, { content_type: 'text/csv', filename: 'a.csv' }]
  expect((await importFile(by, batchId, await uploaded(by, path, more, bytes))).status).toBe(202)
  await atRest(by, batchId, 600_000)
}

async function uploadPicture({ by, url }: Stranger, bytes: Buffer): Promise<void> {
  const [before = '', after = ''] = FORM.body.split('bytes')
  const body = new Uint8Array(Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]))
  const headers = { authorization: `Bearer ${by.token}`, 'content-type': FORM.headers['content-type'] }
  const { status } = await insist(async () => {
    const answer = await fetch(`${url}/api/v1/me/avatar`, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.json() }
  })
  expect([200, 422]).toContain(status)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? NaN

test('requests are answered and payouts end while a stranger sends such files', { timeout: 1_200_000 }, async () => {
  const [server, ...workers] = await Promise.all([startApi(), ...Object.values(WORKERS).map((env) => startWorker(env))])
  started.push(server, ...workers)
  const payer = await payerBy('fiat', '900.00')
  const payOut = async () => become(payer, await sent(payer, '1.00'), 'succeeded')
  await payOut()
  const quiet: number[] = []
  while (quiet.length < QUIET_PAYOUTS) quiet.push(await timeOf(payOut))

  const by = await person({ authenticator: true })
  const { id } = await organization(by, 'Stranger')
  const stranger = { by, id, contactId: (await billingContact(by, id)).id, url: server.url }
  const twenty = (files: readonly Buffer[], work: (file: Buffer) => Promise<void>) =>
    inLanes(
      Array.from({ length: TIMES }, (_, index) => files[index % files.length] ?? Buffer.alloc(0)),
      LANES,
      work,
    )
  const floods = {
    attachments: () => twenty(ATTACHMENTS, (file) => attach(stranger, file)),
    workbooks: () => twenty(WORKBOOKS, (file) => importTable(stranger, file, 'xlsx')),
    tables: () => twenty(TABLES, (file) => importTable(stranger, file, 'csv')),
    pictures: () => twenty(PICTURES, (file) => uploadPicture(stranger, file)),
  }
  const health = () => timeOf(async () => (await fetch(`${server.url}/healthz`)).arrayBuffer())
  const calm: number[] = []
  while (calm.length < QUIET_ANSWERS) {
    calm.push(await health())
    await delay(HEALTH_EVERY_MS)
  }
  const figures: Record<string, string> = {
    quiet: `/healthz p99 ${quantile(calm, 0.99).toFixed(0)} ms; payout median ${quantile(quiet, 0.5).toFixed(0)} ms`,
  }
  for (const [name, flood] of Object.entries(floods)) {
    const [answers, beside]: [number[], number[]] = [[], []]
    let over = false
    const ask = async () => {
      while (!over) {
        answers.push(await health())
        await delay(HEALTH_EVERY_MS)
      }
    }
    const pay = async () => {
      do beside.push(await timeOf(payOut))
      while (!over)
    }
    const [ms] = await Promise.all([timeOf(flood).finally(() => (over = true)), ask(), pay()])
    figures[name] =
      `${TIMES} in ${ms.toFixed(0)} ms; /healthz p99 ${quantile(answers, 0.99).toFixed(0)} ms, most ` +
      `${quantile(answers, 1).toFixed(0)}, of ${answers.length}; payout median ${quantile(beside, 0.5).toFixed(0)} ms, most ` +
      `${quantile(beside, 1).toFixed(0)}, of ${beside.length}`
    expect(quantile(answers, 0.99), name).toBeLessThan(HEALTH_MS_MAX)
    expect(quantile(beside, 0.5), name).toBeLessThan(SLOWER_MAX * quantile(quiet, 0.5))
  }
  console.log(figures)
  expect(started.flatMap((child) => child.bugs())).toEqual([])
})
