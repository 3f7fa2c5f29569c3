/** Steps of an onboarding outside of our tables: papers in storage, and verification by providers. */
import type { OnboardingId, OrganizationId } from '../domain/ids.ts'
import type { ConnectionName } from '../domain/partner.ts'
import type { ProcessRef } from '../domain/process.ts'
import type { Opinion } from '../services/onboarding/reviews.ts'
import { noteUnanswered, recordOpinion } from '../services/onboarding/reviews.ts'
import { openPaper, sealPapers as seal } from '../services/onboarding/papers.ts'
import { type SubmissionInReview, findReviewed } from '../services/onboarding/submission.ts'
import { config } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { asSystem, readerOf } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import type { CheckedDriver } from '../partners/answers.ts'
import { moneyPartner } from '../partners/money-partners.ts'
import { repeatsAtOnce } from './repeats.ts'

/** Encrypts the papers that were submitted. */
export const sealPapers = (ref: ProcessRef<OnboardingId>): Promise<void> => seal(organizationOf(ref))

type Ref = ProcessRef<OnboardingId> & { readonly partner?: ConnectionName }

/** Hands the organization to the provider of a connection, or asks for its verdict. */
export async function reviewAtPartner({ partner, ...ref }: Ref): Promise<void> {
  if (!partner) throw new Error('a review names its connection')
  const organizationId = organizationOf(ref)
  const { id } = ref
  const reviewed = await findReviewed(readerOf(organizationId), id, partner)
  if (!reviewed) return
  const { round } = reviewed
  try {
    const opinion = await ask(moneyPartner(partner), organizationId, reviewed)
    const againSeconds = opinion.status === 'in_review' ? config.partnerPollSeconds : undefined
    await asSystem(organizationId, (tx) =>
      recordOpinion(tx, { onboardingId: id, reviewer: partner, round, opinion, ...(againSeconds && { againSeconds }) }),
    )
  } catch (error) {
    if (repeatsAtOnce(error)) throw error
    log.warn({ err: error, onboarding_id: id, partner }, 'a partner did not answer about an organization')
    await asSystem(organizationId, (tx) => noteUnanswered(tx, { onboardingId: id, reviewer: partner, round }))
  }
}

async function ask(
  driver: CheckedDriver,
  organizationId: OrganizationId,
  { round, submission, status }: SubmissionInReview,
): Promise<Opinion> {
  const { verifyEntity, findEntity } = driver
  if (!verifyEntity || !findEntity) throw new Error('this provider verifies nobody')
  const { documents, ...facts } = submission
  const question = { id: organizationId, round, ...facts }
  const known = status === 'waiting' ? null : await findEntity(question)
  if (known) return known
  const papers = documents.map((paper) => ({
    ...paper,
    read: async () => {
      const bytes = await openPaper(organizationId, paper.id)
      if (!bytes) throw new Error('storage has lost a paper')
      return bytes
    },
  }))
  return verifyEntity({ ...question, documents: papers })
}
