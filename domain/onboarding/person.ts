/** People of a legal entity: owners, directors, and who controls it. */
import * as v from 'valibot'
import { Country } from '../country.ts'
import { distinct } from '../distinct.ts'
import { id } from '../ids.ts'
import { day } from '../pagination.ts'
import { NewPostalAddress, PostalAddress } from '../party.ts'
import { describe, line, maybe, model, nullableText, timestamp, uuid } from '../text.ts'

/** Beneficial owner: 25 % or more, direct or not (Directive (EU) 2015/849, article 3(6)). */
export const PERSON_ROLES = ['beneficial_owner', 'controlling_person', 'director'] as const
export type PersonRole = (typeof PERSON_ROLES)[number]

/** People of one entity at most. */
export const PEOPLE_MAX = 25

const ROLES_OF = v.pipe(v.array(v.picklist(PERSON_ROLES)), v.minLength(1), distinct(String))
const SHARE = /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/
const Share = v.pipe(
  v.string(),
  v.regex(SHARE, 'must be percent from 0 to 100 with at most two decimals, such as 25.00'),
)

/** Some banks compare it with their registers; a document alone has it in a picture. */
const IDENTITY_NUMBER = 'Tax number, or that of the document.'

const facts = {
  name: describe(maybe(line(1, 255)), 'Name as the identity document has it.'),
  born_on: describe(maybe(day), 'Day of birth.'),
  nationality: describe(maybe(Country), 'Country of the nationality.'),
  address: describe(maybe(NewPostalAddress), 'Home address.'),
  identity_number: describe(maybe(line(4, 64)), IDENTITY_NUMBER),
}
const place = {
  roles: describe(ROLES_OF, 'Roles of the person in the entity.'),
  share: describe(maybe(Share), 'Percent that an owner holds, direct or not.'),
  user_id: describe(maybe(id<'user'>()), 'Member who fills in their own part.'),
}

/** Body of POST …/onboarding/people. */
export const NewOnboardingPerson = model('NewOnboardingPerson', { ...place, ...facts })
export type NewOnboardingPerson = v.InferOutput<typeof NewOnboardingPerson>

/** Body of PATCH …/onboarding/people/{person_id}: absent fields stay, null clears. Members change their own facts alone. */
export const OnboardingPersonChanges = model('OnboardingPersonChanges', {
  ...place,
  roles: v.optional(ROLES_OF),
  ...facts,
})
export type OnboardingPersonChanges = v.InferOutput<typeof OnboardingPersonChanges>

/** Fields that a person fills in about themselves; all else is up to who may update the organization. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(facts))

/** Facts about a person as they are sealed. */
export type PersonFacts = {
  readonly name: string | null
  readonly born_on: string | null
  readonly nationality: string | null
  readonly address: PostalAddress | null
  /** Tax number, or number of the identity document; a provider asks for it, the service does not. */
  readonly identity_number: string | null
  readonly share: string | null
}

export const OnboardingPerson = model('OnboardingPerson', {
  id: uuid,
  roles: v.array(v.picklist(PERSON_ROLES)),
  name: nullableText,
  born_on: describe(v.nullable(v.pipe(v.string(), v.isoDate())), 'Day of birth.'),
  nationality: describe(nullableText, 'Country of the nationality.'),
  address: v.nullable(PostalAddress),
  identity_number: describe(nullableText, IDENTITY_NUMBER),
  share: describe(nullableText, 'Percent that an owner holds, direct or not.'),
  is_member: describe(v.boolean(), 'A member, who fills in their own part.'),
  user_id: v.nullable(uuid),
  inserted_at: timestamp,
})
export type OnboardingPerson = v.InferOutput<typeof OnboardingPerson>
