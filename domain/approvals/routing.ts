/** Routing: conditions of rules beside action, currency and amount, and the rules that they add to a request. */
import * as v from 'valibot'
import { type Actor, delegateOf } from '../people/actor.ts'
import { canonicalJson } from '../canonical.ts'
import { code } from '../coding/chart.ts'
import { Labels, NewLabel } from '../coding/label.ts'
import { Country } from '../country.ts'
import { distinct } from '../distinct.ts'
import { id } from '../ids.ts'
import { describe, model, uuid } from '../text.ts'

/** Ways by which a payment is asked for: a page of ours, a session or key of the API, a delegate, a bill by mail. */
export const ORIGINS = ['page', 'api', 'delegate', 'mail'] as const
export type RequestOrigin = (typeof ORIGINS)[number]

const LISTED_MAX = 200

/** Lists values of a condition, of which a request has to meet any one. */
const anyOf = <Value extends v.GenericSchema>(value: Value) =>
  v.optional(
    v.pipe(
      v.array(value),
      v.minLength(1),
      v.maxLength(LISTED_MAX),
      distinct((one) => canonicalJson(one)),
    ),
  )

const Fields = model('NewApprovalRuleConditionFields', {
  contact_ids: describe(anyOf(id<'payment_contact'>()), 'Contacts that are paid.'),
  labels: describe(anyOf(NewLabel), 'Labels of the payment, or of lines of its bill.'),
  account_codes: describe(anyOf(code), 'Accounts of lines of the bill that is paid.'),
  countries: describe(anyOf(Country), 'Countries of the accounts that are paid.'),
  origins: describe(anyOf(v.picklist(ORIGINS)), 'Ways by which it is asked for.'),
  new_payee: describe(v.optional(v.boolean()), 'True: nothing was paid to the account yet; false: something was.'),
})
export type Conditions = v.InferOutput<typeof Fields>

/** Conditions as an answer. */
export const AnsweredConditions = model('ApprovalRuleConditions', {
  contact_ids: describe(v.optional(v.array(uuid)), 'Contacts that are paid.'),
  labels: describe(v.optional(Labels), 'Labels of the payment, or of lines of its bill.'),
  account_codes: describe(v.optional(v.array(v.string())), 'Accounts of lines of the bill that is paid.'),
  countries: describe(v.optional(v.array(v.string())), 'Countries of the accounts that are paid.'),
  origins: describe(v.optional(v.array(v.picklist(ORIGINS))), 'Ways by which it is asked for.'),
  new_payee: describe(v.optional(v.boolean()), 'True: nothing was paid to the account yet; false: something was.'),
})

/** Conditions of a rule, all of which one payee of a request has to meet; of each list any one value. */
export const Conditions = v.pipe(
  Fields,
  v.check((when) => Object.values(when).some((one) => one !== undefined), 'no_condition'),
  v.title('NewApprovalRuleConditions'),
)

/** Payee of a request as conditions compare it; null for what it has none of, or is not known. */
export type PayeeFacts = {
  readonly contact_id: string | null
  readonly country: string | null
  readonly is_new: boolean | null
  /** Labels of the payment and of its bill. */
  readonly labels: Labels
  readonly account_codes: readonly string[]
}

/** Facts of a request that conditions compare: a batch has a payee for each of its rows. */
export type RequestFacts = { readonly origins: readonly RequestOrigin[]; readonly payees: readonly PayeeFacts[] }

type Rule = { readonly when?: Conditions | undefined; readonly require?: readonly string[] | undefined }

/** Tells whether rules have conditions, so that facts of the request have to be read. */
export const areRouted = (rules: readonly Rule[]): boolean => rules.some(({ when }) => when !== undefined)

/** Tells whether rules compare labels or accounts, or require them. */
export const compareCoding = (rules: readonly Rule[]): boolean =>
  rules.some(({ require, when }) => when?.labels !== undefined || when?.account_codes !== undefined || require !== undefined) // prettier-ignore

/** Tells whether rules compare if a bill came by mail. */
export const compareMail = (rules: readonly Rule[]): boolean =>
  rules.some(({ when }) => when?.origins?.includes('mail'))

/** Tells if a request meets the conditions of a rule: its origin, and all others by one of its payees. */
export function meets({ when }: Rule, { origins, payees }: RequestFacts): boolean {
  if (!when) return true
  if (when.origins && !when.origins.some((one) => origins.includes(one))) return false
  const { origins: _, ...ofPayee } = when
  return Object.values(ofPayee).every((one) => one === undefined) || payees.some((payee) => isMetBy(ofPayee, payee))
}

function isMetBy(when: Omit<Conditions, 'origins'>, payee: PayeeFacts): boolean {
  const { account_codes: accounts, contact_ids: contacts, countries, labels, new_payee: isNew } = when
  return (
    (!contacts || contacts.some((one) => one === payee.contact_id)) &&
    (!labels || labels.some((one) => payee.labels.some((own) => isSameLabel(own, one)))) &&
    (!accounts || accounts.some((one) => payee.account_codes.includes(one))) &&
    (!countries || countries.some((one) => one === payee.country)) &&
    (isNew === undefined || isNew === payee.is_new)
  )
}

type Label = Labels[number]
const isSameLabel = (one: Label, other: Label): boolean =>
  one.dimension === other.dimension && one.value === other.value

/** Names the conditions of a rule, in the order in which they are declared. */
export const namesOfConditions = ({ when }: Rule): string[] =>
  Object.keys(Fields.entries).filter((name) => when?.[name as keyof Conditions] !== undefined)

/** Names the ways by which an actor asks: what a delegate prepared is of the delegate too. */
export function originsOf(actor: Actor, preparers: number): RequestOrigin[] {
  const isDelegated = delegateOf(actor) !== undefined || preparers > 0
  const isOnPage = actor.kind === 'user' && actor.onPage === true
  return [...(isDelegated ? (['delegate'] as const) : []), isOnPage ? 'page' : 'api']
}
