/** Steps of an approval: who has decided, who can, and which limits asked for more people. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { ApprovalDetail } from '../../domain/approvals/approval.ts'
import type { ReachedLimit } from '../../domain/period.ts'
import { compareDecimals } from '../../domain/money/decimal.ts'
import { groupThousands } from '../../domain/money/money.ts'
import type { Member } from '../../domain/organizations/member.ts'
import type { ApprovalPage } from './approval.ts'
import { instant, isolate } from '../frame/layout.ts'
import type { Viewer } from '../frame/viewer.ts'

/** Shows each step of the policy: how many are needed, of whom, and who has approved. */
export async function showSteps(viewer: Viewer, found: ApprovalPage): Promise<Markup> {
  const { approval } = found
  const names = await namesIn(viewer, found)
  const { steps, decisions, rejection_reason: reason, expires_at: until, status } = approval
  const comments = decisions.filter(({ comment, decision }) => comment && decision === 'approve')
  return html`<h2>Approvals</h2>
    ${approval.limits.map((limit) => html`<p class="small">${tellReached(limit)}</p>`)}
    <ol class="steps">
      ${steps.map((step) => html`<li>${stepOf(step, names, principalsIn(decisions, names))}</li>`)}
    </ol>
    ${decisions
      .filter((one) => one.decision !== 'approve')
      .map(
        (one) =>
          html`<p>
            ${ENDED[one.decision]} ${nameOfUser(one.user_id, names)}${forPrincipal(one.on_behalf_of, names)},
            ${instant(one.occurred_at)}
          </p>`,
      )}
    ${comments.map(({ comment }) => html`<p class="small">“${isolate(comment ?? '')}”</p>`)}
    ${reason ? html`<p>Reason of the rejection: ${isolate(reason)}</p>` : ''}
    ${status === 'pending' ? html`<p class="small">Expires ${instant(until)}</p>` : ''}`
}

const PERIODS = { day: 'the day', week: 'the week', month: 'the month' } as const
const PER = { person: 'the requester', payee: 'this payee', organization: 'the organization' } as const

/** Says which limit asked for more people, and by which sum. */
function tellReached({ period, per, limit, total, rate_date: day, without_rate: missing }: ReachedLimit): Markup {
  const amounts = [total, limit].map(({ amount, currency }) => `${groupThousands(amount)} ${currency}`)
  if (missing.length > 0) {
    return html`Limit reached for want of a rate: none is known for ${or.format(missing)}, so that this request counts
    as above ${isolate(amounts[1] ?? '')} of ${PERIODS[period]} for ${PER[per]}, from which on more people approve.`
  }
  if (compareDecimals(total.amount, limit.amount) < 0) {
    return html`Limit reached: what a coin without a fixed worth counts is not known, so that any amount of
    ${total.currency} counts as above ${isolate(amounts[1] ?? '')} of ${PERIODS[period]} for ${PER[per]}.`
  }
  return html`Limit reached: with this, ${isolate(amounts[0] ?? '')} of ${PERIODS[period]} for ${PER[per]}; from
  ${isolate(amounts[1] ?? '')} on more people approve. ${day ? html` Other currencies by the rates of ${day}.` : ''}`
}

function stepOf(
  { required, roles, approvers, approved_by: by, user_ids: ids }: Step,
  names: Names,
  acting: PrincipalTexts,
) {
  const others = ids.length > 0 ? [`${ids.length} named ${ids.length === 1 ? 'person' : 'people'}`] : []
  const who = or.format([...roles.map((role) => `${role}s`), ...others])
  const could = approvers
    .slice(0, APPROVERS_MAX)
    .map(({ name }, index) => html`${index > 0 ? ', ' : ''}${isolate(name ?? 'a person')}`)
  const more = approvers.length > APPROVERS_MAX ? ` and ${approvers.length - APPROVERS_MAX} more` : ''
  return html`${required === 1 ? 'One' : required} of ${who}
  ${by.map((id) => html`<br />✓ ${isolate(names(id))}${acting.get(id) ?? ''}`)}
  ${could.length > 0 ? html`<br /><span class="small">can approve now: ${could}${more}</span>` : ''}`
}

/** Most approvers that a step names. */
const APPROVERS_MAX = 10

type PrincipalTexts = ReadonlyMap<string, Markup | ''>

/** Says on whose behalf each approver decided, by their ids; nothing for those who did so in their own role. */
const principalsIn = (decisions: ApprovalDetail['decisions'], names: Names): PrincipalTexts =>
  new Map(
    decisions
      .filter(({ decision, voided_at: voided }) => decision === 'approve' && !voided)
      .map(({ user_id: id, on_behalf_of: principal }) => [id ?? '', forPrincipal(principal, names)]),
  )

const forPrincipal = (id: string | null, names: Names): Markup | '' =>
  id === null ? '' : html` for ${isolate(names(id))}`

const ENDED = { approve: '', reject: 'Rejected by', cancel: 'Withdrawn by', expire: 'Expired:' } as const

const nameOfUser = (id: string | null, names: Names): Markup =>
  id === null ? html`nobody decided in time` : isolate(names(id))

type Step = ApprovalDetail['steps'][number]
/** Names a member by their id. */
type Names = (id: string) => string

/** Most members that are asked for at once. */
const MEMBERS_MAX = 100

/** Reads the names of the members that an approval names. */
async function namesIn(viewer: Viewer, { organization, approval }: ApprovalPage): Promise<Names> {
  const { steps, decisions } = approval
  const decided = decisions.flatMap(({ user_id: id, on_behalf_of: principal }) => [id, principal])
  const ids = [...new Set([...steps.flatMap((step) => step.approved_by), ...decided])].flatMap((id) => id ?? [])
  const names = new Map<string, string>()
  for (let from = 0; from < ids.length; from += MEMBERS_MAX) {
    const query = new URLSearchParams(
      ids.slice(from, from + MEMBERS_MAX).map((id): [string, string] => ['user_ids', id]),
    )
    const path = `/organizations/${organization.id}/members?limit=${MEMBERS_MAX}&${query.toString()}`
    const answer = await viewer.call<{ data: readonly Member[] }>('GET', path)
    if (!answer.ok) return () => 'another member' // the viewer may not list members
    for (const one of answer.body.data) names.set(one.id, one.name ?? one.email)
  }
  return (id) => names.get(id) ?? 'a person who has left'
}

const or = new Intl.ListFormat('en-GB', { type: 'disjunction' })
