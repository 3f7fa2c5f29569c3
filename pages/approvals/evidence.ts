/** Evidence of a request: who decided what, by which proof, and the file that an auditor verifies (docs/evidence.md). */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { DecisionEvidence, Evidence } from '../../domain/approvals/evidence.ts'
import { isolate, isolateQuoted } from '../frame/layout.ts'
import { badge, head, icon, notice } from '../frame/parts.ts'
import { rowsOf } from '../frame/rows.ts'
import type { Viewer } from '../frame/viewer.ts'
import { type FoundApproval, about, pageOf } from './find.ts'
import type { Texts } from './subjects/description.ts'

const pathOf = ({ organization, approval }: FoundApproval): string =>
  `/organizations/${organization.id}/approvals/${approval.approval_id}/evidence`

/** Shows the evidence in words. */
export const showEvidence = about((viewer, found) =>
  pageOf(viewer, found, async (request) => {
    const { evidence: words } = request.texts.words.request
    const { approval_id: id } = request.approval
    const answer = await viewer.call<Evidence>('GET', pathOf(found))
    const body = answer.ok ? bodyOf(answer.body, request.texts) : notice('info', words.notYours)
    return {
      title: words.heading,
      body: html`<p><a href="/approve/${id}">${words.back}</a></p>
        ${head(words.heading, {
          below: html`${words.about}`,
          ...(answer.ok && {
            actions: html`<a class="button second" href="/approve/${id}/evidence.json"
              >${icon('download')}${words.file}</a
            >`,
          }),
        })}
        ${body}`,
    }
  }),
)

function bodyOf(evidence: Evidence, texts: Texts): Markup {
  const { evidence: words } = texts.words.request
  const { approval, decisions, events, chain } = evidence
  const { formats } = texts
  return html`<section class="card">
      <h2>${words.shown}</h2>
      <p>${isolateQuoted(approval.summary ?? '')}</p>
      ${rowsOf([
        [
          words.asked,
          html`${isolate(approval.requester.name ?? approval.requester.email)}, ${formats.instant(approval.created_at)}`,
        ],
        [words.hash, html`<code>${evidence.subject_hash}</code>`],
      ])}
    </section>
    <section class="card">
      <h2>${words.decisions}</h2>
      ${decisions.length === 0 ? html`<p>${words.none}</p>` : ''}
      ${decisions.map((decision) => decisionOf(decision, texts))}
    </section>
    <section class="card">
      <h2>${words.log}</h2>
      <p>${badge(chain.complete ? words.chained : words.notChained, chain.complete ? 'good' : 'warn')}</p>
      <ol class="steps">
        ${events.map((event) => html`<li><code>${event.type}</code>, ${formats.instant(event.occurred_at)}</li>`)}
      </ol>
    </section>`
}

function decisionOf(decision: DecisionEvidence, { words, formats }: Texts): Markup {
  const { evidence: of, ended, nobody } = words.request
  const { actor, on_behalf_of: principal, role, comment, voided, step_up: proof } = decision
  const { roles } = words.request
  return html`<h3>
      ${decision.decision === 'approve' ? of.approvedBy : ended[decision.decision]}
      ${actor ? isolate(actor.name ?? actor.email) : nobody}
    </h3>
    ${rowsOf([
      [of.at, formats.instant(decision.occurred_at)],
      [of.as, role && roles[role]],
      [of.for, principal && isolate(principal.name ?? principal.email)],
      [of.comment, comment && isolate(comment)],
      [
        of.factor,
        decision.factor && ((of.factors as Readonly<Record<string, string>>)[decision.factor] ?? decision.factor),
      ],
      [of.confirmed, proof?.summary && isolateQuoted(proof.summary)],
      [of.proofAsked, proof && formats.instant(proof.asked_at)],
      [of.proofGiven, proof?.verified_at && formats.instant(proof.verified_at)],
      [of.device, decision.device_id && html`<code>${decision.device_id}</code>`],
      [of.voided, voided && html`${formats.instant(voided.at)}: ${voided.reason.replaceAll('_', ' ')}`],
    ])}`
}

/** Answers the evidence as a file, which a script verifies. */
export const showEvidenceFile = about(async (viewer: Viewer, found) => {
  const answer = await viewer.fetch('GET', pathOf(found))
  if (!answer.ok) return null
  return viewer.http.body(await answer.text(), 200, {
    'content-type': 'application/json',
    'content-disposition': `attachment; filename="evidence-${found.approval.approval_id}.json"`,
  })
})
