/** The travel rule: who sent coins of some worth is known before they are credited. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { line, nullableText, uuid } from '../text.ts'

const RELATIONSHIPS = ['self', 'family', 'friend', 'business_associate', 'vendor', 'employee', 'other'] as const
const PERSON_TYPES = ['natural', 'legal'] as const
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

/** What is said of a sender: nothing, or something that says something. */
const said = (max: number) =>
  optional(
    v.pipe(
      line(0, max),
      v.check((value) => value.trim() === '' || /[\p{L}\p{N}]/u.test(value), 'no_letter'),
    ),
  )

/** Body of POST /deposits/{deposit_id}/sender-travel-rule. The last four name the sender if it is somebody else. */
export const SenderTravelRule = v.pipe(
  v.object({
    own_account: v.boolean(),
    attestation: v.literal(true),
    relationship: optional(v.picklist(RELATIONSHIPS)),
    account_reference: said(255),
    person_type: optional(v.picklist(PERSON_TYPES)),
    name: said(255),
    address: said(1000),
    country: optional(Country),
  }),
  v.description('If `own_account` is true, nothing else but `account_reference` counts.'),
)
export type SenderTravelRule = v.InferOutput<typeof SenderTravelRule>

/** The answer as it is kept, sealed, and told. */
const TravelRuleSource = v.object({
  account_reference: nullableText,
  address: nullableText,
  country: nullableText,
  name: nullableText,
  person_type: nullableText,
  relationship: nullableText,
  is_own_account: v.boolean(),
})
export type TravelRuleSource = v.InferOutput<typeof TravelRuleSource>

/** The contract's Sender travel-rule result. */
export const TravelRuleResult = v.object({
  deposit_id: uuid,
  needs_sender_travel_rule: v.boolean(),
  travel_rule_complete: v.pipe(
    v.boolean(),
    v.description('Always true: an answer that lacks something is refused, and not kept.'),
  ),
  source: TravelRuleSource,
})
export type TravelRuleResult = v.InferOutput<typeof TravelRuleResult>

const given = (value: string | null | undefined): string | null => value?.trim() || null

/** What is kept of an answer. Of an own account nobody else is named. */
export function travelRuleSource(answer: SenderTravelRule): TravelRuleSource {
  const other = answer.own_account ? null : answer
  return {
    account_reference: given(answer.account_reference),
    address: given(other?.address),
    country: given(other?.country),
    name: given(other?.name),
    person_type: given(other?.person_type),
    relationship: answer.own_account ? 'self' : given(answer.relationship),
    is_own_account: answer.own_account,
  }
}

const OF_ANOTHER = ['person_type', 'name', 'address', 'country'] as const

/** The fields that an answer still lacks, in the order of the contract; none if it is complete. */
export function missingIn(answer: SenderTravelRule): string[] {
  const source = travelRuleSource(answer)
  return answer.own_account ? [] : OF_ANOTHER.filter((field) => source[field] === null)
}
