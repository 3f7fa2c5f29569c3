/** Verdict of operators on an organization, in test, where no operators are. */
import * as v from 'valibot'
import { refuse } from '../../domain/errors.ts'
import { eventsFrom } from '../../domain/flow.ts'
import { type OnboardingId, id } from '../../domain/ids.ts'
import { KybStatus } from '../../domain/onboarding/onboarding.ts'
import { type OnboardingStatus, onboardingFlow } from '../../domain/onboarding/flow.ts'
import { SERVICE, WantedField } from '../../domain/onboarding/review.ts'
import { describe } from '../../domain/text.ts'
import { asSystem, first, readerOf } from '../../db/postgres/sql.ts'
import { findKybStatus } from '../../services/onboarding/onboarding.ts'
import { recordOpinion } from '../../services/onboarding/reviews.ts'
import { operations } from '../../api/http/operation.ts'

const { byHand } = operations('Sandbox')

export const sandboxOnboarding = [
  byHand('post', '/sandbox/onboarding', 'decideOnboarding')
    .says('Decide about an organization as the operators would', 'Stand-ins of partners decide by themselves.')
    .for('sandbox')
    .takes(
      v.object({
        organization_id: id<'organization'>(),
        status: describe(v.picklist(['verified', 'needs_more', 'rejected']), 'Verdict of the operators.'),
        asks: v.optional(v.array(WantedField), []),
      }),
    )
    .refuses('not_found', 'invalid_state')
    .answers(KybStatus)
    .does(async ({ body: { organization_id: organizationId, status, asks } }) => {
      await asSystem(organizationId, async (tx) => {
        const found = await first(
          tx<{ id: OnboardingId; status: OnboardingStatus; round: number }[]>`
            select id, status, round from onboardings where organization_id = ${organizationId} for no key update`,
        )
        if (!found) refuse('not_found')
        const opined = { onboardingId: found.id, reviewer: SERVICE, round: found.round, opinion: { status, asks } }
        if (await recordOpinion(tx, opined)) return
        refuse('invalid_state', { current: found.status, allowed: eventsFrom(onboardingFlow, found.status) })
      })
      return findKybStatus(readerOf(organizationId))
    }),
]
