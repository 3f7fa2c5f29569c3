/** The bill behind a payment: its page as it was handed in, beside what was read of it. */
import { html } from 'hono/html'
import type { Subject } from '../../domain/approvals/approval.ts'
import type { Bill, BillFile } from '../../domain/bills/bill.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { findApproval, findBill, notHere } from './approval.ts'
import { type Page, instant, isolate, writePage } from '../frame/layout.ts'
import { toSignIn } from '../frame/return.ts'
import { type Row, rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'

export async function showBill(viewer: Viewer): Promise<Page | Response> {
  const found = await findApproval(viewer, viewer.http.req.param('id') ?? '')
  if (found === 'signed out') return toSignIn(viewer)
  const bill = found && (await findBill(viewer, found))
  if (!bill) return notHere()
  const { approval_id: id } = found.approval
  const picture = html`<img src="/approve/${id}/bill/1.png" alt="First page of the bill, its fields marked" />`
  return writePage({
    title: 'Bill',
    place: null,
    body: html`<p><a href="/approve/${id}">Back to the approval</a></p>
      <h1>Bill of ${isolate(bill.supplier_name ?? 'a supplier')}</h1>
      ${
        bill.bank_details_differ
          ? html`<ul class="warnings">
              <li>
                ⚠
                ${
                  bill.account_is_partial
                    ? 'The bill names an account in part: nothing compares it with the one that is paid'
                    : 'The bank details are not those of before'
                }
              </li>
            </ul>`
          : ''
      }
      ${rowsOf([
        ['Number', bill.bill_number && isolate(bill.bill_number)],
        ['Amount', `${bill.amount ?? ''} ${bill.currency ?? ''}`],
        ['The payment', compare(bill, found.approval.subject)],
        ['Issued', bill.issue_date],
        ['Due', bill.due_date],
        ['Account holder', bill.account_holder_name && isolate(bill.account_holder_name)],
        ['⚠ The account is known as', showKnownHolder(found.approval.subject)],
        ['IBAN', bill.iban && isolate(bill.iban)],
        ...accountRows(bill),
        ['Address', addressOf(bill)],
        ['Reference', bill.payment_reference && isolate(bill.payment_reference)],
        ['Handed in', instant(bill.inserted_at)],
      ])}
      ${
        bill.file_id
          ? html`<figure class="sheet">${picture}</figure>
              <p><a href="/approve/${id}/bill/file">The whole file</a></p>`
          : html`<p>It was typed, without a file.</p>`
      }`,
  })
}

/** Writes the address of the supplier, as far as the bill names it. */
function addressOf(bill: Bill): ReturnType<typeof isolate> | null {
  const street = [bill.address_street, bill.address_building_number].filter(Boolean).join(' ')
  const town = [bill.address_postal_code, bill.address_town].filter(Boolean).join(' ')
  const parts = [street, town, bill.address_country].filter(Boolean)
  return parts.length > 0 ? isolate(parts.join(', ')) : null
}

/** Names the holder under which a contact has the account, if the bill gives another. */
function showKnownHolder(subject: Subject): ReturnType<typeof isolate> | null {
  const known = subject.type === 'fiat_outgoing' ? subject.fiat_outgoing.destination.known_holder : null
  return known === null ? null : isolate(known)
}

/** Says if the payment is what the bill asks for. */
function compare(bill: Bill, subject: Subject): string {
  if (subject.type !== 'fiat_outgoing') return 'is not to a bank account'
  const { amount, currency } = bill
  const { landing } = subject.fiat_outgoing
  const isSame = landing.currency === currency && amount !== null && compareDecimals(landing.amount, amount) === 0
  const amounts = isSame ? 'the same amount' : `⚠ another amount: ${landing.amount} ${landing.currency}`
  return `${amounts}, ${compareAccount(bill)}`
}

/** Says if the payment goes to the account of the bill: whole accounts are compared, never their last characters. */
function compareAccount({ account_is_paid: isPaid, account_is_partial: isPartial }: Bill): string {
  if (isPartial) return '⚠ the account was not compared'
  if (isPaid === null) return 'the bill names no account'
  return isPaid ? 'the same account' : '⚠ another account'
}

/** Writes the other numbers that name an account. */
const accountRows = (bill: Bill): Row[] =>
  (
    [
      ['Account number', bill.account_number],
      ['Sort code', bill.sort_code],
      ['Routing number', bill.aba_code],
      ['SWIFT code', bill.swift_code],
    ] as const
  ).map(([label, value]): Row => [label, value && isolate(value)])

/** Leads to the file of the bill as it was handed in. */
export async function showBillFile(viewer: Viewer): Promise<Page | Response> {
  const found = await findApproval(viewer, viewer.http.req.param('id') ?? '')
  if (found === 'signed out') return toSignIn(viewer)
  const bill = found && (await findBill(viewer, found))
  const answer = bill && (await viewer.call<BillFile>('GET', `/bills/${bill.id}/file`))
  return answer?.ok ? viewer.http.redirect(answer.body.download_url, 302) : notHere()
}

/** Answers a page of the bill as a picture, with the fields marked that were read. */
export async function showBillPicture(viewer: Viewer): Promise<Page | Response> {
  const found = await findApproval(viewer, viewer.http.req.param('id') ?? '')
  if (found === 'signed out') return toSignIn(viewer)
  const bill = found && (await findBill(viewer, found))
  const picture = bill && (await viewer.fetch('GET', `/bills/${bill.id}/pages/1.png?mark=true`))
  if (!picture?.ok) return notHere()
  return viewer.http.body(await picture.arrayBuffer(), 200, { 'content-type': 'image/png' })
}
