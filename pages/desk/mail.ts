/** One mail: its sender, what the gateway found about them, each file, and the decision about the sender. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { InboundMail } from '../../domain/inbound-mails/inbound-mail.ts'
import { type Fault, act } from '../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice, may, mayDecide, notFound } from '../frame/company.ts'
import { type Page, isolate } from '../frame/layout.ts'
import { head, notice, sure, table } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'
import { mailBadge } from './mails.ts'

export const showMail = (viewer: Viewer): Promise<Page | Response> => mailPage()(viewer)

const mailPage = (fault?: Fault) =>
  companyPage('bills', async (viewer, shell) => {
    const id = encodeURIComponent(viewer.http.req.param('id') ?? '')
    const answer = await viewer.call<InboundMail>('GET', `/organizations/${shell.company.id}/inbound-mails/${id}`)
    if (answer.status === 404 || answer.status === 400) return notFound(viewer).frame
    const mail = bodyOf(answer)
    const { mails: words } = viewer.words.desk
    const { authentication, from_address: from, from_name: name, received_at: at } = mail
    return {
      title: words.mail,
      ...(fault && { status: fault.status }),
      body: html`${doneNotice(viewer, words.done)} ${fault ? notice('fault', fault.text) : ''}
        ${head(mail.subject_line ? isolate(mail.subject_line) : words.noSubject, { below: mailBadge(mail, viewer.words) })}
        ${mail.status === 'unknown_sender' ? notice('warn', words.why[authentication?.verdict ?? 'none']) : ''}
        ${mail.without_bill ? notice('info', words.without[mail.without_bill]) : ''}
        <section class="card">
          ${rowsOf([
            [words.from, isolate(from ?? words.noSender)],
            [words.senderName, name && isolate(name)],
            [words.at, shell.formats.instant(at)],
            [words.proof, authentication && words.verdicts[authentication.verdict]],
            [
              words.before,
              mail.duplicate_of && html`<a href="/o/${shell.company.id}/mails/${mail.duplicate_of}">${words.mail}</a>`,
            ],
          ])}
        </section>
        ${filesOf(mail, shell, viewer.words)} ${decisionOf(mail, shell, viewer.words)}`,
    }
  })

/** Shows what each file led to. */
function filesOf({ files }: InboundMail, { company }: CompanyShell, { desk: { mails } }: Words): Markup | '' {
  if (files.length === 0) return ''
  return html`<section class="card">
    <h2>${mails.files}</h2>
    ${table({
      caption: mails.files,
      columns: [{ name: mails.file }, { name: mails.outcome }],
      rows: files.map(({ filename, outcome, bill_id: billId }) => [
        isolate(filename),
        billId
          ? html`<a href="/o/${company.id}/bills/${billId}">${mails.outcomes[outcome]}</a>`
          : mails.outcomes[outcome],
      ]),
    })}
  </section>`
}

/** Shows the forms that accept the sender, once or always, or refuse the mail. */
function decisionOf(mail: InboundMail, shell: CompanyShell, { desk }: Words): Markup | '' {
  const { id, status, from_address: from } = mail
  if (!may(shell, 'bills.create')) return ''
  const { mails: words } = desk
  const of = `/o/${shell.company.id}/mails/${id}`
  const forget = { ask: words.forget, text: words.forgetWhy, action: `${of}/forget`, button: words.forgetNow }
  if (status === 'accepted') return from === null ? '' : html`<div class="actions">${sure(forget)}</div>`
  if (!mayDecide(shell, 'bills.create')) return ''
  if (status !== 'unknown_sender' && status !== 'mail_without_bill') return ''
  return html`<div class="actions">
    <form method="post" action="${of}/accept">
      <button name="remember" value="once">${words.once}</button>
      ${from === null ? '' : html`<button name="remember" value="always" class="second">${words.always}</button>`}
    </form>
    ${sure({ ask: words.refuse, text: words.refuseWhy, action: `${of}/refuse`, button: words.refuseNow })}
  </div>`
}

const pathOf = (company: string, id: string) => `/organizations/${encodeURIComponent(company)}/inbound-mails/${id}`

/** Accepts the sender of a mail: its bills may be paid. */
export const acceptMail = act({
  ask: ({ form, company, id }) => ({ path: `${pathOf(company, id)}/accept`, body: { remember: form.get('remember') } }),
  then: (_, { company, id }) => `/o/${company}/mails/${id}?done=accepted`,
  again: (viewer, fault) => mailPage(fault)(viewer),
})

/** Forgets the sender of a mail, who was accepted for always. */
export const forgetSender = act({
  ask: ({ company, id }) => ({ path: `${pathOf(company, id)}/forget-sender`, body: {} }),
  then: (_, { company, id }) => `/o/${company}/mails/${id}?done=forgotten`,
  again: (viewer, fault) => mailPage(fault)(viewer),
})

/** Refuses a mail: bills that came by it alone are put away. */
export const refuseMail = act({
  ask: ({ company, id }) => ({ path: `${pathOf(company, id)}/refuse`, body: {} }),
  then: (_, { company, id }) => `/o/${company}/mails/${id}?done=refused`,
  again: (viewer, fault) => mailPage(fault)(viewer),
})
