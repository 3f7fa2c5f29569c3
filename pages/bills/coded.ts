/** Coding of a bill as it is read: each part with account, tax and labels. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { AccountsChart } from '../../domain/coding/chart.ts'
import type { BillCoding } from '../../domain/coding/coding.ts'
import type { Formats } from '../frame/formats.ts'
import { isolate } from '../frame/layout.ts'
import { badge, table } from '../frame/parts.ts'
import type { Viewer } from '../frame/viewer.ts'

type CodedBill = { readonly companyId: string; readonly billId: string; readonly formats: Formats }

/** Shows how a bill is coded, or proposed to be; nothing without a coding. */
export async function showCoded(viewer: Viewer, { companyId, billId, formats }: CodedBill): Promise<Markup | ''> {
  const answer = await viewer.call<BillCoding>('GET', `/bills/${billId}/coding`)
  const lines = answer.ok ? answer.body.lines.filter(({ parts }) => parts.length > 0) : []
  if (!answer.ok || lines.length === 0) return ''
  const names = await namesIn(viewer, companyId)
  const { coding: words } = viewer.words.desk
  const { currency } = answer.body
  const rows = lines
    .slice(0, SHOWN)
    .flatMap(({ description, coded_by: by, parts }) =>
      parts.map(({ amount, account_code: account, tax_code: tax, labels }) => [
        html`${description ? isolate(description) : words.whole} ${by === 'person' ? '' : badge(words.proposed, 'warn')}`,
        account ? html`${account} ${isolate(names.get(account) ?? '')}` : '',
        tax ?? '',
        isolate(labels.map(({ dimension, value }) => `${dimension}: ${value}`).join(', ')),
        currency ? formats.money({ amount, currency }) : formats.figure(amount),
      ]),
    )
  return html`<h3>${words.shown}</h3>
    ${table({
      caption: words.shown,
      columns: [
        { name: words.line },
        { name: words.account },
        { name: words.tax },
        { name: words.labels },
        { name: words.sum, figure: true },
      ],
      rows,
    })}`
}

/** Most lines that are shown. */
const SHOWN = 50

async function namesIn(viewer: Viewer, companyId: string): Promise<ReadonlyMap<string, string>> {
  const chart = await viewer.call<AccountsChart>('GET', `/organizations/${companyId}/accounts-chart`)
  return new Map(chart.ok ? chart.body.accounts.map(({ code, name }) => [code, name] as const) : [])
}
