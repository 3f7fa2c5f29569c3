/** Sign-in of an owner by a passkey, past the identity provider that the organization wants: all owners hear of it. */
import type { Origin } from '../../domain/people/actor.ts'
import type { IdentityProviderId, OrganizationId, UserId } from '../../domain/ids.ts'
import { providerEvents } from '../../domain/identity-providers/events.ts'
import { quoteInMail } from '../../domain/text.ts'
import { type Transaction, speakFor } from '../../db/postgres/sql.ts'
import { newCause, record } from '../events.ts'
import { recordSecurityEvent } from '../people/security-log.ts'
import { mailOwners } from '../messages/account-notices.ts'

/** Reports the way in of an owner, in each organization that wants its provider; false if there is none. */
export async function reportBypass(tx: Transaction, userId: UserId, origin: Origin): Promise<boolean> {
  const bypassed = await tx<{ organization_id: OrganizationId }[]>`
    select organization_id from providers_required_of(${userId}) where role = 'owner' order by organization_id`
  for (const { organization_id: organizationId } of bypassed) {
    const own = await speakFor(tx, { organizationId, actor: { kind: 'system' }, correlationId: null })
    const [found] = await own<{ id: IdentityProviderId; email: string }[]>`
      select i.id, p.email from identity_providers i, people p
      where i.organization_id = ${organizationId} and p.id = ${userId}`
    if (!found) continue
    await recordSecurityEvent(tx, {
      type: 'sign_in.bypassed_provider',
      userId,
      origin,
      details: { organization: organizationId },
    })
    const payload = { user_id: userId }
    await record(own, providerEvents.bypassed, { subjectId: found.id, cause: newCause(), payload })
    await mailOwners(own, 'An owner signed in past the identity provider', (name) => [
      `${quoteInMail(found.email)}, an owner of ${quoteInMail(name)}, signed in with a passkey, and not at the identity provider. If that was not expected, end the sessions of that person, and ask them.`,
    ])
  }
  return bypassed.length > 0
}
