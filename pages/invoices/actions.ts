/** Forms on the page of an invoice: send, send again, accept, mark as paid, close its page, delete. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Invoice } from '../../domain/invoices/invoice.ts'
import type { OrganizationSettings } from '../../domain/organizations/settings.ts'
import { type CompanyShell, may, mayDecide } from '../frame/company.ts'
import { isolate, keepFields } from '../frame/layout.ts'
import { field, icon, sure } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

const freshKey = (): Markup => keepFields([['key', randomUUID()]])

/** Shows what can be done with a draft: send it, change it, delete it. */
export function draftActions({ id, billing_contact: customer }: Invoice, shell: CompanyShell, words: Words): Markup {
  const { one } = words.invoices
  const at = `/o/${shell.company.id}/invoices/${id}`
  const to = customer.emails?.join(', ')
  return html`<section class="card">
    <p>${to ? one.sendTo(to) : one.sendNowhere}</p>
    <div class="actions">
      ${
        may(shell, 'billing_invoices.submit')
          ? html`<form method="post" action="${at}/submit">
              ${freshKey()}<button>${icon('invoices')}${one.send}</button>
            </form>`
          : ''
      }
      ${may(shell, 'billing_invoices.update') ? html`<a class="button second" href="${at}/change">${one.change}</a>` : ''}
      ${
        may(shell, 'billing_invoices.delete')
          ? sure({ ask: one.delete, text: one.deleteWhat, action: `${at}/delete`, button: one.delete })
          : ''
      }
    </div>
  </section>`
}

/** Shows the page of the customer, reminders, and what can be done with a sent invoice. */
export function openActions(
  invoice: Invoice,
  settings: OrganizationSettings | null,
  shell: CompanyShell,
  words: Words,
): Markup {
  const { one } = words.invoices
  const { public_url: link, state } = invoice
  const at = `/o/${shell.company.id}/invoices/${invoice.id}`
  const isOpen = state === 'sent' || state === 'finalized'
  const canUpdate = may(shell, 'billing_invoices.update')
  const canDecide = mayDecide(shell, 'billing_invoices.update')
  return html`${
      link
        ? html`<section class="card">
            <h2>${one.link}</h2>
            <p class="small">${one.linkWhat}</p>
            <p><code class="copy">${link}</code></p>
            ${
              canUpdate
                ? sure({ ask: one.revoke, text: one.revokeWhat, action: `${at}/revoke`, button: one.revoke })
                : ''
            }
          </section>`
        : ''
    }
    <section class="card">
      <h2>${one.more}</h2>
      ${isOpen && settings ? html`<p>${remindersOf(settings, one)}</p>` : ''}
      ${may(shell, 'billing_invoices.resend') ? resendForm(at, invoice, words) : ''}
      ${isOpen && canDecide ? payForm(at, words) : ''}
      ${state === 'sent' && canDecide ? acceptForm(at, invoice, words) : ''}
    </section>`
}

const remindersOf = ({ invoice_reminder_days: days }: OrganizationSettings, one: Words['invoices']['one']): string =>
  days.length === 0 ? one.noReminders : one.remindersAt(days.join(', '))

/** Shows a form that opens below the words of what it does. */
const openForm = (ask: string, text: string | Markup, action: string, fields: Markup, button: string): Markup =>
  html`<details>
    <summary>${ask}</summary>
    <p class="small">${text}</p>
    <form method="post" action="${action}">
      ${freshKey()} ${fields}
      <div class="actions"><button class="second">${button}</button></div>
    </form>
  </details>`

export function resendForm(
  at: string,
  { billing_contact: customer }: Pick<Invoice, 'billing_contact'>,
  words: Words,
): Markup {
  const { one } = words.invoices
  const to = field({ id: 'emails', label: one.resendTo, hint: one.resendHint }, words.pay.optional)
  return openForm(one.resend, isolate(customer.emails?.join(', ') ?? ''), `${at}/resend`, to, one.resend)
}

const payForm = (at: string, { invoices: { one }, pay }: Words): Markup => {
  const day = field({ id: 'paid_on', label: one.paidDay, type: 'date' }, pay.optional)
  return openForm(one.markPaid, one.markPaidWhat, `${at}/paid`, day, one.markIt)
}

const acceptForm = (at: string, { total }: Invoice, { invoices: { one } }: Words): Markup => {
  const amount = field({
    id: 'accepted_amount',
    label: one.acceptAmount,
    value: total,
    required: true,
    more: html`inputmode="decimal" maxlength="40"`,
  })
  return openForm(one.accept, one.acceptWhat, `${at}/accept`, amount, one.acceptIt)
}
