/** Rules of an approval policy as sentences. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { ApprovalPolicy } from '../../../domain/approvals/policy.ts'
import type { Member } from '../../../domain/organizations/member.ts'
import type { Formats } from '../../frame/formats.ts'
import { isolate } from '../../frame/layout.ts'
import type { Words } from '../../words/en.ts'
import type { Language } from '../../words/words.ts'
import { nameOf } from '../../frame/organizations.ts'

/** Rule as the API answers it, and as a draft keeps it. */
export type ShownRule = ApprovalPolicy['rules'][number]
export type ShownStep = ShownRule['steps'][number]

/** Words, formats and names for sentences. */
export type Naming = {
  readonly formats: Formats
  readonly words: Words
  readonly language: Language
  readonly members: readonly Member[]
}

/** Says to what a rule applies: `Payments of 10,000 EUR and more`. */
export function sayScope(rule: ShownRule, naming: Naming): string {
  const what = sayAmount(rule, naming)
  return rule.when ? naming.words.rules.also(what, sayConditions(rule.when, naming)) : what
}

/** Lists the conditions of a rule: `to accounts in FR, asked for by a delegate`. */
function sayConditions(when: NonNullable<ShownRule['when']>, { words: { rules }, language }: Naming): string {
  const { account_codes: accounts, contact_ids: contacts, countries, labels, origins, new_payee: isNew } = when
  const oneOf = (values: readonly string[]) => new Intl.ListFormat(language, { type: 'disjunction' }).format(values)
  return [
    ...(contacts ? [rules.when.contact_ids(contacts.length)] : []),
    ...(labels ? [rules.when.labels(oneOf(labels.map((one) => `${one.dimension}:${one.value}`)))] : []),
    ...(accounts ? [rules.when.accounts(oneOf(accounts))] : []),
    ...(countries ? [rules.when.countries(oneOf(countries))] : []),
    ...(origins ? [rules.when.origins(oneOf(origins.map((way) => rules.when.ways[way])))] : []),
    ...(isNew === undefined ? [] : [isNew ? rules.when.new : rules.when.known]),
  ].join(', ')
}

function sayAmount(rule: ShownRule, { formats, words: { rules } }: Naming): string {
  const what = rules.actions[rule.action_type]
  const { currency, amount_from: from, period, per } = rule
  if (from === null) return currency === null ? what : rules.inCurrency(what, currency)
  const amount = currency === null ? formats.figure(from) : formats.plain({ amount: from, currency })
  if (period && per) return rules.limit(what, rules.of[per], amount, rules.periods[period])
  return currency === null ? rules.anyCurrency(what, amount) : rules.from(what, amount)
}

/** Says who approves: `two people (owner or admin), then one person (Mia Brandt)`. */
export function saySteps({ steps, hard }: Pick<ShownRule, 'steps' | 'hard'>, naming: Naming): Markup {
  const { rules } = naming.words
  if (hard) return html`${rules.refused}`
  return html`${steps.map(
    (step, at) => html`${at === 0 ? '' : rules.then}${rules.people(step.required)} (${sayNamed(step, naming)})`,
  )}`
}

/** Lists the roles and people of a step: `owner, admin or Mia Brandt`. */
function sayNamed({ roles, user_ids: ids }: ShownStep, { words, language, members }: Naming): Markup {
  const named = [
    ...roles.map((role) => html`${words.company.roles[role]}`),
    ...ids.map((id) => {
      const member = members.find((one) => one.id === id)
      return member ? isolate(nameOf(member)) : html`${words.rules.former}`
    }),
  ]
  const parts = new Intl.ListFormat(language, { type: 'disjunction' }).formatToParts(named.map((_, at) => String(at)))
  return html`${parts.map(({ type, value }) => (type === 'element' ? (named[Number(value)] ?? '') : value))}`
}

/** Says the rest of a rule: if the requester may approve, and how long it is open. */
export function sayMore(rule: ShownRule, { words: { rules } }: Naming): string {
  if (rule.hard) return ''
  const { expires_after_hours: hours } = rule
  const open = hours % 24 === 0 ? rules.expiresDays(hours / 24) : rules.expiresHours(hours)
  return [
    rule.self_approval ? rules.self : rules.noSelf,
    ...(rule.delegate_self_approval ? [rules.delegateSelf] : []),
    ...(rule.require ? [rules.requires] : []),
    open,
  ].join(' ')
}

/** Shows a rule as a sentence, with the rest of it below. */
export const ruleSentence = (rule: ShownRule, naming: Naming): Markup =>
  html`${sayScope(rule, naming)}: <strong>${saySteps(rule, naming)}</strong>
    <span class="small">${sayMore(rule, naming)}</span>`

/** Tells if a rule names a person who is no member any more. */
export const namesFormer = ({ steps }: ShownRule, members: readonly Member[]): boolean =>
  steps.some(({ user_ids: ids }) => ids.some((id) => !members.some((member) => member.id === id)))

/** Sorts the rules of an action as they are read: those of the highest amount first, limits last. */
export const readingOrder = (rules: readonly ShownRule[]): readonly ShownRule[] =>
  rules.toSorted(
    (one, other) =>
      Number(one.period !== undefined) - Number(other.period !== undefined) ||
      Number(other.amount_from ?? 0) - Number(one.amount_from ?? 0),
  )

/** Lists the ids of people whom rules name. */
export const idsIn = (rules: readonly ShownRule[]): string[] =>
  rules.flatMap(({ steps }) => steps.flatMap(({ user_ids: ids }) => ids))
