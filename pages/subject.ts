/** What an approval is about, as its subject says: what the step-up and the evidence are bound to. */
import { html } from 'hono/html'
import type { Markup } from '../api/http/http.ts'
import type { Subject } from '../domain/approvals/approval.ts'
import type { Money } from '../domain/money/money.ts'
import { instant, quoted } from './layout.ts'

type Row = readonly [label: string, value: Markup | string | null | undefined]

export type Described = {
  readonly title: string
  /** What leaves, or the thing that is decided: in large type. */
  readonly amount?: string
  readonly rows: readonly Row[]
  readonly more?: Markup
}

const money = ({ amount, currency }: Money): string => `${amount} ${currency}`
const same = (one: Money, other: Money): boolean => one.amount === other.amount && one.currency === other.currency

/** Describes the subject of an approval of any type. */
export function describe(subject: Subject): Described {
  switch (subject.type) {
    case 'internal_transfer': {
      const { amount, currency, destination, ...rest } = subject.internal_transfer
      return {
        title: 'Payment to a service ID',
        amount: money({ amount, currency }),
        rows: [...payee(rest), ['Service ID', destination.svc_id], ...purpose(rest)],
      }
    }
    case 'fiat_outgoing': {
      const { deducting, landing, fee, rate, destination, ...rest } = subject.fiat_outgoing
      return {
        title: 'Payment to a bank account',
        amount: money(landing),
        rows: [
          ...payee(rest),
          ['Account holder', quoted(destination.account_holder_name)],
          ['Account', `${destination.account ?? ''} (${destination.country_code})`],
          ['Leaves the balance', same(deducting, landing) ? null : money(deducting)],
          ['Fee', money(fee)],
          ['Rate', rate],
          ...purpose(rest),
        ],
      }
    }
    case 'crypto_outgoing': {
      const { amount, amount_with_fees: whole, coin, destination, txid, ...rest } = subject.crypto_outgoing
      return {
        title: 'Payment on a blockchain',
        amount: `${amount} ${coin.symbol}`,
        rows: [
          ...payee(rest),
          ['Network', coin.network_name],
          ['Address', destination.address],
          ['Memo', destination.memo],
          ['Leaves the balance', whole && whole !== amount ? `${whole} ${coin.symbol}` : null],
          ['Notes', rest.internal_notes && quoted(rest.internal_notes)],
          ['Transaction', txid],
        ],
      }
    }
    case 'payment_batch': {
      const { name, rows, totals, fees, largest, sha256 } = subject.payment_batch
      return {
        title: 'Payment batch',
        amount: totals.map(money).join(' + '),
        rows: [
          ['Name', quoted(name)],
          ['Payments', String(rows)],
          ['Fees', fees.map(money).join(' + ')],
          ['Hash of all rows', html`<code>${sha256}</code>`],
        ],
        more: html`<h2>Largest payments</h2>
          <table>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Payee</th>
                <th scope="col" class="figure">Amount</th>
              </tr>
            </thead>
            <tbody>
              ${largest.map(
                (row) =>
                  html`<tr>
                    <td>${row.row_number}</td>
                    <td>${quoted(row.payee)}</td>
                    <td class="figure">${money(row.amount)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
      }
    }
    case 'payment_contact': {
      const { name, becomes_name: newName, email, destinations } = subject.payment_contact
      return {
        title: newName || destinations.some((one) => one.new || one.becomes_default) ? 'Change of a payee' : 'Payee',
        amount: newName ?? name,
        rows: [
          ['Was called', newName ? quoted(name) : null],
          ['E-mail', email],
          ...destinations.map((one): Row => [account(one), one.account ?? one.svc_id ?? '']),
        ],
      }
    }
    case 'organization_invitation': {
      const { email, role, expires_at: until } = subject.organization_invitation
      return {
        title: 'Invitation',
        amount: email,
        rows: [
          ['Role', role],
          ['Can be accepted until', instant(until)],
        ],
      }
    }
    case 'billing_invoice': {
      const { contact, total, currency, due_date: due, line_items: lines } = subject.billing_invoice
      return {
        title: 'Invoice',
        amount: money({ amount: total, currency }),
        rows: [
          ['Customer', quoted(contact.company_name)],
          ['Sent to', (contact.emails ?? []).join(', ')],
          ['Due', due],
          ['Lines', String(lines.length)],
        ],
      }
    }
  }
}

const account = (one: {
  readonly default: boolean
  readonly new: boolean
  readonly becomes_default: boolean
}): string => {
  const marks = [one.new && 'new', one.becomes_default && 'becomes the default', one.default && 'default until now']
  const said = marks.filter(Boolean).join(', ')
  return said ? `Account (${said})` : 'Account'
}

type ToPayee = { readonly payment_contact: { readonly name: string; readonly deleted_at: string | null } }

const payee = ({ payment_contact: { name, deleted_at: deleted } }: ToPayee): Row[] => [
  ['Payee', html`${quoted(name)}${deleted ? ' (deleted)' : ''}`],
]

type Purpose = {
  readonly payout_reason: string
  readonly statement_description: string
  readonly internal_notes: string | null
}

const purpose = (given: Purpose): Row[] => [
  ['Reason', given.payout_reason.replaceAll('_', ' ')],
  ['On the statement', quoted(given.statement_description)],
  ['Notes', given.internal_notes && quoted(given.internal_notes)],
]

/** Shows a list of labelled values without those that are empty. */
export const rowsOf = (rows: readonly Row[]): Markup =>
  html`<dl>
    ${rows.flatMap(([label, value]) =>
      value
        ? [
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
          ]
        : [],
    )}
  </dl>`
