/** Demo of accounting: connected at the stand-in of Xero, mapped, synced. */
import type { AccountingSync, AccountingSyncPage } from '../../clients/typescript/src/index.ts'
import { client, confirming, follow, organization_id, sayRun, say } from './caller.ts'

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

export async function books(): Promise<AccountingSync> {
  say('The books', 'are connected by a consent at Xero, which its stand-in gives at once')
  const connected = () => client.listIntegrations({ organization_id })
  if ((await connected()).data.length === 0) {
    const { authorize_url: address } = await confirming.connectAccounting({ organization_id, provider: 'xero' })
    await (await fetch(address)).text()
  }
  say('  connected with', `"${(await connected()).data[0]?.tenant_name}"`)
  const mappings = Object.entries(ACCOUNTS).map(([type, code]) => ({ mapping_type: type, account_code: code }))
  await client.replaceAccountingMappings({ organization_id, mappings })
  const runs = () => client.listAccountingSyncRuns({ organization_id })
  const isThrough = ({ data: [latest] }: AccountingSyncPage) => latest?.status !== 'running'
  await follow(runs, isThrough)
  const { id } = await client.syncAccounting({ organization_id })
  sayRun('  its sync runs here', `accounting-sync-${id}`)
  const { data } = await follow(runs, isThrough)
  const posted = data.reduce((sum, { pushed }) => sum + pushed, 0)
  const [synced] = data as [AccountingSync]
  say('  the sync', `is ${synced.status}; ${posted} are in the books, ${synced.skipped} cannot be there`)
  return synced
}
