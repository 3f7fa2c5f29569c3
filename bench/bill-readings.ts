/** G4: an authenticated GET while bills are read: XML, PDFs with text, and a few scans. */
import { setTimeout as delay } from 'node:timers/promises'
import { inLanes } from '../platform/concurrency.ts'
import { FORMS, electronic } from '../dev/sample-bills/electronic.ts'
import { LAYOUTS } from '../dev/sample-bills/layouts.ts'
import { LANGUAGES } from '../dev/sample-bills/model.ts'
import { printBill } from '../dev/sample-bills/printed.ts'
import { billOf } from '../dev/sample-bills/random.ts'
import { scanPage } from '../dev/sample-bills/scans.ts'
import { itemAt, reportReadsDuring } from './measure.ts'
import { callerOf, insertOwned, owner, sendFile } from './owner.ts'

const BILLS = 500
/** Warm-up bills: Postgres knows its tables, and the readers are loaded. */
const WARM = 50
const [SCAN_EACH, PDF_EACH] = [50, 3]
const LANES = 4
const WAITING = 10
const POLL_MS = 20
const GETS_PER_SECOND = 50
const SECONDS = 40

export async function benchBills(apiUrl: string, rounds: number): Promise<void> {
  const { organizationId, token } = await insertOwned('Bills')
  const call = callerOf(apiUrl, token)
  const path = `/organizations/${organizationId}/bills`
  const typed = await call('POST', path, { amount: '1.00', currency: 'EUR', supplier_name: 'Typed' })
  const files: string[] = []
  await inLanes(Array.from({ length: WARM + BILLS }).keys(), LANES, async (index) => {
    const { bytes, type } = await fileOf(index)
    files.push(await sendFile(call, `${path}/upload`, bytes, type))
  })
  const openBills = async () => {
    const [row] = await owner<{ n: number }[]>`
      select count(*)::int as n from bills where organization_id = ${organizationId} and status = 'extracting'`
    return row?.n ?? 0
  }
  const readBills = async (ids: readonly string[], over = () => false) => {
    for (const file_id of ids) {
      while ((await openBills()) >= WAITING) await delay(POLL_MS)
      if (over()) break
      await call('POST', path, { file_id })
      files.splice(files.indexOf(file_id), 1)
    }
    while ((await openBills()) > 0) await delay(POLL_MS)
  }
  await readBills(files.slice(0, WARM))
  await owner`vacuum analyze`
  const reads = { read: () => call('GET', `/bills/${typed.id}`), perSecond: GETS_PER_SECOND, seconds: SECONDS }
  await reportReadsDuring('G4 GET while bills are read ÷ quiet, p99', rounds, reads, (over) =>
    readBills([...files], over),
  )
}

/** Makes a file: one of fifty is a scan; of the others every third is a PDF with text, the rest XML. */
async function fileOf(index: number): Promise<{ readonly bytes: Buffer; readonly type: string }> {
  const isScan = index % SCAN_EACH === 1
  const bill = billOf(9000 + index, itemAt(LANGUAGES, index))
  if (!isScan && index % PDF_EACH > 0) {
    return { bytes: Buffer.from(electronic(bill, itemAt(FORMS, index))), type: 'application/xml' }
  }
  const pdf = await printBill(bill, itemAt(LAYOUTS, index))
  return isScan ? { bytes: await scanPage(pdf, index), type: 'image/jpeg' } : { bytes: pdf, type: 'application/pdf' }
}
