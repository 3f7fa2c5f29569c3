/** Mails about substitutions: to the principal, who did not have to be there, and to the substitute. */
import type { ApprovalId, UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { type Fact, type MailContent, namePerson } from '../../domain/messages/mail.ts'
import type { SubstitutionEnd } from '../../domain/substitutions/substitution.ts'
import { quoteInMail, unlink } from '../../domain/text.ts'
import { linkApproval, linkInbox } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'

type Addressee = { readonly email: string; readonly name: string | null }
type Names = { readonly organization: string; readonly people: ReadonlyMap<UserId, Addressee> }

/** Reads the addresses and names of people, and the name of the organization. */
async function readNames(tx: Tx, ids: readonly UserId[]): Promise<Names> {
  const rows = await tx<(Addressee & { id: UserId; organization: string })[]>`
    select p.id, p.email, ${fullName(sql`p`)} as name, o.name as organization
    from people p join organizations o on o.id = ${tx.organizationId}
    where p.id = any (${[...ids]})`
  const people = new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
  return { organization: rows[0]?.organization ?? '', people }
}

const findPerson = ({ people }: Names, id: UserId): Addressee => people.get(id) ?? { email: '', name: null }

const send = (tx: Tx, to: Addressee, mail: MailContent) =>
  sendMessage(tx, { recipient: to.email, channel: 'email', mail })

type BeginMail = {
  readonly userId: UserId
  readonly substituteId: UserId
  readonly by: UserId
  readonly from: string
  readonly until: string
  readonly reason: string | null
}

/** Mails the principal that they have a substitute, and the substitute that they are one. */
export async function mailBeginning(tx: Tx, beginning: BeginMail): Promise<void> {
  const { userId, substituteId, by, from, until, reason } = beginning
  const names = await readNames(tx, [userId, substituteId, by])
  const organization = quoteInMail(names.organization)
  const facts: readonly Fact[] = [
    ['Member', namePerson(findPerson(names, userId))],
    ['Substitute', namePerson(findPerson(names, substituteId))],
    ['From', minuteOf(from)],
    ['Until', minuteOf(until)],
    ...(reason ? [['Reason', quoteInMail(unlink(reason))] as const] : []),
    ['Named by', namePerson(findPerson(names, by))],
    ['Organization', organization],
  ]
  const footer = aboutOrganization(names.organization)
  await send(tx, findPerson(names, userId), {
    subject: `You have a substitute in ${organization}`,
    paragraphs: [
      'Another member may decide approvals on your behalf. You get a mail of each such decision, can decide yourself at any time, and can end it.',
    ],
    facts,
    action: linkInbox('See what waits for you'),
    footer,
  })
  await send(tx, findPerson(names, substituteId), {
    subject: `You are a substitute in ${organization}`,
    paragraphs: ['You may decide approvals on behalf of another member. Nothing else of theirs is open to you.'],
    facts,
    action: linkInbox('See what waits for you'),
    footer,
  })
}

type End = {
  readonly to: UserId
  readonly user_id: UserId
  readonly substitute_id: UserId
  readonly reason: SubstitutionEnd
}

const ENDS: Readonly<Record<SubstitutionEnd, string>> = {
  ended: 'A person ended it before its time.',
  member_left: 'One of both is no member of the organization any more.',
}

/** Mails the principal or the substitute that a substitution ended before its time. */
export async function mailEnd(
  tx: Tx,
  { to, user_id: userId, substitute_id: substituteId, reason }: End,
): Promise<void> {
  const names = await readNames(tx, [userId, substituteId])
  const organization = quoteInMail(names.organization)
  await send(tx, findPerson(names, to), {
    subject: `A substitution in ${organization} ended`,
    paragraphs: [ENDS[reason]],
    facts: [
      ['Member', namePerson(findPerson(names, userId))],
      ['Substitute', namePerson(findPerson(names, substituteId))],
      ['Organization', organization],
    ],
    action: linkInbox('See what waits for you'),
    footer: aboutOrganization(names.organization),
  })
}

type DecisionMail = {
  readonly principal: UserId
  readonly substitute: UserId
  readonly kind: 'approve' | 'reject'
  readonly approval: { readonly approval_id: ApprovalId; readonly summary: string | null }
}

/** Mails the principal a decision that was made on their behalf. */
export async function mailPrincipal(tx: Tx, { principal, substitute, kind, approval }: DecisionMail): Promise<void> {
  const names = await readNames(tx, [principal, substitute])
  const organization = quoteInMail(names.organization)
  const verb = kind === 'approve' ? 'approved' : 'rejected'
  await send(tx, findPerson(names, principal), {
    subject: `A request in ${organization} was ${verb} on your behalf`,
    paragraphs: [`Your substitute ${verb} a request on your behalf.`],
    facts: [
      ...(approval.summary ? [['Request', unlink(approval.summary)] as const] : []),
      ['Substitute', namePerson(findPerson(names, substitute))],
      ['Organization', organization],
    ],
    action: linkApproval(approval.approval_id, 'See the request'),
    footer: aboutOrganization(names.organization),
  })
}
