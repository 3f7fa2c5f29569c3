/** Entities as Increase shows them: what was said of them, without secrets, and their validation. */
import type Increase from 'increase'
import type { ReviewStatus } from '../../../../domain/onboarding/review.ts'
import type { RowOf } from '../../../db/increase/accounts.ts'
import { timeOf } from '../answers.ts'
import { idOf } from '../ids.ts'

type Row = RowOf<'entity'>
type Validation = Increase.Entity.Validation
type Issue = Increase.Entity.Validation.Issue
type Category = Issue['category']
type Corporation = Increase.EntityCreateParams.Corporation
type Individual = Corporation['beneficial_owners'][number]['individual']

/** Shows an entity that its name has decided about. */
export const showEntity = (row: Row, verdict: ReviewStatus): Increase.Entity => {
  const { account: id, document, made_at: madeAt } = row
  const { order, key, status } = document
  return {
    id,
    corporation: order.corporation ? corporationOf(row, order.corporation) : null,
    created_at: timeOf(madeAt),
    creating_entity_onboarding_session_id: null,
    description: order.description ?? null,
    details_confirmed_at: null,
    government_authority: null,
    idempotency_key: key,
    joint: null,
    natural_person: order.natural_person ? individualOf(order.natural_person) : null,
    risk_rating: null,
    status: status === 'active' && verdict === 'rejected' ? 'disabled' : status,
    structure: order.structure,
    supplemental_documents: (order.supplemental_documents ?? []).map(({ file_id: file }) => ({
      created_at: timeOf(madeAt),
      entity_id: id,
      file_id: file,
      idempotency_key: null,
      type: 'entity_supplemental_document',
    })),
    terms_agreements: [],
    third_party_verification: null,
    trust: null,
    type: 'entity',
    validation: validationOf(row, verdict),
  } satisfies Increase.Entity
}

function validationOf(row: Row, verdict: ReviewStatus): Validation {
  const { issues: simulated } = row.document
  const categories: readonly Category[] = simulated ?? (verdict === 'needs_more' ? ['entity_tax_identifier'] : [])
  const issues = categories.map((category) => issueOf(row, category))
  const pending = simulated === null && verdict === 'in_review'
  return { issues, status: pending ? 'pending' : issues.length > 0 ? 'invalid' : 'valid' }
}

/** Shows an issue; of people it is with the first of them. */
function issueOf(row: Row, category: Category): Issue {
  const owner = { beneficial_owner_id: ownerId(row, 0) }
  return {
    category,
    beneficial_owner_address: category === 'beneficial_owner_address' ? { ...owner, reason: 'mailbox_address' } : null,
    beneficial_owner_identity: category === 'beneficial_owner_identity' ? owner : null,
    entity_address: category === 'entity_address' ? { reason: 'mailbox_address' } : null,
    entity_tax_identifier: category === 'entity_tax_identifier' ? {} : null,
  }
}

const ownerId = ({ id }: Row, at: number): string => idOf('entity_beneficial_owner', id, at.toString(36))

function corporationOf(row: Row, ordered: Corporation): Increase.Entity.Corporation {
  const { name, address, website = null, industry_code: industry = null, legal_identifier: identifier } = ordered
  return {
    name,
    address: addressOf(address),
    beneficial_owners: ordered.beneficial_owners.map(({ individual, prongs, company_title: title = null }, at) => ({
      id: ownerId(row, at),
      company_title: title,
      individual: individualOf(individual),
      prongs,
    })),
    beneficial_ownership_exemption_reason: null,
    email: null,
    incorporation_state: null,
    industry_code: industry,
    legal_identifier: { value: identifier.value, category: identifier.category ?? 'us_employer_identification_number' },
    website,
  }
}

const individualOf = ({ name, date_of_birth: born, address, identification }: Individual) => ({
  name,
  date_of_birth: born,
  address: addressOf(address),
  identification: { method: identification.method, number_last4: identification.number.slice(-4) },
})

const addressOf = ({ line1, line2, city, state, zip, country }: Corporation['address']) => ({
  line1,
  line2: line2 ?? null,
  city,
  state: state ?? null,
  zip: zip ?? null,
  country,
})
