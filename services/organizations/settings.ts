/** Settings that an owner decides for all members of an organization. */
import { requireTimeZone } from './time-zones.ts'
import type { Person } from '../../domain/people/actor.ts'
import { applyChange } from '../../domain/changes.ts'
import { refuse } from '../../domain/errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import { organizationEvents } from '../../domain/organizations/events.ts'
import type { OrganizationSettings, OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { canonicalMoney } from '../../domain/money/money.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import { DECIDING, grants, ROLES } from '../../domain/permissions.ts'
import { quoteInMail } from '../../domain/text.ts'
import { newCause, record } from '../events.ts'
import { wakeOpenInvoices } from '../invoices/steps.ts'
import { sendMessage } from '../messages/messages.ts'
import { endWhere } from '../people/sessions.ts'
import { fullName } from '../../db/postgres/fragments.ts'
import { type Reader, type Tx, first, sql } from '../../db/postgres/sql.ts'

const SETTINGS = [
  'requires_authenticator',
  'invoice_prefix',
  'credit_note_prefix',
  'invoice_reminder_days',
  'postal_address',
  'vat_id',
  'contact_name',
  'contact_phone',
  'time_zone',
  'time_zone_from',
  'account_change_hours',
  'account_change_free_amount',
  'payee_check',
] as const satisfies (keyof OrganizationSettings)[]

export async function findSettings(reader: Reader): Promise<OrganizationSettings> {
  const settings = await first(
    reader<OrganizationSettings>(sql`select ${sql(SETTINGS)} from organizations where id = ${reader.organizationId}`),
  )
  return settings ?? refuse('not_found')
}

type Change = { readonly tx: Tx; readonly person: Person; readonly body: OrganizationSettingsChanges }

/**
 * Changes what is given and answers all of it. A change to the same values writes no event. The caller holds the lock
 * of memberships: a person who joins at this moment comes before, or meets the requirement.
 */
export async function changeSettings({ tx, person, body: given }: Change): Promise<OrganizationSettings> {
  const money = given.account_change_free_amount
  const body = money ? { ...given, account_change_free_amount: canonicalMoney(money) } : given
  const [before] = await tx<OrganizationSettings[]>`
    select ${sql(SETTINGS)} from organizations where id = ${tx.organizationId} for no key update`
  if (!before) refuse('not_found')
  const { after, changed } = applyChange({ ...before }, body)
  if (changed.length === 0) return before
  requireOwnNumbers(after, changed)
  if (changed.includes('time_zone')) after.time_zone_from = await startTimeZone(tx, after.time_zone)
  const { requires_authenticator: required, postal_address: address, account_change_free_amount: free } = after
  const json = { postal_address: address && sql.json(address), account_change_free_amount: free && sql.json(free) }
  await tx`
    update organizations set ${tx({ ...after, ...json })}
    where id = ${tx.organizationId}`
  const turns = changed.includes('requires_authenticator')
  const payload = { changed, ...(turns && { requires_authenticator: required }) }
  await record(tx, organizationEvents.settings_changed, { subjectId: tx.organizationId, cause: newCause(), payload })
  if (changed.includes('invoice_reminder_days')) await wakeOpenInvoices(tx)
  if (turns && required) await enforceAuthenticator(tx, person.sessionId)
  if (changed.some((name) => name.startsWith('account_change_'))) await mailWaiting(tx, person, before, after)
  return after
}

/** Mails those who confirm changed accounts how long these wait now: one of them could end it alone for a payment. */
async function mailWaiting(tx: Tx, person: Person, before: OrganizationSettings, after: OrganizationSettings) {
  const roles = ROLES.filter((role) => grants(role, 'payment_destinations.update'))
  const members = await tx<{ recipient: string; organization: string; by: string | null }[]>`
    select p.email as recipient, o.name as organization,
      (select ${fullName(sql`w`)} from people w where w.id = ${person.userId}) as by
    from members m join people p on p.id = m.user_id join organizations o on o.id = m.organization_id
    where o.id = ${tx.organizationId} and m.role = any (${[...roles]})
      and not (m.permissions_removed && ${['payment_destinations.update', DECIDING]}::text[]) and p.id <> ${person.userId} order by p.id`
  const hours = ({ account_change_hours: count }: OrganizationSettings) => `${count} hours`
  const free = ({ account_change_free_amount: money }: OrganizationSettings) =>
    money ? `${money.amount} ${money.currency}` : 'none'
  for (const { recipient, organization, by } of members) {
    await sendMessage(tx, {
      recipient,
      channel: 'email',
      mail: {
        subject: `Changed bank accounts of payees wait otherwise now at ${quoteInMail(organization)}`,
        paragraphs: [
          'Payments to another bank account than a payee was last paid at wait, unless a call has confirmed it. A member has changed how long they wait, or what is paid meanwhile. It holds for accounts that wait already, too.',
        ],
        facts: [
          ['Waiting', `${hours(before)}, now ${hours(after)}`],
          ['Paid meanwhile', `${free(before)}, now ${free(after)}`],
          ...(by ? [['Changed by', quoteInMail(by)] as const] : []),
        ],
        footer: aboutOrganization(organization),
      },
    })
  }
}

/**
 * Keeps the zone that counts until its next midnight, from which another one does. Returns that midnight. Refuses a name
 * that the database does not know.
 */
async function startTimeZone(tx: Tx, zone: string): Promise<string> {
  await requireTimeZone(tx, zone)
  const [kept] = await tx<{ from: string }[]>`
    update organizations set former_time_zone = time_zone_at(id, business_now())
    where id = ${tx.organizationId}
    returning zone_midnight(former_time_zone, local_date(id, business_now()) + 1) as from`
  if (!kept) refuse('not_found')
  return kept.from
}

/** Refuses a prefix by which an invoice and a credit note would have the same number. */
function requireOwnNumbers(
  { invoice_prefix: one, credit_note_prefix: other }: OrganizationSettings,
  changed: readonly string[],
) {
  const path = changed.find((name) => name === 'invoice_prefix' || name === 'credit_note_prefix')
  if (!path || one !== other) return
  const message = 'must differ between invoices and credit notes'
  refuse('invalid_request', { errors: [{ path, code: 'same_prefix', message }] })
}

/**
 * Ends the sessions of members without a required authenticator, except the kept session. A sign-in at this moment
 * comes before or after. The caller holds the lock of memberships.
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
    // a session of another company does not see this one, and is not told what it requires
    const seeing = sql`s.user_id = ${userId} and coalesce(s.company_id, ${tx.organizationId}) = ${tx.organizationId}`
    const others = sql`${seeing} and s.id is distinct from ${kept}::uuid`
    await endWhere(tx, others, null, 'authenticator_required')
    await sendMessage(tx, {
      recipient: email,
      channel: 'email',
      mail: {
        subject: 'An authenticator app is required of you',
        paragraphs: [
          `${quoteInMail(organization)} requires an authenticator app of its members, and you have none.`,
          'Sessions without one were ended: sign in again, and set it up.',
        ],
        footer: aboutOrganization(organization),
      },
    })
  }
}

/** Refuses `forbidden` without the authenticator that the organization requires. The caller has locked the person. */
export async function requireAuthenticator(tx: Tx, userId: UserId): Promise<void> {
  const lacking = await tx`
    select from organizations o where o.id = ${tx.organizationId} and o.requires_authenticator
      and not exists (select from authenticators a where a.user_id = ${userId})`
  if (lacking.length > 0) refuse('forbidden', { reason: 'authenticator_required' })
}
