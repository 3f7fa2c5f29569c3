/** Demo of accounting: connected at the stand-in of Xero, mapped, synced. */
import { call, callConfirmed, follow, organization, sayRun, say } from './caller.ts'

const ACCOUNTS = {
  bank_account_eur: '090',
  bank_account_usd: '091',
  bank_fees: '404',
  bill_payments: '620',
  billing_invoices: '200',
  bills: '453',
  currency_exchange: '429',
  payments_received: '835',
  payments_sent: '429',
  sales_tax: '850',
  subscriptions: '485',
}

export async function books(): Promise<{ status: string }> {
  const path = `${organization}/integrations/accounting`
  say('The books', 'are connected by a consent at Xero, which its stand-in gives at once')
  const { data } = await call('GET', `${organization}/integrations`)
  if (data.length === 0) {
    const { authorize_url: address } = await callConfirmed('POST', `${path}/connect`, { provider: 'xero' })
    await (await fetch(address)).text()
  }
  const [{ tenant_name: name }] = (await call('GET', `${organization}/integrations`)).data
  say('  connected with', `"${name}"`)
  const mappings = Object.entries(ACCOUNTS).map(([type, code]) => ({ mapping_type: type, account_code: code }))
  await call('PUT', `${path}/mappings`, { mappings })
  const isThrough = ({ data: [latest] }: any) => latest.status !== 'running'
  await follow(`${path}/sync-runs`, isThrough)
  const { id } = await call('POST', `${path}/sync`, {})
  sayRun('  its sync runs here', `accounting-sync-${id}`)
  const { data: runs } = await follow(`${path}/sync-runs`, isThrough)
  const posted = runs.reduce((sum: number, { pushed }: any) => sum + pushed, 0)
  const [synced] = runs
  say('  the sync', `is ${synced.status}; ${posted} are in the books, ${synced.skipped} cannot be there`)
  return synced
}
