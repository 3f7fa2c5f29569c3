/** The travel rule: who sent coins of some worth is known before they are credited. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { model, line, nullableText, uuid, describe, object } from '../text.ts'

export const RELATIONSHIPS = ['self', 'family', 'friend', 'business_associate', 'vendor', 'employee', 'other'] as const
export const PERSON_TYPES = ['natural', 'legal'] as const
const optional = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema))

/** An optional text about the sender, with a letter or digit. */
const senderText = (max: number) =>
  optional(
    v.pipe(
      line(0, max),
      v.check((value) => value.trim() === '' || /[\p{L}\p{N}]/u.test(value), 'no_letter'),
    ),
  )

/** Body of POST /deposits/{deposit_id}/sender-travel-rule; the last four fields name another sender. */
export const SenderTravelRule = v.pipe(
  object({
    own_account: describe(v.boolean(), 'True if the money comes from an own account.'),
    attestation: describe(v.literal(true), 'Always true: the statements are attested.'),
    relationship: optional(v.picklist(RELATIONSHIPS)),
    account_reference: senderText(255),
    person_type: optional(v.picklist(PERSON_TYPES)),
    name: describe(senderText(255), 'Name of the sender.'),
    address: describe(senderText(1000), 'Address of the sender, in lines.'),
    country: optional(Country),
  }),
  v.description('If `own_account` is true, nothing else but `account_reference` counts.'),
  v.title('SenderTravelRule'),
)
export type SenderTravelRule = v.InferOutput<typeof SenderTravelRule>

/** The answer as it is sealed and answered. */
const TravelRuleSource = model('TravelRuleSource', {
  account_reference: nullableText,
  address: nullableText,
  country: nullableText,
  name: nullableText,
  person_type: nullableText,
  relationship: nullableText,
  is_own_account: describe(v.boolean(), 'True if the money comes from an own account.'),
})
export type TravelRuleSource = v.InferOutput<typeof TravelRuleSource>

export const TravelRuleResult = model('TravelRuleResult', {
  deposit_id: uuid,
  needs_sender_travel_rule: v.boolean(),
  travel_rule_complete: describe(v.boolean(), 'Always true: an answer that lacks something is refused, and not kept.'),
  source: TravelRuleSource,
})
export type TravelRuleResult = v.InferOutput<typeof TravelRuleResult>

const textOrNull = (value: string | null | undefined): string | null => value?.trim() || null

/** Selects what is stored of an answer; of an own account no other person. */
export function travelRuleSource(answer: SenderTravelRule): TravelRuleSource {
  const other = answer.own_account ? null : answer
  return {
    account_reference: textOrNull(answer.account_reference),
    address: textOrNull(other?.address),
    country: textOrNull(other?.country),
    name: textOrNull(other?.name),
    person_type: textOrNull(other?.person_type),
    relationship: answer.own_account ? 'self' : textOrNull(answer.relationship),
    is_own_account: answer.own_account,
  }
}

const OF_ANOTHER = ['person_type', 'name', 'address', 'country'] as const

/** Lists the fields that an answer lacks, in the order of the contract. */
export function missingIn(answer: SenderTravelRule): string[] {
  const source = travelRuleSource(answer)
  return answer.own_account ? [] : OF_ANOTHER.filter((field) => source[field] === null)
}
