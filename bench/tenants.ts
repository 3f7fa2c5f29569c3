/** Answers and payments of an organization beside the flood of others: 50,000 payments, 40 imports. */
import { setTimeout as delay } from 'node:timers/promises'
import { announceCommits } from '../temporal/announce.ts'
import { payBatch } from './batch-payments.ts'
import { fundOrganizations } from './ledger.ts'
import { against, itemAt, line, median, quantile, runPaced, timeOf } from './measure.ts'
import { type Call, callerOf, insertOwned, owner, sendFile } from './owner.ts'
import { makePayers, onePayment } from './payments.ts'

const BATCHES = 5
const IMPORTS = 40
const ROWS = 2000
const READS_PER_SECOND = 20
const READ_SECONDS = 10
const PAYMENTS = 20
const HEADER = 'payee_svc_id,account_holder_name,iban,amount,currency,payout_reason,statement_description'

/** Reports the flood: the p99 of reads at most 1.5 times the quiet one, payments ended in at most twice the time. */
export async function benchTenants(apiUrl: string): Promise<void> {
  announceCommits()
  const [quiet] = await makePayers(apiUrl, 1)
  if (!quiet) throw new Error('the bench has no payer')
  const ids = await fundOrganizations(1001)
  const importer = await insertOwned('Importer')
  const path = `/organizations/${quiet.organizationId}/payments?limit=50`
  const reads = async () =>
    quantile(await runPaced(READS_PER_SECOND, READ_SECONDS, () => quiet.call('GET', path)), 0.99)
  const ended = async () => {
    const times: number[] = []
    for (let count = 0; count < PAYMENTS; count += 1) times.push(await timeOf(() => endedPayment(quiet)))
    return median(times)
  }
  const endedPayment = async (payer: typeof quiet) => {
    await onePayment(payer)
    while ((await owner`select from processes where organization_id = ${payer.organizationId}`).length > 0)
      await delay(2)
  }
  await reads()
  await ended()
  const before = { reads: await reads(), ended: await ended() }
  let over = false
  const flood = Promise.all([
    ...Array.from({ length: BATCHES }, () => payBatch(itemAt(ids, 0), ids.slice(1))),
    importFiles(callerOf(apiUrl, importer.token), importer.organizationId),
  ]).then(() => (over = true))
  const begun = performance.now()
  const during = { reads: [] as number[], ended: [] as number[] }
  while (!over || during.ended.length === 0) {
    during.reads.push(await reads())
    during.ended.push(await ended())
  }
  await flood
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const [p99, end] = [median(during.reads), median(during.ended)]
  const note = `${BATCHES * 10_000} payments and ${IMPORTS} imports in ${seconds} s`
  line('answers beside a flood ÷ quiet, p99', p99 / before.reads, `${against(p99, before.reads, 'ms')}; ${note}`)
  line('payments ended beside it ÷ quiet', end / before.ended, against(end, before.ended, 'ms'), { atMost: 2 })
}

/** Has files imported, all at once: an organization has them taken one by one. */
async function importFiles(call: Call, organizationId: string): Promise<void> {
  const rows = Array.from(
    { length: ROWS },
    (_, index) => `,Payee ${index},DE89370400440532013000,1.00,EUR,services,A ${index}`,
  )
  const csv = Buffer.from([HEADER, ...rows].join('\n'))
  const ids: string[] = []
  for (let count = 0; count < IMPORTS; count += 1) {
    const { id } = await call('POST', `/organizations/${organizationId}/payment-batches`, { name: `Batch ${count}` })
    const fileId = await sendFile(call, `/payment-batches/${id}/upload`, csv, 'text/csv')
    await call('POST', `/payment-batches/${id}/import`, { file_id: fileId })
    ids.push(id)
  }
  for (const id of ids) while ((await call('GET', `/payment-batches/${id}`)).status === 'importing') await delay(100)
}
