/** Links between people and their names at the identity provider of an organization. */
import type { Origin } from '../../domain/people/actor.ts'
import { type IdentityLinkId, type IdentityProviderId, type UserId, newId } from '../../domain/ids.ts'
import type { IdentityLink } from '../../domain/identity-providers/sign-in.ts'
import { quoteInMail } from '../../domain/text.ts'
import { notify } from '../messages/account-notices.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { recordSecurityEvent } from './security-log.ts'
import { endSessionsIn } from './sessions.ts'

type NewLink = {
  readonly providerId: IdentityProviderId
  readonly userId: UserId
  readonly subject: string
  readonly origin: Origin
}

const columns = (): Fragment => sql`id, organization_id, user_id, subject, inserted_at`

/**
 * Links a member with their name at the provider, in place of an earlier name of theirs. The caller has locked the person,
 * and has a proof or an invitation. Undefined if the name is another member's.
 */
export async function linkIdentity(tx: Tx, link: NewLink): Promise<IdentityLink | undefined> {
  const { providerId, userId, subject, origin } = link
  const [known] = await tx<IdentityLink[]>`
    select ${columns()} from identity_links where provider_id = ${providerId} and subject = ${subject}`
  if (known) return known.user_id === userId ? known : undefined
  await endIdentityLinks(tx, [userId], 'replaced')
  const [made] = await tx<IdentityLink[]>`
    insert into identity_links (id, organization_id, provider_id, user_id, subject)
    values (${newId<'identity_link'>()}, ${tx.organizationId}, ${providerId}, ${userId}, ${subject})
    on conflict do nothing returning ${columns()}`
  if (!made) return undefined
  const [organization] = await tx<{ name: string }[]>`select name from organizations where id = ${tx.organizationId}`
  const name = organization?.name ?? ''
  await recordSecurityEvent(tx, {
    type: 'identity_link.added',
    userId,
    origin,
    details: { identity_link: made.id, organization: tx.organizationId },
  })
  await notify(tx, userId, {
    subject: 'You may sign in with your company now',
    organization: name,
    body: `From now on the identity provider of ${quoteInMail(name)} signs you in to that organization. Such a session sees no other one, and confirms nothing.`,
  })
  return made
}

/** Finds who a provider means by a name. */
export async function findLinked(
  tx: Tx,
  providerId: IdentityProviderId,
  subject: string,
): Promise<{ readonly id: IdentityLinkId; readonly userId: UserId } | undefined> {
  const [found] = await tx<{ id: IdentityLinkId; userId: UserId }[]>`
    select id, user_id as "userId" from identity_links where provider_id = ${providerId} and subject = ${subject}`
  return found
}

export type LinkEnd = 'left' | 'provider_disconnected' | 'replaced'

/** Ends links of the organization with the sessions that they opened; of these people, or of all. */
export async function endIdentityLinks(tx: Tx, people: readonly UserId[] | 'all', reason: LinkEnd): Promise<void> {
  const whose = people === 'all' ? sql`` : sql`and user_id = any (${[...people]}::uuid[])`
  await endSessionsIn(tx, people)
  await tx`
    with over as (
      delete from identity_links where organization_id = ${tx.organizationId} ${whose} returning id, user_id)
    insert into security_events (user_id, type, details)
    select user_id, 'identity_link.ended', jsonb_build_object('identity_link', id, 'reason', ${reason}::text) from over`
}
