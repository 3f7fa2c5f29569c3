/** Findings of a bill's file until they are merged. No worker runs here: each step is the test's. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import PDFDocument from 'pdfkit'
import { afterAll, expect, test } from 'vitest'
import type { BillId, OrganizationId } from '../../../domain/ids.ts'

const answers: string[] = []
const provider = createServer((request, response) => {
  request.resume()
  const content = answers.shift()
  if (content === undefined) response.writeHead(503).end()
  else response.end(JSON.stringify({ choices: [{ message: { content } }] }))
})
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')
const { port } = provider.address() as AddressInfo // it listens on TCP
Object.assign(process.env, {
  BILL_MODEL_PROVIDER: 'openai',
  BILL_MODEL_URL: `http://127.0.0.1:${port}/v1`,
  BILL_MODEL_NAME: 'reader-1',
})
afterAll(() => provider.close())

const { bills, main, model } = await import('../../../activities/index.ts')
const { beginReading, noteFailedReading, recordFindings } = await import('../../../services/bills/reading.ts')
const { readPages } = await import('../../../documents/bills/text/reading.ts')
const { organization, person } = await import('../../support/api.ts')
const { cancel, create, detail, eventsOf, sentFile } = await import('../../support/bills/bills.ts')
const { takeSteps } = await import('../../support/bills/runs.ts')
const { owner } = await import('../../support/database.ts')

const boss = await person()

const words = ['Grosshandel', 'Ypsilon'].map((text, index) => ({
  text,
  box: [50 + index * 60, 50, 55, 10] as const,
  confidence: null,
}))
const page = { number: 1, width: 595, height: 842, words, turn: null }

/** A bill whose pages were read; its language model is next. */
async function readBill(triesBefore = 0) {
  const organizationId = (await organization(boss)).id as OrganizationId
  const fileId = await sentFile(boss, organizationId, Buffer.from('<bill/>'), 'application/xml')
  const id: BillId = (await create(boss, organizationId, { file_id: fileId })).body.id
  await owner`update bills set tries = ${triesBefore} where id = ${id}`
  const begun = await beginReading(organizationId, id)
  const readings = [readPages([page], 'text-layer')]
  await recordFindings(organizationId, begun!, { readings, pages: [page], asksModel: true })
  return { id, organizationId, begun: begun! }
}
type Ref = Awaited<ReturnType<typeof readBill>>

const ask = (ref: Ref) => new MockActivityEnvironment().run(model.askLanguageModel, ref)
const pauseOf = async (ref: Ref) => {
  const [row] = await owner`select ask_at > updated_at as pauses from bills where id = ${ref.id}`
  return row?.['pauses']
}
const pausePasses = (ref: Ref) => owner`update bills set ask_at = null where id = ${ref.id}`
const findingsOf = (ref: Ref) =>
  owner<{ sealed: Buffer; asks_model: boolean; times_away: number }[]>`
    select sealed, asks_model, times_away from bill_findings where bill_id = ${ref.id}`
const triesOf = async (ref: Ref) => {
  const [row] = await owner`select tries from bills where id = ${ref.id}`
  return row?.['tries']
}

test('a last try that was lost after it had found something is not given up', async () => {
  const { begun, ...ref } = await readBill(2)
  await noteFailedReading(ref.organizationId, begun)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, unreadable: false, try_due: true })
})

test('what cannot be merged is read again, and given up in the end', async () => {
  const { begun, ...ref } = await readBill(1)
  // values that no column takes
  const lineItems = [{ description: '\ud800', quantity: '1', unit_price: '1', net: '1' }] as never
  for (const more of [false, true]) {
    const again = more ? await beginReading(ref.organizationId, ref.id) : begun
    const readings = [{ ...readPages([page], 'text-layer'), lineItems }]
    if (!more) await owner`delete from bill_findings where bill_id = ${ref.id}`
    await recordFindings(ref.organizationId, again!, { readings, pages: [], asksModel: false })
    await main.mergeBill(ref)
    expect(await main.viewBill(ref)).toMatchObject({ is_read: false, unreadable: false, try_due: false })
  }
  expect(await beginReading(ref.organizationId, ref.id)).toBe(null)
  await main.giveUpBill(ref)
  expect(await main.viewBill(ref)).toMatchObject({ at_rest: true, status: 'extracted' })
})

test('a language model that is away is asked again, on behalf of who handed the bill in; no page is read again', async () => {
  const ref = await readBill()
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, asks_model: true, try_due: true })
  await ask(ref)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, asks_model: true })
  expect(await pauseOf(ref)).toBe(true)
  await pausePasses(ref)
  answers.push(JSON.stringify({ supplier_name: 'Grosshandel Ypsilon' }))
  await ask(ref)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, asks_model: false })
  await ask(ref) // a repeat asks nothing
  await takeSteps(ref)
  expect((await detail(boss, ref.id)).bill).toMatchObject({ status: 'extracted', supplier_name: 'Grosshandel Ypsilon' })
  const { events } = await detail(boss, ref.id)
  const byWhom = ({ event_type, provider, actor_kind, actor_user_id }: Record<string, string | null>) =>
    [event_type, provider, actor_kind, actor_user_id] as const
  expect(events.map(byWhom)).toEqual([
    ['bill.created', null, 'user', boss.userId],
    ['bill.read', 'model:reader-1', 'llm_on_behalf_of_user', boss.userId],
    ['bill.read', 'text-layer', 'worker', null],
    ['bill.extracted', null, 'worker', null],
  ])
  expect([await triesOf(ref), await findingsOf(ref)]).toEqual([1, []])
})

/** A page that names only the sender. */
async function sparsePage(): Promise<Buffer> {
  const pdf = new PDFDocument()
  pdf.text('Grosshandel Ypsilon', 50, 50)
  pdf.end()
  return Buffer.concat(await pdf.toArray())
}

test('the first of many bills is asked about before the file of the next is read', async () => {
  const organizationId = (await organization(boss)).id as OrganizationId
  const bytes = await sparsePage()
  const newBill = async () => {
    const fileId = await sentFile(boss, organizationId, bytes, 'application/pdf')
    return { id: (await create(boss, organizationId, { file_id: fileId })).body.id as BillId, organizationId }
  }
  const [first, next] = [await newBill(), await newBill()]
  const read = (ref: typeof first) => new MockActivityEnvironment().run(bills.readBill, ref)
  await read(first)
  expect(await main.viewBill(first)).toMatchObject({ is_read: true, asks_model: true, try_due: true })
  await read(next) // and finds the turn taken
  expect(await main.viewBill(next)).toMatchObject({ is_read: false, waits_for_turn: true })
  answers.push('{}')
  await new MockActivityEnvironment().run(model.askLanguageModel, first)
  expect(await main.viewBill(first)).toMatchObject({ is_read: true, asks_model: false })
  expect(await main.viewBill(next)).toMatchObject({ is_read: false, waits_for_turn: false, try_due: true })
})

test('no language model is asked about a bill of a sender whom nobody has accepted', async () => {
  const organizationId = (await organization(boss)).id as OrganizationId
  const fileId = await sentFile(boss, organizationId, await sparsePage(), 'application/pdf')
  const ref = { id: (await create(boss, organizationId, { file_id: fileId })).body.id as BillId, organizationId }
  await owner`update bills set sender_is_unknown = true, created_by = null where id = ${ref.id}`
  await new MockActivityEnvironment().run(bills.readBill, ref)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, asks_model: false })
})

test('a language model that is away three times is left out', async () => {
  const ref = await readBill()
  for (let times = 0; times < 3; times += 1) await ask(ref)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: true, asks_model: false })
  await takeSteps(ref)
  expect((await detail(boss, ref.id)).bill).toMatchObject({ status: 'extracted', supplier_name: null })
  expect(await eventsOf(boss, ref.id)).toEqual(['bill.created', 'bill.read', 'bill.extracted'])
})

test('what was read is sealed until it is merged, and deleted with a bill that is put away', async () => {
  const ref = await readBill()
  const [found] = await findingsOf(ref)
  expect(found?.sealed.toString('latin1')).not.toContain('Ypsilon')
  expect((await cancel(boss, ref.id)).status).toBe(200)
  expect(await findingsOf(ref)).toEqual([])
  await ask(ref)
  expect((await detail(boss, ref.id)).bill.status).toBe('cancelled')
})

test('what was read and does not open is read again', async () => {
  const ref = await readBill()
  await owner`update bill_findings set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where bill_id = ${ref.id}`
  await ask(ref)
  expect(await main.viewBill(ref)).toMatchObject({ is_read: false, try_due: false, unreadable: false })
  expect(await findingsOf(ref)).toEqual([])
})
