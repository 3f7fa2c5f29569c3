/** Bills by mail: the addresses of a company, and the mails that came to them. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { InboundMail } from '../../domain/inbound-mails/inbound-mail.ts'
import type { BillMailbox } from '../../domain/inbound-mails/mailbox.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, nextOf, queryOf } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { type Mood, badge, empty, field, head, notice, sure, table } from '../frame/parts.ts'
import type { Rows, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

export const showMails = (viewer: Viewer): Promise<Page | Response> => mailsPage()(viewer)

const mailsPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const { mails: words } = viewer.words.desk
    const of = `/organizations/${shell.company.id}`
    const boxes = await viewer.call<Rows<BillMailbox>>('GET', `${of}/bill-mailboxes?limit=100`)
    const isTaken = boxes.ok || boxes.error.details?.['reason'] !== 'no_bill_mail'
    const mails = bodyOf(
      await viewer.call<Rows<InboundMail>>('GET', `${of}/inbound-mails?${queryOf(viewer, ['cursor'])}`),
    )
    return {
      title: words.heading,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, words.done)} ${fault ? notice('fault', fault.text) : ''} ${head(words.heading)}
        ${isTaken ? boxesOf(bodyOf(boxes).data, shell, viewer, fault) : notice('info', words.notHere)}
        <h2>${words.came}</h2>
        <div class="card">
          ${mails.data.length > 0 ? mailTable(mails.data, shell, viewer.words) : empty('bills', words.none, words.noneYet)}
        </div>
        ${nextOf(viewer, mails)}`,
    }
  })

/** Shows the addresses that take mails, with the forms to open and to end one. */
function boxesOf(boxes: readonly BillMailbox[], shell: CompanyShell, { words }: Viewer, fault?: Fault): Markup {
  const { mails } = words.desk
  const of = `/o/${shell.company.id}/mailboxes`
  const open = boxes.filter(({ ended_at: ended }) => ended === null)
  return html`<h2>${mails.addresses}</h2>
    <div class="card">
      <p class="small">${mails.addressesWhy}</p>
      ${open.map(
        ({ id, name, address }) =>
          html`<p><strong>${isolate(name)}</strong> <code class="copy">${address}</code></p>
            ${may(shell, 'bills.create') ? sure({ ask: mails.end, text: mails.endWhy, action: `${of}/${id}/end`, button: mails.endNow }) : ''}`,
      )}
      ${
        may(shell, 'bills.create')
          ? html`<form method="post" action="${of}">
              ${keepFields([['key', randomUUID()]])}
              ${field({ id: 'name', label: mails.name, value: fault?.sent.get('name'), required: true, hint: mails.nameHint, wrong: fault?.wrong['name'], more: html`maxlength="100"` })}
              <div class="actions"><button class="second">${mails.open}</button></div>
            </form>`
          : ''
      }
    </div>`
}

const MOODS: Readonly<Partial<Record<InboundMail['status'], Mood>>> = {
  accepted: 'good',
  unknown_sender: 'warn',
  mail_without_bill: 'warn',
}

/** Shows the state of a mail in a word. */
export const mailBadge = ({ status }: InboundMail, { desk: { mails } }: Words): Markup =>
  badge(mails.states[status], MOODS[status])

const mailTable = (rows: readonly InboundMail[], { company, formats }: CompanyShell, words: Words): Markup => {
  const { mails } = words.desk
  return table({
    caption: mails.came,
    columns: [{ name: mails.from }, { name: mails.subject }, { name: mails.at }, { name: mails.state }],
    rows: rows.map((mail) => [
      html`<a href="/o/${company.id}/mails/${mail.id}">${isolate(mail.from_address ?? mails.noSender)}</a>`,
      mail.subject_line ? isolate(mail.subject_line) : '',
      formats.instant(mail.received_at),
      mailBadge(mail, words),
    ]),
  })
}

/** Opens an address; the key of the form makes it once. */
export const openMailbox = act({
  ask: ({ form, company }) => ({
    path: `/organizations/${encodeURIComponent(company)}/bill-mailboxes`,
    body: { name: form.get('name').trim() },
    key: form.get('key'),
  }),
  then: (_, { company }) => `/o/${company}/mails?done=opened`,
  again: (viewer, fault) => mailsPage(fault)(viewer),
})

/** Ends an address: mails to it are refused from then on. */
export const endMailbox = act({
  ask: ({ company, id }) => ({
    method: 'DELETE',
    path: `/organizations/${encodeURIComponent(company)}/bill-mailboxes/${id}`,
  }),
  then: (_, { company }) => `/o/${company}/mails?done=ended`,
  again: (viewer, fault) => mailsPage(fault)(viewer),
})
