/**
 * G5: a file of 50,000 rows from PUT to all verdicts, against parse and COPY; its accounts are known, or have never been
 * seen. G4: reads beside it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { against, compare, itemAt, line, median, runPaced, quantile, reportReadsDuring, timeOf } from './measure.ts'
import { type Call, callerOf, insertOwned, owner, sendFile } from './owner.ts'
import type { Round } from './turns.ts'

const ROWS = 50_000
const BYTES = 5_200_000
const PAYEES = 500
/** Number of the first account that the rows of a file pay. */
const ACCOUNTS = 1000
const POLL_MS = 25
const READS_PER_SECOND = 100
const SECONDS = 8 // of reads in each half of a round
const HEALTH_MS_MAX = 50

type Payer = {
  readonly organizationId: string
  readonly token: string
  readonly call: Call
  readonly contacts: readonly string[]
}

export async function benchImports(apiUrl: string, rounds: number): Promise<void> {
  const payer = await makePayer(apiUrl)
  const file = makeFile(payer)
  await owner`vacuum (analyze) organizations, payment_contacts, payment_destinations`
  await importOnce(payer, file) // warm-up
  await parseAndCopy(file)
  const theirs = () => parseAndCopy(file)
  const name = 'G5 50,000 rows ÷ parse and COPY'
  const again = await compare(name, rounds, () => importOnce(payer, file), theirs)
  line(name, again.p50, against(again.a.p50Ms, again.b.p50Ms, 'ms', 0))
  let next = ACCOUNTS
  const unseen = () => importOnce(payer, makeFile(payer, ROWS, (next += ROWS)))
  const newName = 'G5 the same, of accounts never seen'
  const first = await compare(newName, rounds, unseen, theirs)
  line(newName, first.p50, against(first.a.p50Ms, first.b.p50Ms, 'ms', 0), { atMost: 8 })
  await benchReads(payer, file, rounds)
  await benchResults(apiUrl, payer, file)
}

/** Measures `/healthz` while results of 50,000 rows are sent one after the other. */
async function benchResults(apiUrl: string, payer: Payer, file: Buffer): Promise<void> {
  const { path } = await importFile(payer, file, ROWS)
  const headers = { authorization: `Bearer ${payer.token}` }
  const times: number[] = []
  let [over, bytes] = [false, 0]
  const sending = (async () => {
    while (!over) {
      const read = async () => {
        bytes = (await (await fetch(`${apiUrl}/api/v1${path}/results.csv`, { headers })).arrayBuffer()).byteLength
      }
      times.push(await timeOf(read))
    }
  })()
  const health = () => fetch(`${apiUrl}/healthz`).then((answer) => answer.arrayBuffer())
  const beside = quantile(await runPaced(READS_PER_SECOND, SECONDS, health), 0.99)
  over = true
  await sending
  const note = `${(bytes / 1e6).toFixed(1)} MB in ${median(times).toFixed(0)} ms`
  line('/healthz beside 50,000 results, p99 ms', beside, note, { atMost: HEALTH_MS_MAX })
}

/** Measures an authenticated GET beside imports, against quiet times. */
async function benchReads(payer: Payer, file: Buffer, rounds: number): Promise<void> {
  const { call } = payer
  const batch = await call('POST', `/organizations/${payer.organizationId}/payment-batches`, { name: 'Read' })
  const read = () => call('GET', `/payment-batches/${batch.id}`)
  const reads = { read, perSecond: READS_PER_SECOND, seconds: SECONDS }
  await reportReadsDuring('G4 a read during imports ÷ quiet, p99', rounds, reads, async (over) => {
    while (!over()) await importOnce(payer, file)
  })
}

/** Imports a file; measures from the end of the PUT until every row has its verdict. */
export async function importOnce(payer: Payer, file: Buffer, rows: number = ROWS): Promise<Round> {
  const { path, ms } = await importFile(payer, file, rows)
  await payer.call('DELETE', path)
  return { rate: (rows / ms) * 1000, p50Ms: ms, count: rows }
}

async function importFile(
  { organizationId, call }: Payer,
  file: Buffer,
  rows: number,
): Promise<{ path: string; ms: number }> {
  const batch = await call('POST', `/organizations/${organizationId}/payment-batches`, { name: 'Bench' })
  const path = `/payment-batches/${batch.id}`
  const fileId = await sendFile(call, `${path}/upload`, file, 'text/csv')
  const begun = performance.now()
  await call('POST', `${path}/import`, { file_id: fileId })
  for (;;) {
    const { status, rows_valid: valid, import_error: fault } = await call('GET', path)
    if (status !== 'importing') {
      const ms = performance.now() - begun
      if (valid !== rows) throw new Error(`${valid} rows are valid: ${JSON.stringify(fault)}`)
      return { path, ms }
    }
    await delay(POLL_MS)
  }
}

async function parseAndCopy(file: Buffer): Promise<Round> {
  const begun = performance.now()
  const records: string[][] = []
  for await (const record of Readable.from([file]).pipe(parse())) records.push(record as string[])
  const text = records.map((cells) => `${cells.join('\t')}\n`)
  await owner.begin(async (tx) => {
    const columns = (records[0] ?? []).map((name) => `${name} text`).join(', ')
    await tx.unsafe(`create temporary table copied (${columns}) on commit drop`)
    await pipeline(Readable.from([Buffer.from(text.join(''))]), await tx`copy copied from stdin`.writable())
  })
  const ms = performance.now() - begun
  return { rate: (ROWS / ms) * 1000, p50Ms: ms, count: ROWS }
}

export async function makePayer(apiUrl: string): Promise<Payer> {
  const { organizationId, userId, token } = await insertOwned('Payer')
  await owner`
    insert into organizations (id, name, svc_id, created_by)
    select gen_random_uuid(), 'Payee ' || i, 'bench-payee-' || i, ${userId} from generate_series(1, ${PAYEES}) i`
  const call = callerOf(apiUrl, token)
  const contacts: string[] = []
  for (let index = 0; index < PAYEES / 5; index += 1) {
    const destinations = [
      { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Payee', iban: iban(index) },
    ]
    const body = { name: `Contact ${index}`, type: 'business', destinations }
    contacts.push((await call('POST', `/organizations/${organizationId}/payment-contacts`, body)).id)
  }
  return { organizationId, token, call, contacts }
}

/** Makes a file of about 100 bytes a row: of five rows two pay service IDs, two accounts from `first` on, one a contact. */
export function makeFile({ contacts }: Payer, rows: number = ROWS, first: number = ACCOUNTS): Buffer {
  const header =
    'payee_svc_id,payment_contact_id,account_holder_name,iban,amount,currency,payout_reason,statement_description'
  const lines = Array.from({ length: rows }, (_, index) => {
    const end = `services,Invoice ${index} of ${'October '.repeat(3)}`
    const amount = `${1 + (index % 9000)}.${10 + (index % 89)}`
    if (index % 5 < 2) return `bench-payee-${1 + (index % PAYEES)},,,,${amount},USD,${end}`
    if (index % 5 < 4) return `,,Payee number ${index},${iban(first + index)},${amount},EUR,${end}`
    return `,${itemAt(contacts, index)},,,${amount},EUR,${end}`
  })
  const short = Math.floor(BYTES / ROWS - [header, ...lines].join('\n').length / rows)
  return Buffer.from([header, ...lines.map((row) => row + 'x'.repeat(Math.max(short, 0)))].join('\n'))
}

function iban(account: number): string {
  const bban = `12030000${String(account).padStart(10, '0')}`
  const check = 98n - (BigInt(`${bban}131400`) % 97n)
  return `DE${String(check).padStart(2, '0')}${bban}`
}
