/** States of an onboarding: who an organization is, verified by partners and operators. */
import { flow } from '../flow.ts'

export const ONBOARDING_STATUSES = [
  'draft',
  'submitted',
  'in_review',
  'needs_more',
  'verified',
  'rejected',
  'review_due',
  'purged',
] as const
export type OnboardingStatus = (typeof ONBOARDING_STATUSES)[number]

export const onboardingFlow = flow({
  noun: 'onboarding',
  table: 'onboardings',
  workflow: 'onboarding',
  summary: () => 'Verification of an organization',
  states: ONBOARDING_STATUSES,
  driven: ['submitted', 'in_review', 'needs_more', 'verified', 'rejected', 'review_due'],
  asksPeople: ['needs_more', 'verified', 'rejected', 'review_due'],
  events: {
    submit: { from: ['draft', 'needs_more', 'review_due'], to: 'submitted', logs: 'submitted' },
    begin: { from: ['submitted', 'verified'], to: 'in_review', logs: 'review_begun' },
    ask: { from: ['in_review', 'rejected'], to: 'needs_more', logs: 'more_needed' },
    verify: { from: ['in_review'], to: 'verified', logs: 'verified' },
    reject: { from: ['in_review'], to: 'rejected', logs: 'rejected' },
    fall_due: { from: ['verified'], to: 'review_due', logs: 'review_required' },
    purge: {
      from: ['draft', 'submitted', 'in_review', 'needs_more', 'verified', 'rejected', 'review_due'],
      to: 'purged',
      logs: 'purged',
    },
  },
})
