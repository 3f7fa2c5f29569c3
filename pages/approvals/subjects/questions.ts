/** Questions about a request and their answers, with forms to ask and to answer. Text of others is isolated. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { ApprovalDetail } from '../../../domain/approvals/approval.ts'
import type { SignedAttachment } from '../../../domain/attachments/attachment.ts'
import type { Question } from '../../../domain/questions/question.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { type Choice, area, icon, select } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import type { Draft } from '../actions.ts'
import type { RequestShell } from '../find.ts'
import type { Texts } from './description.ts'

type Asking = { readonly me: string | null; readonly draft?: Draft | undefined }

/** Shows the questions about a request, and while it waits the forms. */
export async function showQuestions(viewer: Viewer, { organization, approval, texts }: RequestShell, asking: Asking) {
  const path = `/organizations/${organization.id}/approvals/${approval.approval_id}/questions`
  const answer = await viewer.call<{ data: readonly Question[] }>('GET', path)
  const questions = answer.ok ? answer.body.data : []
  const form = askForm(approval, asking, texts)
  if (questions.length === 0 && form === '') return ''
  const { questions: words } = texts.words.request
  const rows = questions.map(
    (one) => html`<li>${questionOf(one, approval, texts)} ${answerForm(one, approval, asking, texts)}</li>`,
  )
  return html`<section class="card" id="questions">
    <h2>${words.heading}</h2>
    ${
      rows.length > 0
        ? html`<ol>
            ${rows}
          </ol>`
        : ''
    }
    ${form}
  </section>`
}

function questionOf(question: Question, { approval_id: id, attachments }: ApprovalDetail, texts: Texts): Markup {
  const { asked_by: by, to, question_text: asked, asked_at: at, answers } = question
  const { questions: words } = texts.words.request
  const nameOf = ({ name }: Question['to']): Markup | string => (name === null ? words.member : isolate(name))
  return html`<p class="small">${nameOf(by)} → ${nameOf(to)}, ${texts.formats.instant(at)}</p>
    <p>${isolate(asked)}</p>
    ${answers.length === 0 ? html`<p class="small">${words.open}</p>` : ''}
    ${answers.map(
      (one) =>
        html`<p class="small">${words.answer}: ${nameOf(one.answered_by)}, ${texts.formats.instant(one.answered_at)}</p>
          <p>${isolate(one.answer_text)}</p>
          ${attachments.filter(({ file_id: file }) => one.attachments.includes(file)).map((file) => fileLink(id, file))}`,
    )}`
}

const fileLink = (id: string, { file_id: file, filename }: SignedAttachment): Markup =>
  html`<p class="small"><a href="/approve/${id}/files/${file}">${icon('file')} ${isolate(filename)}</a></p>`

/** Offers the files of the request, which an answer may be about. */
const fileChoices = ({ attachments }: ApprovalDetail, { words: { request } }: Texts): Markup | '' =>
  attachments.length === 0
    ? ''
    : html`<fieldset>
        <legend>${request.questions.files}</legend>
        ${attachments.map(
          ({ file_id: file, filename }) =>
            html`<label class="choice"
              ><input type="checkbox" name="file" value="${file}" /> ${isolate(filename)}</label
            >`,
        )}
      </fieldset>`

/** Shows the form of an answer to the person who is asked, and to the requester. */
function answerForm({ id, to }: Question, approval: ApprovalDetail, { me, draft }: Asking, texts: Texts): Markup | '' {
  if (approval.status !== 'pending' || (me !== to.id && me !== approval.requester.id)) return ''
  const { questions: words } = texts.words.request
  return html`<details ${draft?.ofAnswer ? 'open' : ''}>
    <summary class="button second">${words.reply}</summary>
    <form method="post" action="/approve/${approval.approval_id}/questions/${id}">
      ${area({ id: `answer-${id}`, sentAs: 'answer', label: words.answer, value: draft?.ofAnswer, required: true, more: html`maxlength="2000"` })}
      ${fileChoices(approval, texts)}
      <div class="actions"><button>${words.sendReply}</button></div>
    </form>
  </details>`
}

/** Shows the form of a question to the requester, or to those who could decide. */
function askForm(approval: ApprovalDetail, { me, draft }: Asking, texts: Texts): Markup | '' {
  const people = peopleOf(approval, texts).filter(([id]) => id !== me)
  if (approval.status !== 'pending' || people.length === 0) return ''
  const { questions: words } = texts.words.request
  return html`<details ${draft?.ofQuestion ? 'open' : ''}>
    <summary class="button second">${words.ask}</summary>
    <form method="post" action="/approve/${approval.approval_id}/questions">
      ${
        people.length === 1
          ? html`${keepFields([['to', people[0]?.[0] ?? '']])}
              <p>${words.to}: ${isolate(people[0]?.[1] ?? '')}</p>`
          : select({ id: 'to', label: words.to, required: true, choices: people })
      }
      ${area({ id: 'question', label: words.text, value: draft?.ofQuestion, required: true, hint: words.hint, more: html`maxlength="2000"` })}
      <div class="actions"><button>${words.send}</button></div>
    </form>
  </details>`
}

/** Lists who can be asked: the requester first, then the members who could decide. */
function peopleOf({ requester, steps }: ApprovalDetail, { words }: Texts): Choice[] {
  const approvers = steps.flatMap((step) => step.approvers)
  const named = approvers.map(({ id, name }): Choice => [id, name ?? words.request.questions.member])
  return [...new Map<string, string>([[requester.id, requester.name ?? requester.email], ...named])]
}
