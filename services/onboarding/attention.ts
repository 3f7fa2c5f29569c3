/** Attention for an organization that has to say who it is, or is asked for more. */
import type { OnboardingStatus } from '../../domain/onboarding/flow.ts'
import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'
import { isOnboardingRequired } from '../payers/payers.ts'

const Subject = itemSubject('onboarding', { organization_id: uuid })
const standing = actionFor('organization.update')

type Facts = { readonly status: OnboardingStatus }

const NeededAction = itemAction('onboarding_needed', { organization_id: uuid })

/** Raised where organizations have to be verified, until it is submitted. */
export const onboardingNeeded: Kind<Facts, typeof NeededAction, typeof Subject> = {
  kind: 'onboarding_needed',
  audience: 'organization',
  action: NeededAction,
  subjects: [Subject],
  items: (reader) => sql`
    select o.id as obligation_id, o.inserted_at as raised_at, null::timestamptz as due_at, coalesce(b.status, 'draft') as status
    from organizations o left join onboardings b on b.organization_id = o.id
    where o.id = ${reader.organizationId} and ${isOnboardingRequired()} and coalesce(b.status, 'draft') = 'draft'`,
  raisedAt: (reader, id) => sql`
    (select o.inserted_at from organizations o where o.id = ${reader.organizationId} and o.id = ${id}::uuid)`,
  standing,
  describe: (reader, { id }, viewer) => ({
    title: 'Say who your organization is',
    summary: 'Banks pay for organizations alone that they know: add its details, people and papers, and submit them.',
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/onboarding`,
    action: { kind: 'onboarding_needed', organization_id: id },
    subject: { type: 'onboarding', organization_id: id },
  }),
}

const MoreAction = itemAction('onboarding_more_needed', { organization_id: uuid })

/** Raised when a review asks for more, or is due, until it is submitted again. */
export const onboardingMoreNeeded: Kind<Facts, typeof MoreAction, typeof Subject> = {
  kind: 'onboarding_more_needed',
  audience: 'organization',
  action: MoreAction,
  subjects: [Subject],
  items: (reader) => sql`
    select b.organization_id as obligation_id, b.since as raised_at, b.due_at, b.status from onboardings b
    where b.organization_id = ${reader.organizationId} and b.status in ('needs_more', 'review_due')`,
  raisedAt: (reader, id) => sql`
    (select max(e.occurred_at) from events e join onboardings b on b.id = e.subject_id
      where b.organization_id = ${reader.organizationId} and b.organization_id = ${id}::uuid
        and e.type in ('onboarding.more_needed', 'onboarding.review_required'))`,
  standing,
  describe: (reader, { id, facts: { status } }, viewer) => ({
    title:
      status === 'needs_more'
        ? 'Add what is missing about your organization'
        : 'Review the details of your organization',
    summary:
      status === 'needs_more'
        ? 'The review of your organization asks for more: see what is missing, add it, and submit it again.'
        : 'The details of your organization have to be reviewed again: look at them, and submit them.',
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/onboarding`,
    action: { kind: 'onboarding_more_needed', organization_id: id },
    subject: { type: 'onboarding', organization_id: id },
  }),
}
