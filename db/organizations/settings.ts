/** What an owner decides for everybody in an organization. */
import { newCause, record } from '../events.ts'
import { lockMemberships } from '../locks.ts'
import { wakeOpenInvoices } from '../invoices/wakes.ts'
import { sendMessage } from '../messages/messages.ts'
import type { Person } from '../../domain/actor.ts'
import { applied } from '../../domain/changes.ts'
import { refuse } from '../../domain/errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import type { OrganizationSettings, OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { quotedInMail } from '../../domain/text.ts'
import { endSessions } from '../people/sessions.ts'
import { type Reader, type Tx, first, sql } from '../sql.ts'

const SETTINGS = [
  'requires_authenticator',
  'invoice_prefix',
  'invoice_reminder_days',
  'postal_address',
  'vat_id',
  'contact_name',
  'contact_phone',
] as const satisfies (keyof OrganizationSettings)[]

/** The settings of the organization. */
export async function findSettings(reader: Reader): Promise<OrganizationSettings> {
  const settings = await first(
    reader<OrganizationSettings>(sql`select ${sql(SETTINGS)} from organizations where id = ${reader.organizationId}`),
  )
  return settings ?? refuse('not_found')
}

/**
 * Changes what is given and answers all of it. The event names what is another than before, and is written only if
 * something is; whether an authenticator is required stands in it. One that is required from now on is required of
 * whoever is signed in: `enforceAuthenticator()`.
 */
export async function changeSettings(
  tx: Tx,
  { sessionId }: Person,
  changes: OrganizationSettingsChanges,
): Promise<OrganizationSettings> {
  await lockMemberships(tx, 'keep') // who joins at this moment comes before, or meets what is required
  const [before] = await tx<OrganizationSettings[]>`
    select ${sql(SETTINGS)} from organizations where id = ${tx.organizationId} for no key update`
  if (!before) refuse('not_found')
  const { after, changed } = applied({ ...before }, changes)
  if (changed.length === 0) return before
  const { requires_authenticator: required, postal_address: address } = after
  await tx`
    update organizations set ${tx({ ...after, postal_address: address && sql.json(address) })}
    where id = ${tx.organizationId}`
  await record(tx, organizationEvents.settings_changed, {
    subjectId: tx.organizationId,
    cause: newCause(),
    payload: {
      changed,
      ...(changed.includes('requires_authenticator') && { requires_authenticator: required }),
    },
  })
  if (changed.includes('invoice_reminder_days')) await wakeOpenInvoices(tx)
  if (changed.includes('requires_authenticator') && required) await enforceAuthenticator(tx, sessionId)
  return after
}

/**
 * Ends the sessions of members without the authenticator that the organization requires, but for the one that is kept:
 * that one can set it up, and confirms nothing before. Signing in again asks for the setup. Whoever signs in, or
 * removes their authenticator, at this moment comes before or after. The caller holds the lock of memberships.
 */
export async function enforceAuthenticator(tx: Tx, kept: SessionId | null): Promise<void> {
  await tx`
    select from people p join members m on m.user_id = p.id where m.organization_id = ${tx.organizationId}
    order by p.id for no key update of p`
  const lacking = await tx<{ user_id: UserId; email: string; organization: string }[]>`
    select m.user_id, p.email, o.name as organization
    from organizations o join members m on m.organization_id = o.id join people p on p.id = m.user_id
    where o.id = ${tx.organizationId} and o.requires_authenticator
      and not exists (select from authenticators a where a.user_id = m.user_id)
    order by m.user_id`
  for (const { user_id: userId, email, organization } of lacking) {
    await endSessions(tx, userId, kept, null, 'authenticator_required')
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      subject: 'An authenticator app is required of you',
      body: `${quotedInMail(organization)} requires an authenticator app of its members, and you have none. Sessions without one were ended: sign in again, and set it up.`,
    })
  }
}

/**
 * Refuses `forbidden` if the organization requires an authenticator and the person has none. The caller has locked
 * them.
 */
export async function requireAuthenticator(tx: Tx, userId: UserId): Promise<void> {
  const lacking = await tx`
    select from organizations o where o.id = ${tx.organizationId} and o.requires_authenticator
      and not exists (select from authenticators a where a.user_id = ${userId})`
  if (lacking.length > 0) refuse('forbidden', { reason: 'authenticator_required' })
}
