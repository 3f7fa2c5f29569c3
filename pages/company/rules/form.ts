/** Form of one rule of a draft: its scope, its limit, its steps. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { ACTION_TYPES } from '../../../domain/approvals/approval.ts'
import { PER, PERIODS } from '../../../domain/period.ts'
import { ROLES } from '../../../domain/permissions.ts'
import { readAmount } from '../../frame/forms/amounts.ts'
import { isolate, keepFields } from '../../frame/layout.ts'
import { type Choice, field, icon, select } from '../../frame/parts.ts'
import type { Fields } from '../../frame/viewer.ts'
import { nameOf } from '../../frame/organizations.ts'
import { choicesOf } from '../members.ts'
import { conditionFields, readConditions } from './conditions.ts'
import type { Naming, ShownRule, ShownStep } from './sentences.ts'

const STEPS_MAX = 5
const STEP: ShownStep = { required: 1, roles: ['owner', 'admin'], user_ids: [] }

/** Makes a new rule: what holds in the beginning, but for the requester. */
export const ruleOf = (): ShownRule => ({
  action_type: 'withdrawal',
  currency: null,
  amount_from: null,
  steps: [STEP],
  self_approval: false,
  expires_after_hours: 720,
})

type RuleInForm = {
  readonly rule: ShownRule
  /** Amount as it was typed. */
  readonly amount: string
  readonly wrong: Readonly<Record<string, string>>
}

const oneOf = <Value extends string>(values: readonly Value[], text: string): Value | undefined =>
  values.find((value) => value === text)

/** Reads the form of a rule. */
export function readRule(form: Fields, before: ShownRule, { formats, language, words }: Naming): RuleInForm {
  const typed = form.get('amount').trim()
  const isUntouched = before.amount_from !== null && typed === formats.figure(before.amount_from)
  const amount = typed === '' ? null : isUntouched ? before.amount_from : readAmount(typed, language)
  const { period: _, per: __, hard: wasHard, when: ___, require: ____, ...rest } = before
  const period = oneOf(PERIODS, form.get('period'))
  const per = oneOf(PER, form.get('per'))
  const hard = form.get('hard') !== ''
  const when = readConditions(form)
  const delegate = form.get('delegate_self') !== ''
  const rule: ShownRule = {
    ...rest,
    action_type: oneOf(ACTION_TYPES, form.get('action')) ?? before.action_type,
    currency: form.get('currency').trim().toUpperCase() || null,
    amount_from: amount,
    ...(period && { period }),
    ...(per && { per }),
    ...(period && (hard || wasHard !== undefined) && { hard }),
    steps: hard && period ? [] : stepsIn(form),
    self_approval: form.get('self') !== '',
    ...((delegate || before.delegate_self_approval !== undefined) && { delegate_self_approval: delegate }),
    expires_after_hours: Number(form.get('hours')),
    ...(when && { when }),
    ...(form.get('require') !== '' && { require: ['account_code'] }),
  }
  const isUnclear = typed !== '' && amount === null
  return { rule, amount: typed, wrong: isUnclear ? { amount_from: words.rules.form.noAmount } : {} }
}

const stepsIn = (form: Fields): ShownStep[] =>
  Array.from({ length: Math.min(STEPS_MAX, Number(form.get('steps')) || 0) }, (_, at) => ({
    required: Number(form.get(`required-${at}`)),
    roles: ROLES.filter((role) => form.all(`roles-${at}`).includes(role)),
    user_ids: [...new Set([...form.all(`people-${at}`), ...form.all(`person-${at}`)])].filter(Boolean),
  }))

/** Changes the steps of a rule as a button says: one more, one less, or one earlier. */
export function addStep(rule: ShownRule, said: string): ShownRule {
  const [verb = '', at = ''] = said.split('-')
  const index = Number(at)
  const step = rule.steps[index]
  if (verb === 'add') return { ...rule, steps: [...rule.steps, STEP].slice(0, STEPS_MAX) }
  if (!step) return rule
  const others = rule.steps.toSpliced(index, 1)
  return { ...rule, steps: verb === 'up' ? others.toSpliced(Math.max(0, index - 1), 0, step) : others }
}

type Shown = {
  readonly naming: Naming
  readonly payees: readonly Choice[]
  readonly amount: string | undefined
  readonly wrong: Readonly<Record<string, string>>
}

/** Shows the fields of a rule, and the buttons of its round. */
export function ruleForm(rule: ShownRule, at: string, { naming, payees, amount, wrong }: Shown): Markup {
  const { formats, words } = naming
  const { form: of, draft } = words.rules
  const { optional } = words.company
  const shown = amount ?? (rule.amount_from === null ? '' : formats.figure(rule.amount_from))
  return html`<button class="unseen" name="do" value="keep:${at}" tabindex="-1">${of.keep}</button>
    ${select({
      id: 'action',
      label: of.action,
      value: rule.action_type,
      required: true,
      wrong: wrong['action_type'],
      choices: ACTION_TYPES.map((type): Choice => [type, words.rules.actions[type]]),
    })}
    <div class="pair">
      ${field({ id: 'amount', label: of.amount, value: shown, hint: of.amountHint, wrong: wrong['amount_from'], more: html`inputmode="decimal"` }, optional)}
      ${field({ id: 'currency', label: of.currency, value: rule.currency, hint: of.currencyHint, wrong: wrong['currency'], more: html`maxlength="8"` }, optional)}
    </div>
    ${limitFields(rule, { naming, wrong })} ${conditionFields(rule, { naming, payees, wrong })}
    ${stepFields(rule, at, { naming, wrong })} ${tick('self', of.self, rule.self_approval)}
    ${tick('delegate_self', of.delegateSelf, rule.delegate_self_approval)}
    ${field({
      id: 'hours',
      label: of.hours,
      value: String(rule.expires_after_hours),
      hint: of.hoursHint,
      type: 'number',
      wrong: wrong['expires_after_hours'],
      more: html`min="1" max="8760"`,
      required: true,
    })}
    <div class="actions">
      <button name="do" value="keep:${at}">${of.keep}</button>
      <button class="second" name="do" value="back" formnovalidate>${draft.discard}</button>
    </div>`
}

const tick = (name: string, text: string, isOn: boolean | undefined): Markup =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="yes" ${isOn ? 'checked' : ''} /> ${text}</label
  >`

type Part = Pick<Shown, 'naming' | 'wrong'>

function limitFields({ period, per, hard }: ShownRule, { naming: { words }, wrong }: Part): Markup {
  const { form: of } = words.rules
  return html`<div class="pair">
      ${select({
        id: 'period',
        label: of.period,
        value: period ?? '',
        wrong: wrong['period'],
        choices: [['', of.noPeriod], ...PERIODS.map((one): Choice => [one, of.perPeriod[one]])],
      })}
      ${select({
        id: 'per',
        label: of.per,
        value: per ?? '',
        hint: of.perHint,
        wrong: wrong['per'],
        choices: [['', of.noPer], ...PER.map((one): Choice => [one, of.perChoices[one]])],
      })}
    </div>
    ${tick('hard', of.hard, hard)}`
}

function stepFields({ steps }: ShownRule, at: string, { naming, wrong }: Part): Markup {
  const { form: of } = naming.words.rules
  return html`<p class="small">${of.stepText}</p>
    ${wrong['steps'] ? html`<p class="small">${icon('bad')} ${of.noSteps}</p>` : ''}
    ${keepFields([['steps', String(steps.length)]])} ${steps.map((step, index) => stepField(step, index, at, naming))}
    ${
      steps.length < STEPS_MAX
        ? html`<p><button class="plain" name="do" value="step:${at}:add" formnovalidate>${of.addStep}</button></p>`
        : ''
    }`
}

/** Shows a step: how many approve, of which roles, and of which people. */
function stepField(step: ShownStep, index: number, at: string, { words, members }: Naming): Markup {
  const { form: of, people, former } = words.rules
  const others = members.filter(({ id }) => !step.user_ids.includes(id))
  return html`<fieldset>
    <legend>${of.step(index + 1)}</legend>
    ${select({
      id: `required-${index}`,
      label: of.required,
      value: String(step.required),
      required: true,
      choices: [1, 2, 3, 4, 5].map((count): Choice => [String(count), people(count)]),
    })}
    <p class="small">${of.roles}</p>
    ${ROLES.map((role) => tickOne(`roles-${index}`, role, step.roles.includes(role), html`${words.company.roles[role]}`))}
    ${step.user_ids.length > 0 ? html`<p class="small">${of.people}</p>` : ''}
    ${step.user_ids.map((id) => {
      const member = members.find((one) => one.id === id)
      return tickOne(`people-${index}`, id, true, member ? isolate(nameOf(member)) : html`${former}`)
    })}
    ${select(
      {
        id: `person-${index}`,
        label: of.addPerson,
        value: '',
        choices: [['', of.nobody], ...choicesOf(others, words)],
      },
      words.company.optional,
    )}
    <p>
      ${
        index > 0
          ? html`<button class="plain" name="do" value="step:${at}:up-${index}" formnovalidate>${of.moveUp}</button>`
          : ''
      }
      <button class="plain" name="do" value="step:${at}:out-${index}" formnovalidate>${of.removeStep}</button>
    </p>
  </fieldset>`
}

const tickOne = (name: string, value: string, isOn: boolean, text: Markup): Markup =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="${value}" ${isOn ? 'checked' : ''} /> ${text}</label
  >`
