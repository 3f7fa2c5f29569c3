/** G14: works of an organization beside another whose PDFs take many seconds of processor time. */
import { setTimeout as delay } from 'node:timers/promises'
import { tilingPdf } from '../dev/sample-bills/hostile.ts'
import { against, line, median, timeOf } from './measure.ts'
import { type OwnerAccount, callerOf, insertOwned, owner, sendFile } from './owner.ts'

const BILLS = 12
const ROWS = 2000
const POLL_MS = 10
const TIMES_MAX = 3
const IBAN = 'DE89370400440532013000'

type Works = Readonly<Record<string, () => Promise<void>>>

/** Reports the flood; works of the other organization take at most three times as long. */
export async function benchFlood(apiUrl: string, rounds: number): Promise<void> {
  const works = await worksOf(apiUrl)
  const all = async () => {
    const times: Record<string, number> = {}
    for (const [name, work] of Object.entries(works)) times[name] = await timeOf(work)
    return times
  }
  await all() // warm-up
  const quiet: Record<string, number>[] = []
  for (let round = 0; round < rounds; round += 1) quiet.push(await all())
  const begun = performance.now()
  const flood = await handIn(apiUrl)
  const beside: Record<string, number>[] = []
  for (;;) {
    const times = await all()
    if ((await openBills(flood)) === 0) break
    beside.push(times)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  for (const name of Object.keys(works)) {
    const timesIn = (runs: typeof quiet) => runs.map((times) => times[name] ?? 0)
    const [still, during] = [median(timesIn(quiet)), median(timesIn(beside))]
    const most = Math.max(...timesIn(beside)).toFixed(0)
    const note = `${against(during, still, 'ms', 0)}, at most ${most}; ${BILLS} bills in ${seconds} s`
    line(`${name} beside a flood of bills ÷ quiet`, during / still, note, { atMost: TIMES_MAX })
  }
}

const openBills = async ({ organizationId }: OwnerAccount): Promise<number> => {
  const [row] = await owner<{ n: number }[]>`
    select count(*)::int as n from bills where organization_id = ${organizationId} and status = 'extracting'`
  return row?.n ?? 0
}

async function handIn(apiUrl: string): Promise<OwnerAccount> {
  const flood = await insertOwned('Flood')
  const call = callerOf(apiUrl, flood.token)
  const path = `/organizations/${flood.organizationId}/bills`
  for (let count = 0; count < BILLS; count += 1) {
    await call('POST', path, { file_id: await sendFile(call, `${path}/upload`, tilingPdf(), 'application/pdf') })
  }
  return flood
}

async function worksOf(apiUrl: string): Promise<Works> {
  const { organizationId, token } = await insertOwned('Quiet')
  const call = callerOf(apiUrl, token)
  const path = `/organizations/${organizationId}`
  const becomes = async (at: string, isDone: (found: any) => boolean) => {
    while (!isDone(await call('GET', at))) await delay(POLL_MS)
  }
  const customer = await call('POST', `${path}/billing-contacts`, { company_name: 'Customer', language: 'en' })
  const rows = Array.from({ length: ROWS }, (_, index) => `,,Payee ${index},${IBAN},1.00,EUR,services,Invoice ${index}`)
  const header =
    'payee_svc_id,payment_contact_id,account_holder_name,iban,amount,currency,payout_reason,statement_description'
  const csv = Buffer.from([header, ...rows].join('\n'))
  return {
    'an export': async () => {
      const order = { type: 'transactions', format: 'csv', from: '2026-01-01', to: '2035-12-31' }
      const { id } = await call('POST', `${path}/exports`, order)
      await becomes(`/exports/${id}`, ({ status }) => status === 'completed')
    },
    [`an import of ${ROWS} rows`]: async () => {
      const { id } = await call('POST', `${path}/payment-batches`, { name: 'June' })
      const fileId = await sendFile(call, `/payment-batches/${id}/upload`, csv, 'text/csv')
      await call('POST', `/payment-batches/${id}/import`, { file_id: fileId })
      await becomes(`/payment-batches/${id}`, ({ status }) => status !== 'importing')
    },
    'an invoice': async () => {
      const { id } = await call('POST', `${path}/invoices`, {
        billing_contact_id: customer.id,
        currency: 'EUR',
        due_date: '2099-12-31',
        line_items: [{ description: 'Work', quantity: '1', price: '10.00', tax_percentage: '0' }],
      })
      await call('POST', `/invoices/${id}/submit`, {})
      for (;;) {
        const [written] = await owner`select from invoices where id = ${id} and pdf_file_id is not null`
        if (written) return
        await delay(POLL_MS)
      }
    },
    'a bill': async () => {
      const bytes = Buffer.from('<order/>')
      const fileId = await sendFile(call, `${path}/bills/upload`, bytes, 'application/xml')
      const { id } = await call('POST', `${path}/bills`, { file_id: fileId })
      await becomes(`/bills/${id}`, ({ bill }) => bill.status !== 'extracting')
    },
  }
}
