/** Approvals and rules that a deactivation leaves without enough approvers: logged, and mailed to the owners. */
import { findUnmeetable } from '../../domain/approvals/policy.ts'
import { type Reviewer, isSatisfiable } from '../../domain/approvals/requirements.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { quoteInMail } from '../../domain/text.ts'
import { linkInbox } from '../../platform/mail-links.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import { pendingGroups } from '../approvals/pending.ts'
import { rulesOf } from '../approvals/policies.ts'
import { membersWithRoles } from '../membership-lock.ts'
import { sendMessage } from '../messages/messages.ts'

/** Requirements that wait and rules in force that the members of a moment cannot meet. */
type Unmet = { readonly waits: ReadonlySet<string>; readonly rules: readonly number[] }

/** Finds what the present members cannot approve. */
export async function findUnmet(tx: Tx): Promise<Unmet> {
  const [people, groups, rules] = [
    await membersWithRoles(within(tx)),
    await pendingGroups(within(tx)),
    await rulesOf(within(tx)),
  ]
  const waits = groups.filter(({ wait }) => !isSatisfiable(wait, people)).map(({ id }) => id)
  return { waits: new Set(waits), rules: rules.flatMap((rule, index) => (isMet(rule, people) ? [] : [index])) }
}

const isMet = (rule: Parameters<typeof findUnmeetable>[0][number], people: readonly Reviewer[]): boolean =>
  findUnmeetable([rule], people) === null

/** Number of requests that nobody can approve any more, and the places of such rules. */
export type Loss = { readonly approvals: number; readonly rules: number[] }

type Since = { readonly before: Unmet; readonly organization: string }

/** Reports what cannot be approved any more: the event that `log` writes, and a mail to each owner. */
export async function reportLoss(
  tx: Tx,
  { before, organization }: Since,
  log: (loss: Loss) => Promise<void>,
): Promise<void> {
  const after = await findUnmet(tx)
  const waits = [...after.waits].filter((id) => !before.waits.has(id))
  const rules = after.rules.filter((index) => !before.rules.includes(index))
  if (waits.length + rules.length === 0) return
  const [counted] = await tx<{ approvals: number }[]>`
    select count(*)::integer as approvals from approvals
    where organization_id = ${tx.organizationId} and status = 'pending' and wait_id = any (${waits}::uuid[])
      and expires_at > business_now()`
  const approvals = counted?.approvals ?? 0
  await log({ approvals, rules })
  const name = quoteInMail(organization)
  await mailOwners(tx, organization, 'Approvals lack an approver', [
    `The identity provider of ${name} ended or changed a membership. ${sentenceOf(approvals, rules)}`,
    'Give another member the role that is needed, change the approval policy, or withdraw what waits.',
  ])
}

const sentenceOf = (approvals: number, rules: readonly number[]): string =>
  [
    ...(approvals > 0 ? [`Requests that wait now and nobody left could approve: ${approvals}.`] : []),
    ...(rules.length > 0
      ? [`Rules of the approval policy that the members cannot meet: ${rules.map((index) => index + 1).join(', ')}.`]
      : []),
  ].join(' ')

/** Mails all owners of the organization. */
export async function mailOwners(
  tx: Tx,
  organization: string,
  subject: string,
  paragraphs: readonly string[],
): Promise<void> {
  const owners = await tx<{ email: string }[]>`
    select p.email from members m join people p on p.id = m.user_id
    where m.organization_id = ${tx.organizationId} and m.role = 'owner' order by p.id`
  for (const { email } of owners) {
    const mail = {
      subject,
      paragraphs: [...paragraphs],
      action: linkInbox('See what waits'),
      footer: aboutOrganization(organization),
    }
    await sendMessage(tx, { recipient: email, channel: 'email', mail })
  }
}
