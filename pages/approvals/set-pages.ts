/** Pages of a set of requests: what was chosen, with its warnings, and how each of them ended. */
import { html } from 'hono/html'
import pLimit from 'p-limit'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import { formatsIn } from '../frame/formats.ts'
import { type Page, isolate, isolateQuoted, keepFields, writePage } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { head, notice } from '../frame/parts.ts'
import { toSignIn } from '../frame/return.ts'
import type { Answer, Viewer } from '../frame/viewer.ts'
import { warningsOf } from './approval.ts'
import { isStop } from '../../domain/approvals/warning.ts'
import { compareByWarnings, lineOf } from './line.ts'
import { type ChosenSet, type Verdict, fieldsOf } from './chosen.ts'

type ReadRequest = { readonly id: string; readonly answer: Answer<ApprovalDetail> }
type OfCompany = { readonly name: string | null; readonly looked: readonly ReadRequest[] }

/** Requests that are read at once. */
const READ_AT_ONCE = 8

/** Reads all requests of a set by company, those with the gravest warnings first; null without a session. */
async function readSet(viewer: Viewer, { chosen }: ChosenSet): Promise<readonly OfCompany[] | null> {
  const inLanes = pLimit(READ_AT_ONCE)
  const read = await Promise.all(
    chosen.map(async ({ organization, ids }) => {
      const of = `/organizations/${encodeURIComponent(organization)}`
      const company = viewer.call<{ readonly name: string }>('GET', of)
      const looked = await Promise.all(
        ids.map((id) =>
          inLanes(async () => ({
            id,
            answer: await viewer.call<ApprovalDetail>('GET', `${of}/approvals/${encodeURIComponent(id)}`),
          })),
        ),
      )
      const named = await company
      return { name: named.ok ? named.body.name : null, looked: looked.toSorted(byWarnings) }
    }),
  )
  return read.some(({ looked }) => looked.some(({ answer }) => answer.status === 401)) ? null : read
}

/** Tells if a request has a warning at which to stop. */
const hasStop = (one: ReadRequest): boolean => warningsIn(one).some(isStop)

const warningsIn = ({ answer }: ReadRequest): readonly string[] => (answer.ok ? answer.body.warnings : [])
const byWarnings = (one: ReadRequest, other: ReadRequest): number =>
  compareByWarnings(warningsIn(one), warningsIn(other))

/** Shows what was chosen, each with its warnings, before anything is decided. */
export async function reviewPage(viewer: Viewer, set: ChosenSet): Promise<Page | Response> {
  const companies = await readSet(viewer, set)
  if (!companies) return toSignIn(viewer)
  const { approvals: words } = viewer.words
  const all = companies.flatMap(({ looked }) => looked)
  const stopped = all.filter(hasStop)
  const isApproval = set.decision === 'approve'
  const others = all.length - stopped.length
  const mixed = isApproval && stopped.length > 0 && others > 0
  const title = isApproval ? words.approveSet(all.length) : words.rejectSet(all.length)
  return writePage({
    title,
    place: 'approvals',
    body: html`${head(title)} ${stopped.length > 0 ? notice('fault', words.warnedOnes(stopped.length)) : ''}
      ${isApproval && companies.length > 1 ? notice('info', words.proofs(companies.length)) : ''}
      ${companies.map(
        ({ name, looked }) =>
          html`<section>
            <h2>${isolate(name ?? '')}</h2>
            <ul class="cards">
              ${looked.map((one) => html`<li>${cardOf(one, viewer)}</li>`)}
            </ul>
          </section>`,
      )}
      <form method="post" action="/approve/set">
        ${keepFields(fieldsOf(set))} ${mixed ? keepFields(stopped.map(({ id }) => ['stopped', id] as const)) : ''}
        ${
          isApproval
            ? ''
            : html`<label>${words.rejectReason} <input name="reason" maxlength="1000" autocomplete="off" /></label>`
        }
        <div class="actions bar">
          ${
            mixed
              ? html`<button name="only" value="others">${words.approveOthers(others)}</button>
                  <button class="second">
                    ${words.approveAll(all.length)} · ${stopped.length} ${words.withWarnings}
                  </button>`
              : html`<button>${isApproval ? words.approveNow : words.rejectNow}</button>`
          }
          <a href="/approve">${words.notNow}</a>
        </div>
      </form>`,
  })
}

/** Shows a request as a card: payee, amount, sentence and warnings; or why it cannot be read. */
function cardOf({ id, answer }: ReadRequest, viewer: Viewer, below: Markup | '' = ''): Markup {
  if (!answer.ok) return html`<a href="/approve/${id}" class="item"><span>${messageOf(answer.error)}</span></a>`
  const { words, language } = viewer
  const { approval_id: found, subject, summary, requester } = answer.body
  const { kind, who, amount } = lineOf(subject, words)
  return html`<div class="fill">
    <a href="/approve/${found}" class="item">
      <span><strong>${isolate(who)}</strong></span>
      <span class="figure">${amount ? formatsIn(language, 'UTC').money(amount) : ''}</span>
      <span class="small"
        >${kind} · ${words.approvals.asked} ${isolate(requester.name ?? requester.email)}<br />${isolateQuoted(
          summary ?? '',
        )}</span
      >
    </a>
    ${warningsOf(answer.body, words)} ${below}
  </div>`
}

/** Shows the requests of a set in three groups: decided, not decided with the reason, and those that need others. */
export async function verdictPage(viewer: Viewer, set: ChosenSet): Promise<Page | Response> {
  const companies = await readSet(viewer, set)
  if (!companies) return toSignIn(viewer)
  const { approvals: words } = viewer.words
  const wanted = set.decision === 'approve' ? 'approved' : 'rejected'
  const looked = companies.flatMap((one) => one.looked)
  const of = (fits: (verdict: Verdict) => boolean) =>
    set.verdicts.flatMap((verdict) => {
      const found = fits(verdict) ? looked.find(({ id }) => id === verdict.id) : undefined
      return found ? [{ verdict, found }] : []
    })
  const done = of(({ refusal, status }) => refusal === null && status === wanted)
  const refused = of(({ refusal }) => refusal !== null)
  const open = of(({ refusal, status }) => refusal === null && status !== wanted)
  const group = (title: string, ones: typeof done, show: (verdict: Verdict) => Markup | '') =>
    ones.length === 0
      ? ''
      : html`<section>
          <h2>${title} (${ones.length})</h2>
          <ul class="cards">
            ${ones.map(({ found, verdict }) => html`<li>${cardOf(found, viewer, show(verdict))}</li>`)}
          </ul>
        </section>`
  const title = refused.length > 0 ? words.notAll : words.needOthers
  return writePage({
    title,
    place: 'approvals',
    ...(refused.length > 0 && { status: 409 as const }),
    body: html`${head(title)}
      ${group(words.groups.refused, refused, ({ refusal: type }) =>
        type === null
          ? ''
          : notice('fault', messageOf({ type, message: type.replaceAll('_', ' '), language: viewer.language })),
      )}
      ${group(words.groups.open, open, () => '')} ${group(words.groups[wanted], done, () => '')}
      <p><a class="button" href="/approve">${words.toInbox}</a></p>`,
  })
}
