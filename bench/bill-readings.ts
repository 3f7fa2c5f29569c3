/**
 * What an authenticated GET notices while 500 bills are read: XML, PDFs with text, and a few scans. They are handed in
 * as fast as they are read, so that some always wait.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { inLanes } from '../platform/concurrency.ts'
import { FORMS, electronic } from '../test/support/bills/electronic.ts'
import { LAYOUTS } from '../test/support/bills/layouts.ts'
import { LANGUAGES } from '../test/support/bills/model.ts'
import { printed } from '../test/support/bills/printed.ts'
import { billOf } from '../test/support/bills/random.ts'
import { scanned } from '../test/support/bills/scans.ts'
import { line, paced, quantile } from './measure.ts'
import { type Call, callerOf, insertOwned, owner } from './owner.ts'

const BILLS = 500
/** Before them so many, after which Postgres knows its tables, and what reads is loaded. */
const WARM = 50
/** Of so many bills one is a scan, and of those that are none every third is a PDF with text. */
const [SCAN_EACH, PDF_EACH] = [50, 3]
const LANES = 4
const WAITING = 10
const POLL_MS = 20
const GETS_PER_SECOND = 50
const [QUIET_SECONDS, SLICE_SECONDS] = [20, 4]

/** The report line of bills. */
export async function benchBills(apiUrl: string): Promise<void> {
  const { organizationId, token } = await insertOwned('Bills')
  const call = callerOf(apiUrl, token)
  const path = `/organizations/${organizationId}/bills`
  const typed = await call('POST', path, { amount: '1.00', currency: 'EUR', supplier_name: 'Typed' })
  const files: string[] = []
  await inLanes(Array.from({ length: WARM + BILLS }).keys(), LANES, async (index) => {
    files.push(await sent(call, path, await fileOf(index)))
  })
  const read = () => call('GET', `/bills/${typed.id}`)
  const quiet = () => paced(GETS_PER_SECOND, QUIET_SECONDS, read)
  const open = async () => {
    const [row] = await owner`
      select count(*)::int as n from bills where organization_id = ${organizationId} and status = 'extracting'`
    return row?.['n'] as number
  }
  const allRead = async (ids: readonly string[]) => {
    for (const file_id of ids) {
      while ((await open()) >= WAITING) await delay(POLL_MS)
      await call('POST', path, { file_id })
    }
    while ((await open()) > 0) await delay(POLL_MS)
  }
  await allRead(files.splice(0, WARM))
  await owner`vacuum analyze`
  await quiet()
  const before = await quiet()
  const begun = performance.now()
  let over = false
  const reading = allRead(files).finally(() => (over = true))
  const during: number[] = []
  while (!over) during.push(...(await paced(GETS_PER_SECOND, SLICE_SECONDS, read)))
  await reading
  const seconds = (performance.now() - begun) / 1000
  const [still, beside] = [[...before, ...(await quiet())], during].map((times) => quantile(times, 0.99)) as [
    number,
    number,
  ]
  const note = `p99 ${beside.toFixed(1)} against ${still.toFixed(1)} ms, ${BILLS} bills in ${seconds.toFixed(0)} s`
  line('G4 GET while bills are read ÷ quiet, p99', beside / still, { atMost: 3 }, note)
}

type BillFile = { readonly bytes: Buffer; readonly type: string }

async function fileOf(index: number): Promise<BillFile> {
  const language = LANGUAGES[index % LANGUAGES.length] ?? 'de'
  const bill = billOf(9000 + index, language)
  const xml = FORMS[index % FORMS.length] ?? 'ubl-peppol'
  if (index % SCAN_EACH !== 1 && index % PDF_EACH > 0)
    return { bytes: Buffer.from(electronic(bill, xml)), type: 'application/xml' }
  const layout = LAYOUTS[index % LAYOUTS.length]
  if (!layout) throw new Error('there are layouts')
  const pdf = await printed(bill, layout)
  return index % SCAN_EACH === 1
    ? { bytes: await scanned(pdf, index), type: 'image/jpeg' }
    : { bytes: pdf, type: 'application/pdf' }
}

async function sent(call: Call, path: string, { bytes, type }: BillFile): Promise<string> {
  const slot = await call('POST', `${path}/upload`, { filename: 'bill', byte_size: bytes.length, content_type: type })
  const put = await fetch(slot.upload_url, {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': type },
  })
  if (!put.ok) throw new Error(`PUT answered ${put.status}`)
  return slot.id
}
