/** Steps of an approval: who has decided, who can, and which limits asked for more people. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import type { ReachedLimit } from '../../domain/period.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import type { FoundApproval, RequestShell } from './find.ts'
import { isolate } from '../frame/layout.ts'
import type { Viewer } from '../frame/viewer.ts'
import type { Language } from '../words/words.ts'
import type { Texts } from './subjects/description.ts'
import { findMembers, nameOf } from '../frame/organizations.ts'

/** Shows each step of the policy: how many are needed, of whom, and who has approved. */
export async function showSteps(viewer: Viewer, request: RequestShell): Promise<Markup> {
  const { approval, texts } = request
  const { formats } = texts
  const { request: words } = texts.words
  const names = await namesIn(viewer, request, texts)
  const { steps, decisions, rejection_reason: reason, expires_at: until, status } = approval
  const comments = decisions.filter(({ comment, decision }) => comment && decision === 'approve')
  return html`<h2>${words.approvals}</h2>
    ${approval.limits.map((limit) => html`<p class="small">${sayReached(limit, texts)}</p>`)}
    <ol class="steps">
      ${steps.map((step) => html`<li>${stepOf(step, { names, acting: principalsIn(decisions, names, texts), texts })}</li>`)}
    </ol>
    ${decisions
      .filter((one) => one.decision !== 'approve')
      .map(
        (one) =>
          html`<p>
            ${approval.sent_back ? words.sentBack.by : words.ended[one.decision]}
            ${one.user_id === null ? words.nobody : isolate(names(one.user_id))}${forPrincipal(one.on_behalf_of, names, texts)},
            ${formats.instant(one.occurred_at)}
          </p>`,
      )}
    ${comments.map(({ comment }) => html`<p class="small">“${isolate(comment ?? '')}”</p>`)}
    ${reason && !approval.sent_back ? html`<p>${words.reasonOfRejection}: ${isolate(reason)}</p>` : ''}
    ${status === 'pending' ? html`<p class="small">${words.expires} ${formats.instant(until)}</p>` : ''}`
}

/** Says which limit asked for more people, and by which sum. */
function sayReached(
  { period, per, limit, total, rate_date: day, without_rate: missing }: ReachedLimit,
  { words, formats, language }: Texts,
): Markup {
  const { limits } = words.request
  const { plain } = formats
  const within = limits.within(limits.periods[period], limits.per[per])
  if (missing.length > 0) return html`${limits.withoutRate(orIn(language).format(missing), plain(limit), within)}`
  if (compareDecimals(total.amount, limit.amount) < 0) {
    return html`${limits.withoutWorth(total.currency, plain(limit), within)}`
  }
  const byRates = day ? html` ${limits.byRates(formats.day(day))}` : ''
  return html`${limits.reached(plain(total), plain(limit), within)}${byRates}`
}

type StepTexts = { readonly names: Names; readonly acting: PrincipalTexts; readonly texts: Texts }

function stepOf(
  { required, roles, approvers, approved_by: by, user_ids: ids }: Step,
  { names, acting, texts: { words, language } }: StepTexts,
) {
  const { request } = words
  const others = ids.length > 0 ? [request.namedPeople(ids.length)] : []
  const who = orIn(language).format([...roles.map((role) => request.rolesOfMany[role]), ...others])
  const could = approvers
    .slice(0, APPROVERS_MAX)
    .map(({ name }, index) => html`${index > 0 ? ', ' : ''}${isolate(name ?? request.aPerson)}`)
  const more = approvers.length > APPROVERS_MAX ? ` ${request.andMore(approvers.length - APPROVERS_MAX)}` : ''
  return html`${request.someOf(required)} ${who}
  ${by.map((id) => html`<br />✓ ${isolate(names(id))}${acting.get(id) ?? ''}`)}
  ${could.length > 0 ? html`<br /><span class="small">${request.canApproveNow}: ${could}${more}</span>` : ''}`
}

/** Most approvers that a step names. */
const APPROVERS_MAX = 10

type PrincipalTexts = ReadonlyMap<string, Markup | ''>

/** Says on whose behalf each approver decided, by their ids; nothing for those who did so in their own role. */
const principalsIn = (decisions: ApprovalDetail['decisions'], names: Names, texts: Texts): PrincipalTexts =>
  new Map(
    decisions
      .filter(({ decision, voided_at: voided }) => decision === 'approve' && !voided)
      .map(({ user_id: id, on_behalf_of: principal }) => [id ?? '', forPrincipal(principal, names, texts)]),
  )

const forPrincipal = (id: string | null, names: Names, { words }: Texts): Markup | '' =>
  id === null ? '' : html` ${words.request.for} ${isolate(names(id))}`

type Step = ApprovalDetail['steps'][number]
/** Names a member by their id. */
type Names = (id: string) => string

/** Reads the names of the members that an approval names. */
async function namesIn(viewer: Viewer, { organization, approval }: FoundApproval, { words }: Texts): Promise<Names> {
  const { steps, decisions } = approval
  const decided = decisions.flatMap(({ user_id: id, on_behalf_of: principal }) => [id, principal])
  const ids = [...steps.flatMap((step) => step.approved_by), ...decided].flatMap((id) => id ?? [])
  const members = await findMembers(viewer, organization.id, ids)
  if (!members.ok) return () => words.request.anotherMember // the viewer may not list members
  const names = new Map(members.body.map((one) => [one.id, nameOf(one)]))
  return (id) => names.get(id) ?? words.request.personWhoLeft
}

const orIn = (language: Language): Intl.ListFormat =>
  new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type: 'disjunction' })
