/** One payee: what is known of it, its accounts, what was paid last, and what can be done about it. */
import { html } from 'hono/html'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import type { Markup } from '../../api/http/http.ts'
import type { PaymentContact } from '../../domain/contacts/contact.ts'
import type { Destination } from '../../domain/destinations/destination.ts'
import { addressLines } from '../../domain/destinations/payee-address.ts'
import { markAlike } from '../../domain/look-alikes.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Fault } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { head, icon, notice, sure } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import { paymentTable } from '../payments/list.ts'
import type { Words } from '../words/en.ts'
import { type BankAnswer, accountCard } from './account-card.ts'
import { stateOf } from './list.ts'

/** Most payments that the page of a payee shows. */
const LAST = 5

export const showPayee = (viewer: Viewer): Promise<Page | Response> => payeePage()(viewer)

/** Reads a payee of the company; null if there is none. */
export async function findPayee(viewer: Viewer, { company }: CompanyShell): Promise<PaymentContact | null> {
  const answer = await viewer.call<PaymentContact>('GET', `/payment-contacts/${viewer.http.req.param('id') ?? ''}`)
  if (answer.status === 404) return null
  const payee = bodyOf(answer)
  return payee.organization_id === company.id ? payee : null
}

/** Writes the page of a payee, with the fault of a form or the answer of its bank. */
export const payeePage = (fault?: Fault, answer?: BankAnswer) =>
  companyPage('payees', async (viewer, shell) => {
    const { words } = viewer
    const payee = await findPayee(viewer, shell)
    if (!payee) return notFound(viewer).frame
    const [payments, answers, waiting, whole] = await Promise.all([
      lastPayments(viewer, shell, payee),
      bankAnswers(viewer, shell, payee),
      waitingAccounts(viewer, shell),
      wholeAccount(viewer, payee),
    ])
    const all = answer ? [...answers, answer] : answers
    return {
      title: markAlike(payee.name),
      ...(fault && { status: fault.status }),
      body: html`${fault ? notice('fault', fault.text) : doneNotice(viewer, words.payees.done)}
      ${head(isolate(payee.name), { below: stateOf(payee, words), actions: actions(payee, shell, words) })}
      ${pending(payee, words)} ${describe(payee, shell, words)}
      ${payee.destinations.map((one) =>
        accountCard({
          viewer,
          shell,
          payee,
          one: one.id === whole?.id ? whole : one,
          fault,
          answer: all.find(({ id }) => id === one.id),
          isWaiting: waiting.has(one.id),
        }),
      )}
      ${payee.status === 'active' && may(shell, 'payment_destinations.create') ? html`<p><a class="button second" href="/o/${shell.company.id}/payees/${payee.id}/accounts/new">${icon('plus')}${words.payees.addAccount}</a></p>` : ''}
      ${payments} ${archive(payee, shell, words)}`,
    }
  })

/** Reads the account whose whole number is asked for. */
async function wholeAccount(viewer: Viewer, { destinations }: PaymentContact): Promise<Destination | null> {
  const one = destinations.find(({ id }) => id === viewer.http.req.query('whole'))
  return one ? bodyOf(await viewer.call<Destination>('GET', `/payment-destinations/${one.id}`)) : null
}

function actions(payee: PaymentContact, shell: CompanyShell, words: Words): Markup {
  const at = `/o/${shell.company.id}`
  const isActive = payee.status === 'active' && !payee.one_time
  return html`<div class="actions">
    ${isActive && may(shell, 'payments.send_fiat') ? html`<a class="button" href="${at}/payments/new?payee=${payee.id}">${icon('payments')}${words.home.pay}</a>` : ''}
    ${isActive && may(shell, 'payment_contacts.update') ? html`<a class="button second" href="${at}/payees/${payee.id}/change">${words.payees.change}</a>` : ''}
  </div>`
}

/** Says what of a payee waits for approval. */
function pending(
  { approval_request_id: request, status, becomes_name: name }: PaymentContact,
  words: Words,
): Markup | '' {
  if (status !== 'pending_approval' || request === null) return ''
  return notice(
    'info',
    html`${name === null ? words.payees.waits : html`${words.payees.becomes} ${isolate(name)}.`}
      <a href="/approve/${request}">${words.payments.request}</a>`,
  )
}

function describe(payee: PaymentContact, { formats }: CompanyShell, { payees, payments }: Words): Markup {
  const { type, email, tag, payee_address: address } = payee
  return html`<div class="card">
    ${rowsOf([
      [payees.type, payees[type]],
      [payees.mail, email],
      [payees.tag, tag && payees.tags[tag]],
      [payees.addressHead, address && isolate(addressLines(address).join(', '))],
      [payees.sentAs, address?.transliterated && isolate(addressLines(address.transliterated).join(', '))],
      [payments.asked, formats.instant(payee.inserted_at)],
    ])}
  </div>`
}

/** Shows what was paid last. */
async function lastPayments(viewer: Viewer, shell: CompanyShell, { id }: PaymentContact): Promise<Markup | ''> {
  const { words } = viewer
  const path = `/organizations/${shell.company.id}/payments?payment_contact_id=${id}&limit=${LAST}`
  const answer = await viewer.call<Rows<Payment>>('GET', path)
  if (!answer.ok || answer.body.data.length === 0) return ''
  return html`<section class="card">
    <h2>${words.payees.lastPayments}</h2>
    ${paymentTable(answer.body.data, shell, words)}
    <p>
      <a class="button second" href="/o/${shell.company.id}/payments?payment_contact_id=${id}"
        >${words.payees.allPayments}</a
      >
    </p>
  </section>`
}

/** Reads what the bank said of accounts that wait for approval. */
async function bankAnswers(
  viewer: Viewer,
  { company }: CompanyShell,
  payee: PaymentContact,
): Promise<readonly BankAnswer[]> {
  const { approval_request_id: request, status } = payee
  if (status !== 'pending_approval' || request === null) return []
  const answer = await viewer.call<ApprovalDetail>('GET', `/organizations/${company.id}/approvals/${request}`)
  if (!answer.ok || answer.body.subject.type !== 'payment_contact') return []
  return answer.body.subject.payment_contact.destinations.flatMap(({ id, payee_check: check }) =>
    check ? [{ id, check }] : [],
  )
}

type AccountChanged = { readonly subject: { readonly payment_destination_id: string } }

/** Lists the accounts that wait for a call to their payee, which the viewer may record. */
async function waitingAccounts(viewer: Viewer, { company }: CompanyShell): Promise<ReadonlySet<string>> {
  const path = `/organizations/${company.id}/attention?kind=account_changed&limit=100`
  const answer = await viewer.call<Rows<AccountChanged>>('GET', path)
  return new Set(answer.ok ? answer.body.data.map(({ subject }) => subject.payment_destination_id) : [])
}

function archive({ id, status, one_time: once }: PaymentContact, shell: CompanyShell, { payees }: Words): Markup | '' {
  if (status === 'archived' || once || !may(shell, 'payment_contacts.delete')) return ''
  return sure({
    ask: payees.archive,
    text: payees.archiveSure,
    action: `/o/${shell.company.id}/payees/${id}/archive`,
    button: payees.archive,
  })
}
