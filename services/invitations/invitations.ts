/** Invitations: found, listed, and their mails. */
import { refuse } from '../../domain/errors.ts'
import type { InvitationId, UserId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { INVITATION_DAYS, type Invitation, type InvitationFilters } from '../../domain/invitations/invitation.ts'
import { aboutOrganization, becauseEntered } from '../../domain/messages/footers.ts'
import { namePerson } from '../../domain/messages/mail.ts'
import type { Page } from '../../domain/pagination.ts'
import { type Permission, type Preset, type Role, presetOf } from '../../domain/permissions.ts'
import { quoteInMail } from '../../domain/text.ts'
import { linkToken } from '../../platform/mail-links.ts'
import { sendMessage } from '../messages/messages.ts'
import { withWords } from '../../db/postgres/filters.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { countMails } from '../rate-limits.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, type Tx, sql } from '../../db/postgres/sql.ts'

type InvitationRow = Omit<Invitation, 'card_limit' | 'preset'> & {
  card_limit: string | null
  permissions_removed: Permission[]
}

/** The invitations that are shown: what expired is not, also before the run has recorded it. */
const selectShown = (): Fragment => sql`
  select id, organization_id, email, role, status, card_approved, card_limit, accepted_at, approval_request_id,
    expires_at, inserted_at, exists (select from people p where p.email = invitations.email) as user_exists,
    permissions_removed
  from invitations
  where (status in ('accepted', 'pending_approval') or (status = 'pending' and expires_at > business_now()))`

const toInvitation = ({ permissions_removed: removed, ...row }: InvitationRow): Invitation => ({
  ...row,
  preset: presetOf(removed),
  card_limit: row.card_limit === null ? null : Number(row.card_limit),
})

/** Reads an invitation; refuses `not_found`, also for one that was declined, deleted or has expired. */
export async function findInvitation(reader: Reader, id: InvitationId): Promise<Invitation> {
  const [found] = await findInvitations(reader, [id])
  return found ?? refuse('not_found')
}

/** Reads those of the invitations that are shown, in the order that is asked for. */
export async function findInvitations(reader: Reader, ids: readonly InvitationId[]): Promise<Invitation[]> {
  const rows = await reader<InvitationRow>(sql`
    ${selectShown()} and id = any (${[...ids]}) and organization_id = ${reader.organizationId}
    order by array_position(${[...ids]}::uuid[], id)`)
  return rows.map(toInvitation)
}

/** Lists invitations, newest first. A cursor also resolves if its invitation has left the list. */
export async function listInvitations(reader: Reader, filters: InvitationFilters): Promise<Page<Invitation>> {
  const { status, q } = filters
  const select = sql`${selectShown()}
    ${status ? sql`and status = ${status}` : sql``} ${withWords(q, [sql`email`])}`
  const page = await pageOf<InvitationRow>(reader, 'invitations', filters, select)
  return { ...page, data: page.data.map(toInvitation) }
}

export type InvitationMail = { readonly email: string; readonly role: Role; readonly token: string } & {
  readonly preset: Preset | null
}

/** Says in a mail what a preset leaves. */
const LIMITS: Readonly<Record<Preset, string>> = {
  reader: 'reads only',
  accountant: 'reads, codes and exports',
  preparer: 'prepares and asks, never decides',
}

/** Mails each of them if the transaction commits. Refuses `rate_limited` for an address with too many mails. */
export async function mailInvitations(tx: Tx, invitedBy: UserId, mails: readonly InvitationMail[]): Promise<void> {
  const [names] = await tx<{ organization: string; name: string | null; email: string; until: string }[]>`
    select o.name as organization, ${fullName(sql`p`)} as name, p.email,
      business_now() + make_interval(days => ${INVITATION_DAYS}) as until
    from organizations o, people p where o.id = ${tx.organizationId} and p.id = ${invitedBy}`
  if (!names) throw new Error('an invitation by nobody')
  const addresses = mails.map(({ email }) => email)
  await countMails(tx, addresses)
  const inviter = namePerson(names)
  const organization = quoteInMail(names.organization)
  for (const { email, role, token, preset } of mails) {
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      token,
      mail: {
        subject: 'You are invited to an organization',
        paragraphs: [
          `${inviter} invites you to join ${organization} as ${role}.`,
          'Sign in, or sign up with this address, and accept or decline.',
        ],
        facts: [
          ['Organization', organization],
          ['Invited by', inviter],
          ['Role', preset ? `${role}: ${LIMITS[preset]}` : role],
          ['Until', minuteOf(names.until)],
        ],
        action: linkToken('invitation', token, 'See the invitation'),
        footer: becauseEntered(`You receive this mail because a member of ${organization} entered your address.`),
      },
    })
  }
}

/** Mails the answer to the inviter, if they are still a member. */
export async function mailInviter(tx: Tx, id: InvitationId, answer: 'accepted' | 'declined'): Promise<void> {
  const [told] = await tx<{ recipient: string; email: string; role: Role; organization: string }[]>`
    select p.email as recipient, i.email, i.role, o.name as organization
    from invitations i
    join organizations o on o.id = i.organization_id
    join members m on m.organization_id = i.organization_id and m.user_id = i.invited_by
    join people p on p.id = m.user_id
    where i.id = ${id}`
  if (!told) return
  await sendMessage(tx, {
    recipient: told.recipient,
    channel: 'email',
    mail: {
      subject: `Your invitation was ${answer}`,
      paragraphs: [`${told.email} ${answer} your invitation to ${quoteInMail(told.organization)} as ${told.role}.`],
      footer: aboutOrganization(told.organization),
    },
  })
}
