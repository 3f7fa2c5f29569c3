/** Batches in words: totals, what the bank says of their payees, and the largest payments. */
import { html } from 'hono/html'
import type { PayeeCheckTotal } from '../../../domain/payee-checks/payee-check.ts'
import { isolate, isolateQuoted } from '../../frame/layout.ts'
import { table } from '../../frame/parts.ts'
import type { Row } from '../../frame/rows.ts'
import { describeChanges } from './changed-accounts.ts'
import { type Description, type Texts, type View, joinAmounts, onDay, markLabel } from './description.ts'

/** Describes a batch that waits to be paid. */
export function describeBatch(batch: View<'payment_batch'>, texts: Texts): Description {
  const { name, rows, totals, fees, largest, sha256, account_change: changed, ...rest } = batch
  const { formats } = texts
  const { request: words } = texts.words
  return {
    title: words.titles.batch,
    isOfThing: true,
    amounts: totals,
    name,
    rows: [
      ...onDay(rest, texts),
      [words.name, isolate(name)],
      [words.payments, String(rows)],
      [words.fees, fees.length > 0 ? joinAmounts(fees, formats) : null],
      [words.bills.label, rest.bills > 0 ? String(rest.bills) : null],
      [words.bills.credits, rest.credits.length > 0 ? joinAmounts(rest.credits, formats) : null],
      [words.withoutAddress, rest.without_address ? String(rest.without_address) : null],
      [markLabel(words.otherHolders), rest.holders_differ ? String(rest.holders_differ) : null],
      ...rest.payee_checks.map((total) => payeeTotal(total, texts)),
      [words.hash, html`<code>${sha256}</code>`],
    ],
    more: html`${changed ? describeChanges(changed, texts) : ''}
      <h2>${words.largest}</h2>
      ${table({
        caption: words.largest,
        columns: [{ name: words.row }, { name: words.payee }, { name: words.amount, figure: true }],
        rows: largest.map((row) => [String(row.row_number), isolateQuoted(row.payee), formats.money(row.amount)]),
      })}`,
  }
}

const payeeTotal = ({ result, rows, totals }: PayeeCheckTotal, { words, formats }: Texts): Row => {
  const label = words.request.checkedRows[result]
  const isDoubtful = result === 'close_match' || result === 'no_match'
  return [isDoubtful ? markLabel(label) : label, html`${rows} (${joinAmounts(totals, formats)})`]
}
