/** Draft of an approval policy: rules that a form carries from round to round, whole, until they are saved. */
import { html } from 'hono/html'
import * as v from 'valibot'
import type { Markup } from '../../../api/http/http.ts'
import { ACTION_TYPES } from '../../../domain/approvals/approval.ts'
import { ApprovalPolicy, type PolicyResult } from '../../../domain/approvals/policy.ts'
import { canonicalJson } from '../../../domain/canonical.ts'
import { type Fault, Unclear, act } from '../../frame/act.ts'
import { type CompanyShell, bodyOf, companyPage } from '../../frame/company.ts'
import { type Page, keepFields } from '../../frame/layout.ts'
import { faultsOf, messageOf } from '../../frame/messages.ts'
import { badge, head, icon, notice } from '../../frame/parts.ts'
import { type Fields, NO_FIELDS, type Viewer } from '../../frame/viewer.ts'
import { membersAnd } from '../members.ts'
import { rehearsalForm, rehearse } from './rehearsal.ts'
import { payeeChoices } from './conditions.ts'
import { addStep, readRule, ruleForm, ruleOf } from './form.ts'
import { namingOf, otherwise } from './rules.ts'
import { type Naming, type ShownRule, idsIn, namesFormer, readingOrder, ruleSentence } from './sentences.ts'

export type Draft = { readonly rules: readonly ShownRule[]; readonly version: number }

const { rules: Rules } = ApprovalPolicy.entries

/** Reads the draft of a form; null without one. What a rule has beside what pages show stays in it. */
function draftIn(form: Fields): Draft | null {
  if (form.get('rules') === '') return null
  try {
    const rules: unknown = JSON.parse(form.get('rules'))
    const version = Number(form.get('version'))
    return v.is(Rules, rules) && Number.isSafeInteger(version) ? { rules, version } : null
  } catch {
    return null
  }
}

const keepDraft = ({ rules, version }: Draft): Markup =>
  keepFields([
    ['rules', JSON.stringify(rules)],
    ['version', String(version)],
  ])

const pathOf = (companyId: string): string => `/organizations/${companyId}/approval-policy`

export const showDraft = (viewer: Viewer): Promise<Page | Response> => draftPage(NO_FIELDS)(viewer)

/** Takes a round of the form: it changes the draft, and nothing else. */
export const changeDraft = (viewer: Viewer, form: Fields): Promise<Page | Response> => draftPage(form)(viewer)

/** Shows the draft that a form brings, after what its button says; the rules in force without one. */
const draftPage = (form: Fields, fault?: Fault) =>
  companyPage('company', async (viewer, shell) => {
    const { company } = shell
    if (company.role !== 'owner') return viewer.http.redirect(`/o/${company.id}/company/rules`, 303)
    const policy = bodyOf(await viewer.call<ApprovalPolicy>('GET', pathOf(company.id)))
    const draft = draftIn(form) ?? { rules: policy.rules, version: policy.version }
    const members = await membersAnd(viewer, company.id, idsIn([...policy.rules, ...draft.rules]))
    const naming = namingOf(viewer, shell, members)
    const [verb = '', at = '', step = ''] = form.get('do').split(':')
    const index = /^\d+$/.test(at) ? Number(at) : draft.rules.length // a new one
    if (verb === 'edit')
      return ruleShown(viewer, shell, naming, {
        action: `/o/${company.id}/company/rules/draft`,
        draft,
        index,
        rule: draft.rules[index] ?? ruleOf(),
      })
    if (verb === 'step') {
      const rule = addStep(readRule(form, draft.rules[index] ?? ruleOf(), naming).rule, step)
      return ruleShown(viewer, shell, naming, { action: `/o/${company.id}/company/rules/draft`, draft, index, rule })
    }
    if (verb === 'keep') {
      const read = readRule(form, draft.rules[index] ?? ruleOf(), naming)
      const wrong = { ...(await whatIsWrong(viewer, company.id, read.rule)), ...read.wrong }
      if (Object.keys(wrong).length > 0)
        return ruleShown(viewer, shell, naming, {
          action: `/o/${company.id}/company/rules/draft`,
          draft,
          index,
          ...read,
          wrong,
        })
      const kept = { ...draft, rules: draft.rules.toSpliced(index, 1, read.rule) }
      return overview(viewer, shell, { draft: kept, policy, naming, form, fault })
    }
    const left = verb === 'remove' ? { ...draft, rules: draft.rules.toSpliced(index, 1) } : draft
    return overview(viewer, shell, { draft: left, policy, naming, form, fault })
  })

/** Asks the API what it does not take about a rule, by the paths of its members. */
async function whatIsWrong(viewer: Viewer, companyId: string, rule: ShownRule): Promise<Record<string, string>> {
  const answer = await viewer.call('POST', `${pathOf(companyId)}/evaluate`, {
    action_type: rule.action_type,
    rules: [rule],
  })
  if (answer.ok || answer.error.type !== 'invalid_request') return {}
  return Object.fromEntries(
    faultsOf(answer.error).map(({ path, message }) => [path.replace(/^rules\.0\.?/, ''), message]),
  )
}

type OpenRule = {
  readonly action: string
  readonly draft: Draft
  readonly index: number
  readonly rule: ShownRule
  readonly amount?: string
  readonly wrong?: Readonly<Record<string, string>>
}

/** Shows one rule of the draft in its form. */
async function ruleShown(viewer: Viewer, shell: CompanyShell, naming: Naming, open: OpenRule) {
  const { words } = viewer
  const { action, draft, index, rule, amount, wrong = {} } = open
  const payees = await payeeChoices(viewer, shell)
  const { form: of } = words.rules
  const title = index < draft.rules.length ? of.edit : of.add
  const isWrong = Object.keys(wrong).length > 0
  return {
    title,
    ...(isWrong && { status: 422 as const }),
    body: html`${head(title)} ${isWrong ? notice('fault', [of.fault, ...whole(wrong)].join(' ')) : ''}
      <form class="card" method="post" action="${action}">
        ${keepDraft(draft)}
        ${ruleForm(rule, index < draft.rules.length ? String(index) : 'new', { naming, payees, amount, wrong })}
      </form>`,
  }
}

/** Lists the faults that belong to no field of the form. */
const whole = (wrong: Readonly<Record<string, string>>): string[] =>
  Object.entries(wrong).flatMap(([path, message]) => (path.startsWith('steps.') || path === '' ? [message] : []))

type Overview = {
  readonly draft: Draft
  readonly policy: ApprovalPolicy
  readonly naming: Naming
  readonly form: Fields
  readonly fault: Fault | undefined
}

/** Shows the draft as sentences, what it changes, and its rehearsal. */
async function overview(viewer: Viewer, shell: CompanyShell, { draft, policy, naming, form, fault }: Overview) {
  const { draft: of, heading } = viewer.words.rules
  const at = `/o/${shell.company.id}/company/rules`
  const isStale = draft.version !== policy.version
  const shown = { ...draft, version: policy.version }
  const asked = { action_type: 'withdrawal', rules: draft.rules }
  const [check, fields, result] = await Promise.all([
    viewer.call<PolicyResult>('POST', `${pathOf(shell.company.id)}/evaluate`, asked),
    rehearsalForm(viewer, shell, { form, naming }),
    form.get('do') === 'try' ? rehearse(viewer, shell, { form, rules: draft.rules, naming }) : '',
  ])
  return {
    title: of.heading,
    ...(fault ? { status: fault.status } : isStale && { status: 409 as const }),
    body: html`${head(of.heading, { below: html`<a href="${at}">${heading}</a>` })}
      ${isStale ? notice('warn', of.stale) : fault ? notice('fault', fault.text) : ''}
      ${check.ok ? '' : notice('fault', messageOf(check.error))}
      <p>${of.text}</p>
      <form method="post" action="${at}/draft">
        <button class="unseen" name="do" value="try" tabindex="-1">${viewer.words.rules.rehearsal.try}</button>
        ${keepDraft(shown)} ${ruleList(shown, policy, check.ok ? check.body.unmeetable : null, naming)}
        <div class="actions">
          <button class="second" name="do" value="edit:new">${icon('plus')}${of.add}</button>
          <button formaction="${at}">${of.save}</button>
          <a class="button second" href="${at}">${of.discard}</a>
        </div>
        ${fields} ${result}
      </form>`,
  }
}

function ruleList(
  { rules }: Draft,
  policy: ApprovalPolicy,
  unmeetable: PolicyResult['unmeetable'],
  naming: Naming,
): Markup {
  const { rules: of } = naming.words
  const inForce = new Set(policy.rules.map((rule) => canonicalJson(rule)))
  const kept = new Set(rules.map((rule) => canonicalJson(rule)))
  const ended = policy.rules.filter((rule) => !kept.has(canonicalJson(rule)))
  return html`${ACTION_TYPES.map((action) => {
    const own = readingOrder(rules.filter(({ action_type: type }) => type === action))
    return html`<section class="card">
      <h2>${of.actions[action]}</h2>
      <ul>
        ${own.map((rule) => {
          const index = rules.indexOf(rule)
          return html`<li>
            ${ruleSentence(rule, naming)} ${inForce.has(canonicalJson(rule)) ? '' : badge(of.draft.changed, 'warn')}
            ${unmeetable?.rule === index ? notice('warn', of.unmeetable(unmeetable.step + 1)) : ''}
            ${namesFormer(rule, naming.members) ? notice('warn', of.formerWarns) : ''}
            <div>
              <button class="plain" name="do" value="edit:${index}">${of.draft.edit}</button>
              <button class="plain" name="do" value="remove:${index}">${of.draft.remove}</button>
            </div>
          </li>`
        })}
        ${otherwise(action, own, policy.defaults, naming)}
      </ul>
    </section>`
  })}
  ${
    ended.length > 0
      ? notice(
          'warn',
          html`${of.draft.ends}
            <ul>
              ${ended.map((rule) => html`<li>${ruleSentence(rule, naming)}</li>`)}
            </ul>`,
        )
      : ''
  }`
}

/** Saves the draft, with a proof of identity. A draft of another version than the one in force is not saved. */
export const saveRules = act({
  ask: ({ viewer, form, company }) => {
    const draft = draftIn(form)
    if (!draft) throw new Unclear(viewer.words.rules.draft.stale)
    return { method: 'PUT', path: pathOf(company), body: draft }
  },
  then: (_, { company }) => `/o/${company}/company/rules?done=saved`,
  again: (viewer, fault) => draftPage(fault.sent, fault)(viewer),
})
