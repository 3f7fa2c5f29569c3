/** Changed accounts of payees: the old one and the new one side by side. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { AccountChange, ChangedAccount } from '../../domain/account-changes/change.ts'
import type { BatchAccountChange } from '../../domain/batches/account-change.ts'
import { instant, isolate } from '../frame/layout.ts'
import { table } from '../frame/parts.ts'
import { money, rowsOf } from '../frame/rows.ts'

const WAYS = { bank: 'Bank', crypto: 'Blockchain', svc_id: 'Service ID' } as const

/** Shows a changed account beside the one that was paid before. */
export function compareAccounts(change: AccountChange): Markup {
  const { old, new: now, changed_by: people, changed_at: at, paid_to_old: before, call_back: call } = change
  const rows: readonly (readonly [string, (one: ChangedAccount) => Markup | string])[] = [
    ['Paid by', (one) => WAYS[one.type]],
    ['Account holder', (one) => isolate(one.account_holder_name)],
    ['Account', (one) => isolate(one.account ?? '')],
    ['Country', (one) => (one.type === 'bank' ? one.country_code : '')],
    ['Currency', (one) => one.currency],
  ]
  return html`${table({
    caption: 'The account until now, and the one of this payment',
    columns: [{ name: 'What' }, { name: 'Until now' }, { name: 'This payment' }],
    rows: rows.map(([label, show]) => [html`<strong>${label}</strong>`, show(old), show(now)]),
  })}
  ${rowsOf([
    ['Changed by', people.map(({ id, name }) => isolate(name ?? id)).reduce((all, one) => html`${all}, ${one}`)],
    ['Changed', instant(at)],
    [
      'Paid to the old account',
      html`${before.count} ${before.count === 1 ? 'payment' : 'payments'}: ${before.totals.map(money).join(' + ')}, last
      ${instant(before.last_at)}`,
    ],
    [
      'Call-back',
      call
        ? html`${isolate(call.confirmed_by.name ?? call.confirmed_by.id)} spoke to ${isolate(call.spoken_to)},
          ${instant(call.confirmed_at)}${call.note ? html`: ${isolate(call.note)}` : ''}`
        : 'None was recorded.',
    ],
  ])}`
}

/** Shows the payees of a batch that were last paid at another account. */
export const describeChanges = ({ payees, rows, changes }: BatchAccountChange): Markup =>
  html`<p class="warnings" role="note">
      ⚠ ${payees} of the payees, in ${rows} of the rows, were last paid at another
      account${changes.length < payees ? `; these are the ${changes.length} of the largest amounts` : ''}.
    </p>
    ${changes.map(
      (one) =>
        html`<h2>Row ${one.row_number}: ${money(one.amount)}</h2>
          ${compareAccounts(one)}`,
    )}`
