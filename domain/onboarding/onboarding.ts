/** Onboardings as members see them. */
import * as v from 'valibot'
import { describe, model, timestamp } from '../text.ts'
import { OnboardingDocument } from './document.ts'
import { LegalEntity } from './entity.ts'
import { ONBOARDING_STATUSES } from './flow.ts'
import { OnboardingPerson } from './person.ts'
import { Requirement } from './requirements.ts'
import { Review } from './review.ts'

const status = describe(
  v.picklist(ONBOARDING_STATUSES),
  '`needs_more`: a review asks for more; `review_due`: it has to be submitted again by `due_at`.',
)

export const Onboarding = model('Onboarding', {
  status,
  since: describe(v.nullable(timestamp), 'Instant of the status; null before anything is known.'),
  submitted_at: describe(v.nullable(timestamp), 'Instant of the latest submission.'),
  verified_at: describe(v.nullable(timestamp), 'Instant at which it was verified last.'),
  due_at: describe(v.nullable(timestamp), 'Payments stop then unless it is verified again.'),
  review_at: describe(v.nullable(timestamp), 'Instant of the next review.'),
  requirements: describe(v.array(Requirement), 'Requirements, open ones first.'),
  entity: describe(v.nullable(LegalEntity), 'The legal entity; null in the part about yourself.'),
  people: describe(v.array(OnboardingPerson), 'Owners, directors, and who controls it.'),
  documents: describe(v.array(OnboardingDocument), 'Papers of the entity and of its people.'),
  reviews: describe(v.array(Review), 'Verdict of each reviewer: payments by a connection need its own.'),
})
export type Onboarding = v.InferOutput<typeof Onboarding>

export const KybStatus = model('KybStatus', {
  status,
  since: describe(v.nullable(timestamp), 'Instant of the status; null before anything is known.'),
  due_at: describe(v.nullable(timestamp), 'Payments stop then unless it is verified again.'),
  needed: describe(v.array(v.string()), 'Paths of what is open, such as `documents.articles`.'),
})
export type KybStatus = v.InferOutput<typeof KybStatus>
