/** Mails about an onboarding, to those who may submit it: no details of the entity, and none of its people. */
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { minuteOf } from '../../domain/instants.ts'
import type { OnboardingStatus } from '../../domain/onboarding/flow.ts'
import type { Verdict } from '../../domain/onboarding/review.ts'
import { quoteInMail } from '../../domain/text.ts'
import { linkOnboarding } from '../../platform/mail-links.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { managersWith } from '../messages/account-notices.ts'
import { sendMessage } from '../messages/messages.ts'

type Words = { readonly subject: string; readonly paragraph: string }

const OUTCOMES: Readonly<Record<Verdict, Words>> = {
  ask: {
    subject: 'More is needed to verify your organization',
    paragraph: 'The review of your organization asks for more. See what is missing, add it, and submit it again.',
  },
  verify: {
    subject: 'Your organization is verified',
    paragraph: 'The review of your organization is done: it is verified.',
  },
  reject: {
    subject: 'Your organization was not verified',
    paragraph: 'The review of your organization has ended, and it is not verified. Payments by banks are not possible.',
  },
}

export const mailOutcome = (tx: Tx, verdict: Verdict): Promise<void> => mailManagers(tx, OUTCOMES[verdict])

export const mailReminder = (
  tx: Tx,
  { status, due_at: due }: { readonly status: OnboardingStatus; readonly due_at: string | null },
): Promise<void> => {
  const until = due ? ` Payments by banks stop at ${minuteOf(due)} unless it is submitted before.` : ''
  return mailManagers(
    tx,
    status === 'review_due'
      ? {
          subject: 'Your organization has to be reviewed again',
          paragraph: `Please look at the details of your organization, and submit them again.${until}`,
        }
      : { subject: OUTCOMES.ask.subject, paragraph: `${OUTCOMES.ask.paragraph}${until}` },
  )
}

async function mailManagers(tx: Tx, { subject, paragraph }: Words): Promise<void> {
  for (const { email, organization } of await managersWith(tx, 'organization.update')) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      mail: {
        subject,
        paragraphs: [paragraph],
        facts: [['Organization', quoteInMail(organization)]],
        action: linkOnboarding(tx.organizationId),
        footer: aboutOrganization(organization),
      },
    })
  }
}
