/** Questions about a request and their answers, in their order; text of others is isolated. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Question } from '../../../domain/questions/question.ts'
import { isolate } from '../../frame/layout.ts'
import type { Viewer } from '../../frame/viewer.ts'
import type { RequestShell } from '../find.ts'

/** Shows the questions about a request; nothing without any. */
export async function showQuestions(viewer: Viewer, { organization, approval, texts }: RequestShell) {
  const path = `/organizations/${organization.id}/approvals/${approval.approval_id}/questions`
  const answer = await viewer.call<{ data: readonly Question[] }>('GET', path)
  const questions = answer.ok ? answer.body.data : []
  if (questions.length === 0) return ''
  const { questions: words } = texts.words.request
  const nameOf = ({ name }: Question['to']): Markup | string => (name === null ? words.member : isolate(name))
  return html`<section class="card">
    <h2>${words.heading}</h2>
    <ol>
      ${questions.map(
        ({ asked_by: by, to, question_text: asked, asked_at: at, answers }) =>
          html`<li>
            <p class="small">${nameOf(by)} → ${nameOf(to)}, ${texts.formats.instant(at)}</p>
            <p>${isolate(asked)}</p>
            ${answers.length === 0 ? html`<p class="small">${words.open}</p>` : ''}
            ${answers.map(
              (one) =>
                html`<p class="small">
                    ${words.answer}: ${nameOf(one.answered_by)}, ${texts.formats.instant(one.answered_at)}
                  </p>
                  <p>${isolate(one.answer_text)}</p>`,
            )}
          </li>`,
      )}
    </ol>
  </section>`
}
