/** Changed accounts of payees: the old one and the new one side by side. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { AccountChange, ChangedAccount } from '../../../domain/account-changes/change.ts'
import type { BatchAccountChange } from '../../../domain/batches/account-change.ts'
import { isolate } from '../../frame/layout.ts'
import { notice, table } from '../../frame/parts.ts'
import { rowsOf } from '../../frame/rows.ts'
import { type Texts, joinAmounts } from './description.ts'

/** Shows a changed account beside the one that was paid before. */
export function compareAccounts(change: AccountChange, { words: all, formats }: Texts): Markup {
  const { request: words } = all
  const { change: of } = words
  const { old, new: now, changed_by: people, changed_at: at, paid_to_old: before, call_back: call } = change
  const rows: readonly (readonly [string, (one: ChangedAccount) => Markup | string])[] = [
    [of.way, (one) => of.ways[one.type]],
    [words.holder, (one) => isolate(one.account_holder_name)],
    [words.account, (one) => isolate(one.account ?? '')],
    [words.country, (one) => (one.type === 'bank' ? one.country_code : '')],
    [words.currency, (one) => one.currency],
  ]
  return html`${table({
    caption: of.caption,
    columns: [{ name: of.what }, { name: of.old }, { name: of.now }],
    rows: rows.map(([label, show]) => [html`<strong>${label}</strong>`, show(old), show(now)]),
  })}
  ${rowsOf([
    [of.by, people.map(({ id, name }) => isolate(name ?? id)).reduce((all, one) => html`${all}, ${one}`)],
    [of.at, formats.instant(at)],
    [
      of.before,
      html`${of.payments(before.count)}: ${joinAmounts(before.totals, formats)}, ${of.last}
      ${formats.instant(before.last_at)}`,
    ],
    [
      of.call,
      call
        ? html`${isolate(call.confirmed_by.name ?? call.confirmed_by.id)} ${of.spokeTo} ${isolate(call.spoken_to)},
          ${formats.instant(call.confirmed_at)}${call.note ? html`: ${isolate(call.note)}` : ''}`
        : of.noCall,
    ],
  ])}`
}

/** Shows the payees of a batch that were last paid at another account. */
export function describeChanges({ payees, rows, changes }: BatchAccountChange, texts: Texts): Markup {
  const { request: words } = texts.words
  return html`${notice('warn', words.change.many(payees, rows, changes.length))}
  ${changes.map(
    (one) =>
      html`<h2>${words.row} ${one.row_number}: ${texts.formats.money(one.amount)}</h2>
        ${compareAccounts(one, texts)}`,
  )}`
}
