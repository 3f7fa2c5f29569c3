/** Findings above the fields of a bill: reasons not to pay it, doubts, copies, accounts, missing fields. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill, BillDetail } from '../../domain/bills/bill.ts'
import { BANK_DETAILS, TYPED_FIELDS } from '../../domain/bills/fields.ts'
import type { CompanyShell } from '../frame/company.ts'
import { isolate } from '../frame/layout.ts'
import { notice, table } from '../frame/parts.ts'
import { type Row, rowsOf } from '../frame/rows.ts'
import type { Words } from '../words/en.ts'
import { labelOf } from './fields.ts'
import { amountOf } from './find.ts'

/** Shows what a person has to know before anything else, the gravest first. */
export function alertsOf(found: BillDetail, { company }: CompanyShell, words: Words): Markup {
  const { bill, duplicates, known_holder: holder } = found
  const { one, why, wrongly } = words.bills
  if (bill.status === 'cancelled') return notice('info', one.cancelled)
  if (bill.status === 'extracting') return notice('info', one.reading)
  const isOpen = bill.status === 'extracted'
  const missing = isOpen && !bill.not_payable ? missingOf(bill, words) : []
  return html`
    ${
      bill.not_payable
        ? notice(
            'warn',
            html`<p><strong>${why[bill.not_payable]}</strong></p>
              ${isOpen ? html`<p>${wrongly}</p>` : ''}`,
          )
        : ''
    }
    ${isOpen && bill.bank_details_differ && !bill.account_is_partial ? notice('fault', one.differs) : ''}
    ${isOpen && bill.account_is_partial ? notice('fault', one.partial) : ''}
    ${isOpen && holder ? notice('warn', html`${one.otherName} ${isolate(holder)}`) : ''}
    ${
      duplicates.length > 0
        ? notice(
            'warn',
            html`<p><strong>${one.duplicates}</strong></p>
              <ul>
                ${duplicates.map(
                  ({ bill_id: id, reason }) =>
                    html`<li>
                      ${one.duplicateReasons[reason]}: <a href="/o/${company.id}/bills/${id}">${one.otherBill}</a>
                    </li>`,
                )}
              </ul>`,
          )
        : ''
    }
    ${bill.extraction_error ? notice('fault', html`${one.unread} ${isolate(bill.extraction_error)}`) : ''}
    ${
      bill.waits_for
        ? notice(
            'info',
            html`${one.waits} <a href="/approve/${bill.waits_for.approval_request_id}">${one.waitsLink}</a>`,
          )
        : ''
    }
    ${missing.length > 0 ? notice('warn', `${one.missing} ${missing.join(', ')}.`) : ''}
  `
}

/** Names the fields that no payment goes without, as far as the bill shows; the check of the payment knows all. */
const missingOf = (bill: Bill, words: Words): string[] => [
  ...(['amount', 'currency', 'supplier_name'] as const)
    .filter((name) => bill[name] === null)
    .map((name) => labelOf(name, words)),
  ...(bill.payment_contact_id === null && BANK_DETAILS.every((name) => bill[name] === null)
    ? [words.bills.one.noAccount]
    : []),
]

/** Shows each doubt with its reason; its viewer corrects the field, or confirms it as it is. */
export function doubtsOf(bill: Bill, words: Words): Markup | '' {
  const { one, doubts: reasons } = words.bills
  if (bill.doubts.length === 0) return ''
  return html`<h2>${one.doubts}</h2>
    <p class="small">${one.doubtsWhy}</p>
    ${bill.doubts.map(({ code, fields }) => {
      const typed = TYPED_FIELDS.filter((name) => fields.includes(name))
      const isEmpty = typed.every((name) => bill[name] === null)
      const names = fields.map((name) => labelOf(name, words)).join(', ')
      return html`<div class="notice warn">
        <div>
          <p><strong>${names}</strong>${names ? ': ' : ''}${reasons[code]}</p>
          ${
            typed.length > 0
              ? html`<label class="choice"
                  ><input type="checkbox" name="confirm" value="${typed.join(' ')}" />
                  ${isEmpty ? one.confirmEmpty(names) : one.confirm(names)}</label
                >`
              : ''
          }
        </div>
      </div>`
    })}`
}

/** Shows the fields of a bill that changes no more. */
export function readRows(bill: Bill, shell: CompanyShell, words: Words): Markup {
  const { formats } = shell
  const rows = TYPED_FIELDS.flatMap((name): Row[] => {
    const value = bill[name]
    if (value === null || name === 'currency' || name === 'amount') return []
    const isDay = name === 'issue_date' || name === 'due_date'
    return [[labelOf(name, words), isDay ? formats.day(value) : isolate(value)]]
  })
  return html`<div class="card">
    <h2>${words.bills.one.fields}</h2>
    ${rowsOf([[labelOf('amount', words), amountOf(bill, shell)], ...rows])}
  </div>`
}

/** Shows the lines of a bill, as its XML has them. */
export function linesOf({ line_items: lines, bill }: BillDetail, shell: CompanyShell, words: Words): Markup | '' {
  const { one, fields } = words.bills
  if (lines.length === 0) return ''
  const [shown, more] = [lines.slice(0, LINES_MAX), lines.length - LINES_MAX]
  return html`<div class="card">
    <h2>${one.lines}</h2>
    ${table({
      caption: one.lines,
      columns: [{ name: one.lines }, { name: fields.amount, figure: true }],
      rows: shown.map(({ description, quantity, unit_price: price, amount }) => [
        html`${description ? isolate(description) : ''}
        ${quantity && price ? html`<span class="small">${shell.formats.figure(quantity)} × ${shell.formats.figure(price)}</span>` : ''}`,
        amount === null ? '' : shell.formats.figure(amount),
      ]),
    })}
    ${more > 0 ? html`<p class="small">+ ${more}</p>` : ''}
    ${bill.tax_total ? rowsOf([[one.tax, shell.formats.figure(bill.tax_total)]]) : ''}
  </div>`
}
/** Lines on the page: the file has the others. */
const LINES_MAX = 30
