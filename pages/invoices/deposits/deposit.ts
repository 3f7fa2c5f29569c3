/** One deposit: who sent it, if that is asked; which invoice it pays, once it is credited. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Deposit } from '../../../domain/deposits/deposit.ts'
import { type Act, type Fault, Unclear, act } from '../../frame/act.ts'
import { readAmount } from '../../frame/forms/amounts.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, liveIn, may, notFound } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { head, icon, notice } from '../../frame/parts.ts'
import { rowsOf } from '../../frame/rows.ts'
import { throughOf } from '../../frame/through.ts'
import type { Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { depositBadge } from './list.ts'
import { invoicesFor } from './invoices.ts'
import { senderForm } from './sender.ts'

export const showDeposit = (viewer: Viewer) => depositPage()(viewer)

const depositPage = (fault?: Fault) =>
  companyPage('invoices', async (viewer, shell) => {
    const live = await liveIn(shell.company)
    const id = encodeURIComponent(viewer.http.req.param('id') ?? '')
    const answer = await viewer.call<Deposit>('GET', `/deposits/${id}`)
    if (answer.status === 404) return notFound(viewer).frame
    const deposit = bodyOf(answer)
    if (deposit.organization_id !== shell.company.id) return notFound(viewer).frame
    const { words } = viewer
    const { deposits, one } = words.invoices
    const { transaction_id: transactionId, amount, source } = deposit
    const canMatch = deposit.status === 'credited' && transactionId && may(shell, 'billing_invoices.allocate')
    const action = `/o/${shell.company.id}/deposits/${deposit.id}/match`
    return {
      title: shell.formats.plain(deposit.amount),
      live,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, { answered: deposits.answered, matched: one.done.matched })}
      ${fault ? notice('fault', fault.text) : ''}
      ${head(html`<span class="amount">+${shell.formats.money(deposit.amount)}</span>`, {
        below: depositBadge(deposit, words),
      })}
      ${factsOf(deposit, shell, words)}
      ${deposit.needs_sender_travel_rule ? askSender(deposit, fault, viewer, shell) : ''}
      ${canMatch ? await invoicesFor({ transactionId, amount, text: source.reference, action }, viewer, shell) : ''}`,
    }
  })

function factsOf(
  { source, ...deposit }: Deposit,
  { company, formats }: CompanyShell,
  { invoices: { deposits } }: Words,
): Markup {
  const { transaction_id: transaction } = deposit
  return html`<section class="card">
    ${rowsOf([
      [deposits.from, source.name ? isolate(source.name) : deposits.unknown],
      [deposits.account, source.account_reference && isolate(source.account_reference)],
      [deposits.country, source.country && isolate(source.country)],
      [deposits.text, source.reference && isolate(source.reference)],
      [deposits.rail, [deposits.rails[deposit.rail] ?? deposit.rail, deposit.network].filter(Boolean).join(', ')],
      [deposits.through, throughOf(deposit)],
      [deposits.when, formats.instant(deposit.occurred_at)],
    ])}
    ${
      transaction
        ? html`<p>
            <a class="button second" href="/o/${company.id}/transactions/${transaction}"
              >${icon('payments')}${deposits.transaction}</a
            >
          </p>`
        : ''
    }
  </section>`
}

/** Asks for the sender of a deposit that is held back, of those who may say it. */
function askSender(deposit: Deposit, fault: Fault | undefined, viewer: Viewer, shell: CompanyShell): Markup {
  const { deposits } = viewer.words.invoices
  const until = deposit.release_by
  return html`${notice(
    'warn',
    html`${deposits.held} ${until ? deposits.releaseBy(shell.formats.day(until.slice(0, 10))) : ''}`,
  )}
  ${may(shell, 'payments.send_fiat') ? senderForm(deposit, fault, viewer, shell) : ''}`
}

const again = (viewer: Viewer, fault: Fault) => depositPage(fault)(viewer)
const shownAs =
  (done: string) =>
  (_: unknown, { company, id }: Act): string =>
    `/o/${company}/deposits/${id}?done=${done}`

const OF_ANOTHER = ['relationship', 'person_type', 'name', 'address', 'country'] as const

export const answerSender = act({
  ask: ({ viewer, form, id }) => {
    const { deposits } = viewer.words.invoices
    const isOwn = form.get('own') === 'yes'
    if (!form.get('attestation')) throw new Unclear(deposits.notAttested, 'attestation')
    const other = OF_ANOTHER.map((name) => [name, form.get(name).trim() || null] as const)
    if (!isOwn && other.some(([name, value]) => name !== 'relationship' && value === null))
      throw new Unclear(deposits.incomplete)
    return {
      path: `/deposits/${encodeURIComponent(id)}/sender-travel-rule`,
      body: {
        own_account: isOwn,
        attestation: true,
        account_reference: form.get('account_reference').trim() || null,
        ...(isOwn ? { relationship: 'self' } : Object.fromEntries(other)),
      },
      key: form.get('key'),
    }
  },
  then: shownAs('answered'),
  again,
})

/** Asks to match money with the invoice that its form names. */
export function askMatch({ viewer, form }: Act) {
  const amount = readAmount(form.get('amount'), viewer.language)
  if (amount === null) throw new Unclear(viewer.words.pay.noAmount)
  return {
    path: `/invoices/${encodeURIComponent(form.get('invoice'))}/allocations`,
    body: { transaction_id: form.get('transaction'), amount },
    key: form.get('key'),
  }
}

export const matchDeposit = act({ ask: askMatch, then: shownAs('matched'), again })
