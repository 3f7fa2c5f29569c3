/** One credit note: what it takes back, and what can be done with it. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { CreditNote } from '../../../domain/credit-notes/credit-note.ts'
import type { HistoryEvent } from '../../../domain/event.ts'
import { markAlike } from '../../../domain/look-alikes.ts'
import { type Act, type Fault, act } from '../../frame/act.ts'
import { type CompanyShell, companyPage, doneNotice, liveIn, may, notFound } from '../../frame/company.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { head, icon, notice, sure } from '../../frame/parts.ts'
import { rowsOf } from '../../frame/rows.ts'
import type { Rows, Viewer } from '../../frame/viewer.ts'
import type { Words } from '../../words/en.ts'
import { resendForm } from '../actions.ts'
import { emailsIn } from '../acts.ts'
import { noteBadge } from './list.ts'
import { eventList, eventsQuery } from '../events.ts'
import { findCreditNote } from '../find.ts'
import { linesOf } from '../sums.ts'

export const showCreditNote = (viewer: Viewer) => notePage()(viewer)

/** Writes the page of a credit note; with why its form was not taken. */
export const notePage = (fault?: Fault) =>
  companyPage('invoices', async (viewer, shell) => {
    const live = await liveIn(shell.company)
    const note = await findCreditNote(viewer, shell)
    if (!note) return notFound(viewer).frame
    const { words, language } = viewer
    const { notes, one, list } = words.invoices
    const { company, formats } = shell
    const events = await viewer.call<Rows<HistoryEvent>>(
      'GET',
      `/credit-notes/${note.id}/events?${eventsQuery(viewer)}`,
    )
    const title = note.number === null ? notes.draft : notes.note(note.number)
    return {
      title: markAlike(title),
      live,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, one.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(note.number === null ? title : html`${notes.note('').trim()} ${isolate(note.number)}`, {
          below: html`${noteBadge(note, words)} ${isolate(note.billing_contact.company_name)}`,
          actions: filesOf(note, shell, words),
        })}
        ${waitsOf(note, shell, words)} ${note.state === 'draft' ? draftActions(note, shell, words) : ''}
        <section class="card">
          <p class="amount">${formats.money({ amount: note.total, currency: note.currency })}</p>
          ${rowsOf([
            [
              notes.invoice,
              html`<a href="/o/${company.id}/invoices/${note.invoice_id}">${isolate(note.invoice_number)}</a>`,
            ],
            [notes.reason, isolate(note.reason)],
            [list.dated, formats.day(note.issue_date)],
            [one.sentOn, note.sent_at && formats.instant(note.sent_at)],
          ])}
        </section>
        ${linesOf(note, language, { formats, words })}
        ${
          note.state === 'sent' && may(shell, 'billing_invoices.resend')
            ? html`<section class="card">
                ${resendForm(`/o/${company.id}/invoices/credit-notes/${note.id}`, note, words)}
              </section>`
            : ''
        }
        ${events.ok ? eventList(events.body, shell, words) : ''}`,
    }
  })

function filesOf({ id, number, profile }: CreditNote, { company }: CompanyShell, { invoices: { one } }: Words): Markup {
  const at = `/o/${company.id}/invoices/credit-notes/${id}`
  if (number === null) return html`<a class="button second" href="${at}/preview">${icon('download')}${one.preview}</a>`
  return html`<div class="actions">
    <a class="button second" href="${at}/pdf">${icon('download')}${one.pdf}</a>
    ${profile === 'none' ? '' : html`<a class="button second" href="${at}/xml">${icon('download')}${one.xml}</a>`}
  </div>`
}

function waitsOf({ id, state, approval_request_id: request }: CreditNote, shell: CompanyShell, words: Words): Markup {
  const { notes, one } = words.invoices
  if (state !== 'awaiting_approval' || !request) return html``
  return html`${notice('info', html`${notes.waits} <a href="/approve/${request}">${one.request}</a>`)}
    <form method="post" action="/o/${shell.company.id}/invoices/credit-notes/${id}/withdraw">
      ${keepFields([['request', request]])}
      <button class="second">${one.withdraw}</button>
    </form>`
}

function draftActions({ id }: CreditNote, shell: CompanyShell, { invoices: { notes, one } }: Words): Markup {
  const at = `/o/${shell.company.id}/invoices/credit-notes/${id}`
  return html`<section class="card">
    <p>${notes.sendWhat}</p>
    <div class="actions">
      ${
        may(shell, 'billing_invoices.submit')
          ? html`<form method="post" action="${at}/submit">
              ${keepFields([['key', randomUUID()]])}<button>${icon('invoices')}${notes.send}</button>
            </form>`
          : ''
      }
      ${
        may(shell, 'billing_invoices.delete')
          ? sure({ ask: one.delete, text: notes.deleteWhat, action: `${at}/delete`, button: one.delete })
          : ''
      }
    </div>
  </section>`
}

const again = (viewer: Viewer, fault: Fault) => notePage(fault)(viewer)
const of = ({ id }: Act): string => `/credit-notes/${encodeURIComponent(id)}`
const shownAs =
  (done: string) =>
  (_: unknown, { company, id }: Act): string =>
    `/o/${company}/invoices/credit-notes/${id}?done=${done}`

export const submitNote = act({
  ask: (sent) => ({ path: `${of(sent)}/submit`, body: {}, key: sent.form.get('key') }),
  then: shownAs('submitted'),
  again,
})

export const withdrawNote = act({
  ask: ({ company, form }) => ({
    path: `/organizations/${encodeURIComponent(company)}/approvals/${encodeURIComponent(form.get('request'))}/cancel`,
    body: {},
  }),
  then: shownAs('withdrawn'),
  again,
})

export const deleteNote = act({
  ask: (sent) => ({ method: 'DELETE', path: of(sent) }),
  then: (_, { company }) => `/o/${company}/invoices/credit-notes?done=deleted`,
  again,
})

export const resendNote = act({
  ask: (sent) => {
    const emails = emailsIn(sent.form.get('emails'))
    return { path: `${of(sent)}/resend`, body: { ...(emails && { emails }) }, key: sent.form.get('key') }
  },
  then: shownAs('resent'),
  again,
})
