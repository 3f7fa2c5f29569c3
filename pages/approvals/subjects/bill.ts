/** The bill behind a payment: its pages as they were handed in, beside what was read of them. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Subject } from '../../../domain/approvals/approval.ts'
import type { Bill, BillFile, Provenance } from '../../../domain/bills/bill.ts'
import { compareDecimals } from '../../../domain/money/decimal.ts'
import { head, notice } from '../../frame/parts.ts'
import { isolate } from '../../frame/layout.ts'
import { type Row, rowsOf } from '../../frame/rows.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { showCoded } from '../../bills/coded.ts'
import { type RequestShell, about, findBill, pageOf } from '../find.ts'
import { type Texts, markLabel } from './description.ts'

/** Shows the first page of a bill beside its fields, on the page of the request that pays it. */
export async function showBillBeside(viewer: Viewer, request: RequestShell, bill: Bill | null): Promise<Markup | ''> {
  if (!bill) return ''
  const { request: words } = request.texts.words
  const { approval_id: id } = request.approval
  return html`<section class="card">
    <h2><a href="/approve/${id}/bill">${words.bill.behind}</a></h2>
    ${await besideOf(viewer, request, bill, 1)}
    ${await showCoded(viewer, { companyId: request.organization.id, billId: bill.id, formats: request.texts.formats })}
  </section>`
}

/** Shows one page of a bill beside its fields, and leads to its other pages. */
export const showBill = about(async (viewer, found) => {
  const bill = await findBill(viewer, found)
  if (!bill) return null
  return pageOf(viewer, found, async (request) => {
    const { bill: words } = request.texts.words.request
    const number = numberIn(viewer.http.req.query('page'))
    // the first page of a file is always there
    const isThere = number === 1 || (await viewer.fetch('GET', pictureOf(bill, number))).ok
    return {
      title: words.heading,
      body: html`<p><a href="/approve/${request.approval.approval_id}">${words.back}</a></p>
        ${head(html`${words.billOf} ${isolate(bill.supplier_name ?? words.aSupplier)}`)}
        <section class="card">
          ${isThere ? await besideOf(viewer, request, bill, number) : notice('info', words.lastPage(number - 1))}
        </section>
        ${bill.file_id ? linksOf(viewer, request, number, isThere) : ''}`,
    }
  })
})

const numberIn = (text = '1'): number => (/^[1-9]\d{0,3}$/.test(text) ? Number(text) : 1)

const pictureOf = ({ id }: Bill, number: number): string => `/bills/${id}/pages/${number}.png?mark=true`

/** Leads to the pages before and behind, and to the file. */
function linksOf(viewer: Viewer, { approval, texts }: RequestShell, number: number, isThere: boolean): Markup {
  const { bill: words } = texts.words.request
  const of = `/approve/${approval.approval_id}/bill`
  const at = (page: number) => `${of}?${pageOfBill(viewer, page)}`
  return html`<p class="actions">
    ${number > 1 ? html`<a class="button second" href="${at(number - 1)}">${words.before}</a>` : ''}
    ${isThere ? html`<a class="button second" href="${at(number + 1)}">${words.next}</a>` : ''}
    <a href="${of}/file?${pageOfBill(viewer, number)}">${words.file}</a>
  </p>`
}

/** Writes the query of a page of the bill that the address names. */
function pageOfBill({ http }: Viewer, page: number): string {
  const bill = http.req.query('bill')
  return new URLSearchParams({ page: String(page), ...(bill && { bill }) }).toString()
}

async function besideOf(viewer: Viewer, request: RequestShell, bill: Bill, number: number): Promise<Markup> {
  const { approval, texts } = request
  const { bill: words } = texts.words.request
  const doubt = bill.bank_details_differ ? (bill.account_is_partial ? words.partial : words.differs) : null
  return html`${doubt ? notice('fault', doubt) : ''}
    <div class="columns">
      <div>${rowsOf(fieldsOf(bill, approval.subject, texts))}</div>
      ${
        bill.file_id
          ? html`<figure class="sheet">
              <img
                src="/approve/${approval.approval_id}/bill/page.png?${pageOfBill(viewer, number)}"
                alt="${words.picture(number)}"
              />
              ${await marksOn(viewer, bill, number, texts)}
            </figure>`
          : html`<p>${words.typed}</p>`
      }
    </div>`
}

/** Names the fields that are marked on a page of a bill. */
async function marksOn(viewer: Viewer, bill: Bill, number: number, { words }: Texts): Promise<Markup | ''> {
  const answer = await viewer.call<Provenance>('GET', `/bills/${bill.id}/provenance`)
  const read = answer.ok ? answer.body.data.filter(({ page, box }) => page === number && box) : []
  if (read.length === 0) return ''
  const { bill: of } = words.request
  const nameOf = (field: string): string =>
    (of.fields as Readonly<Record<string, string>>)[field] ?? field.replaceAll('_', ' ')
  return html`<figcaption class="small">${of.marked}: ${read.map(({ field }) => nameOf(field)).join(', ')}</figcaption>`
}

/** Lists what the bill says, and how the payment differs. */
function fieldsOf(bill: Bill, subject: Subject, texts: Texts): Row[] {
  const { formats } = texts
  const { request: words } = texts.words
  const { bill: of } = words
  const { fields } = of
  const { amount, currency } = bill
  return [
    [fields.bill_number, bill.bill_number && isolate(bill.bill_number)],
    [words.amount, amount && currency ? formats.money({ amount, currency }) : amount && formats.figure(amount)],
    [of.thePayment, compare(bill, subject, texts)],
    [fields.issue_date, bill.issue_date && formats.day(bill.issue_date)],
    [fields.due_date, bill.due_date && formats.day(bill.due_date)],
    [words.holder, bill.account_holder_name && isolate(bill.account_holder_name)],
    [markLabel(words.knownAs), holderInContact(subject)],
    ['IBAN', bill.iban && isolate(bill.iban)],
    ...ACCOUNT_FIELDS.map((name): Row => [fields[name], bill[name] && isolate(bill[name])]),
    [words.address, addressOf(bill)],
    [fields.payment_reference, bill.payment_reference && isolate(bill.payment_reference)],
    [of.handedIn, formats.instant(bill.inserted_at)],
  ]
}

/** Numbers that name an account beside the IBAN. */
const ACCOUNT_FIELDS = ['account_number', 'sort_code', 'aba_code', 'swift_code'] as const

/** Writes the address of the supplier, as far as the bill names it. */
function addressOf(bill: Bill): Markup | null {
  const street = [bill.address_street, bill.address_building_number].filter(Boolean).join(' ')
  const town = [bill.address_postal_code, bill.address_town].filter(Boolean).join(' ')
  const parts = [street, town, bill.address_country].filter(Boolean)
  return parts.length > 0 ? isolate(parts.join(', ')) : null
}

/** Names the holder under which a contact has the account, if the bill gives another. */
function holderInContact(subject: Subject): Markup | null {
  const known = subject.type === 'fiat_outgoing' ? subject.fiat_outgoing.destination.known_holder : null
  return known === null ? null : isolate(known)
}

/** Says if the payment is what the bill asks for. */
function compare(bill: Bill, subject: Subject, { words, formats }: Texts): Markup | string | null {
  const { bill: of } = words.request
  if (subject.type === 'payment_batch') return null // its rows say what is paid
  if (subject.type !== 'fiat_outgoing') return of.notByBank
  const { amount, currency } = bill
  const { landing } = subject.fiat_outgoing
  const isSame = landing.currency === currency && amount !== null && compareDecimals(landing.amount, amount) === 0
  const amounts = isSame ? of.sameAmount : html`${markLabel(of.otherAmount)}: ${formats.money(landing)}`
  return html`${amounts}, ${compareAccount(bill, of)}`
}

/** Says if the payment goes to the account of the bill: whole accounts are compared, never their last characters. */
function compareAccount(
  { account_is_paid: isPaid, account_is_partial: isPartial }: Bill,
  of: Texts['words']['request']['bill'],
): string {
  if (isPartial) return markLabel(of.notCompared)
  if (isPaid === null) return of.namesNone
  return isPaid ? of.sameAccount : markLabel(of.otherAccount)
}

/** Leads to the file of the bill as it was handed in. */
export const showBillFile = about(async (viewer, found) => {
  const bill = await findBill(viewer, found)
  const answer = bill && (await viewer.call<BillFile>('GET', `/bills/${bill.id}/file`))
  return answer?.ok ? viewer.http.redirect(answer.body.download_url, 302) : null
})

/** Answers a page of the bill as a picture, with the fields marked that were read. */
export const showBillPicture = about(async (viewer, found) => {
  const bill = await findBill(viewer, found)
  const number = numberIn(viewer.http.req.query('page'))
  const picture = bill && (await viewer.fetch('GET', pictureOf(bill, number)))
  return picture?.ok ? viewer.http.body(await picture.arrayBuffer(), 200, { 'content-type': 'image/png' }) : null
})
