/** An onboarding: submitted, reviewed by partners and operators, verified, and reviewed again in time. */
import type { OnboardingId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { heavy, mover, record } from './proxies.ts'
import { Run } from './run.ts'

export async function onboarding(ref: ProcessRef<OnboardingId>): Promise<string> {
  const run = new Run(ref, record.viewOnboarding)
  for await (const onboarding of run.rows()) {
    if (onboarding.purge_due) {
      await run.step(record.purgeOnboarding)
      continue
    }
    switch (onboarding.status) {
      case 'submitted':
        await run.step(onboarding.papers_due ? heavy().sealPapers : record.beginReview)
        break
      case 'in_review':
        if (onboarding.verdict) await run.step(record.settleReview)
        else if (onboarding.partner) await run.step(reviewAt(onboarding.partner))
        else await run.wait('Verdict of the reviewers')
        break
      case 'needs_more':
      case 'review_due':
        if (onboarding.reminder_due) await run.step(record.remindOnboarding)
        else await run.wait('Submission by the organization')
        break
      case 'verified':
        if (onboarding.review_due === 'connection') await run.step(record.beginReview)
        else if (onboarding.review_due === 'time') await run.step(record.requirePeriodicReview)
        else await run.wait('Next review')
        break
      case 'rejected':
        await run.wait('Another verdict of operators')
        break
      default:
        throw new Error(`nothing drives an onboarding that is ${onboarding.status}`)
    }
  }
  return run.status
}

/** Asks the provider of a connection. */
const reviewAt = (partner: string) => (process: ProcessRef<OnboardingId>) =>
  mover({ partner }).reviewAtPartner({ ...process, partner })
