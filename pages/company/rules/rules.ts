/** The approval policy as sentences, and the form that saves another one. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { ACTION_TYPES, type ActionType } from '../../../domain/approvals/approval.ts'
import type { ApprovalPolicy, PolicyResult } from '../../../domain/approvals/policy.ts'
import type { Member } from '../../../domain/organizations/member.ts'
import { type CompanyShell, bodyOf, companyPage, doneNotice } from '../../frame/company.ts'
import { isolate } from '../../frame/layout.ts'
import { head, notice } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { nameOf } from '../../frame/organizations.ts'
import { membersAnd } from '../members.ts'
import { type Naming, type ShownRule, idsIn, namesFormer, readingOrder, ruleSentence, saySteps } from './sentences.ts'

export const showRules = companyPage('company', async (viewer, shell) => {
  const { words } = viewer
  const { rules: of } = words
  const { company, formats } = shell
  const path = `/organizations/${company.id}/approval-policy`
  const [policy, check] = await Promise.all([
    viewer.call<ApprovalPolicy>('GET', path).then(bodyOf),
    viewer.call<PolicyResult>('POST', `${path}/evaluate`, { action_type: 'withdrawal' }).then(bodyOf),
  ])
  const members = await membersAnd(viewer, company.id, idsIn(policy.rules))
  const naming = namingOf(viewer, shell, members)
  const { unmeetable } = check
  const at = `/o/${company.id}/company`
  const change =
    company.role === 'owner' ? html`<a class="button" href="${at}/rules/draft">${of.change}</a>` : undefined
  return {
    title: of.heading,
    body: html`${head(of.heading, {
        below: html`<a href="${at}">${words.company.heading}</a>`,
        ...(change && { actions: change }),
      })}
      ${doneNotice(viewer, { saved: of.done })} ${unmeetable ? notice('warn', of.unmeetableAbove) : ''}
      <p>${of.text}</p>
      ${ACTION_TYPES.map((action) => actionCard(action, policy, unmeetable, naming))}
      ${
        policy.updated_at === null
          ? ''
          : html`<p class="small">
              ${of.changed} ${formats.instant(policy.updated_at)} ${sayChanger(policy, members, of.by)}
            </p>`
      }
      ${change ? '' : html`<p class="small">${of.onlyOwner}</p>`}`,
  }
})

/** Gathers what sentences are written with. */
export const namingOf = (
  { words, language }: Viewer,
  { formats }: CompanyShell,
  members: readonly Member[],
): Naming => ({ words, language, formats, members })

function sayChanger({ updated_by: id }: ApprovalPolicy, members: readonly Member[], by: string): Markup | '' {
  const member = members.find((one) => one.id === id)
  return member ? html`${by} ${isolate(nameOf(member))}` : ''
}

type Unmeetable = PolicyResult['unmeetable']

/** Shows the rules of one action, and what holds where none of them does. */
function actionCard(
  action: ActionType,
  { rules, defaults }: Pick<ApprovalPolicy, 'rules' | 'defaults'>,
  unmeetable: Unmeetable,
  naming: Naming,
): Markup {
  const { rules: of } = naming.words
  const own = readingOrder(rules.filter(({ action_type: type }) => type === action))
  const faulty = unmeetable && rules[unmeetable.rule]
  return html`<section class="card">
    <h2>${of.actions[action]}</h2>
    <ul>
      ${own.map(
        (rule) =>
          html`<li>
            ${ruleSentence(rule, naming)}
            ${rule === faulty ? notice('warn', of.unmeetable((unmeetable?.step ?? 0) + 1)) : ''}
            ${namesFormer(rule, naming.members) ? notice('warn', of.formerWarns) : ''}
          </li>`,
      )}
      ${otherwise(action, own, defaults, naming)}
    </ul>
  </section>`
}

/** Says what holds where no rule of an action does; nothing if one of them always holds. */
export function otherwise(
  action: ActionType,
  own: readonly ShownRule[],
  defaults: readonly ShownRule[],
  naming: Naming,
): Markup | '' {
  const { rules: of } = naming.words
  const isWhole = own.some(({ currency, amount_from: from, period }) => currency === null && from === null && !period)
  if (isWhole) return ''
  const what = own.length > 0 ? of.others(of.actions[action]) : of.actions[action]
  const rule = defaults.find(({ action_type: type }) => type === action)
  return html`<li>${what}: <strong>${rule ? saySteps(rule, naming) : of.noApproval}</strong></li>`
}
