/** Facts of payments that conditions of rules compare; read only where a rule has conditions. */
import type { ContactId, DestinationId, OrganizationId } from '../../domain/ids.ts'
import type { Rule } from '../../domain/approvals/policy.ts'
import { type RequestFacts, type RequestOrigin, areRouted } from '../../domain/approvals/routing.ts'
import type { DestinationType } from '../../domain/destinations/destination.ts'
import { type EncryptedCoordinates, defaultOf, openCoordinatesForDisplay } from '../contacts/destinations.ts'
import { type Fragment, type Reader, sql } from '../../db/postgres/sql.ts'

type Paying = {
  readonly rules: readonly Rule[]
  readonly origins: readonly RequestOrigin[]
  readonly contactId: ContactId | null
  /** Destination that is paid; null for the default one of the contact. */
  readonly destinationId: DestinationId | null
}

type Account = EncryptedCoordinates & { readonly type: DestinationType; readonly paid: boolean }

/** Tells whether the organization paid an account before an instant: it was sent, and did not come back since. */
export const isPaidBefore = (organizationId: OrganizationId, account: Fragment, instant: Fragment): Fragment => sql`
  exists (select from payment_destinations e join payments o on o.destination_id = e.id
    where e.organization_id = ${organizationId} and e.account_id = ${account} and o.inserted_at < ${instant}
      and o.status not in ('awaiting_approval', 'scheduled', 'cancelled', 'failed', 'reversed'))`

/** Reads the facts of a payment; nothing of its payee where no rule compares it. */
export async function factsOfPayment(reader: Reader, paying: Paying): Promise<RequestFacts> {
  const { rules, origins, contactId, destinationId } = paying
  if (!areRouted(rules) || (contactId === null && destinationId === null)) return { origins, payees: [] }
  const [account] = await reader<Account>(sql`
    select d.id, d.type, encode(d.sealed, 'hex') as sealed,
      ${isPaidBefore(reader.organizationId, sql`d.account_id`, sql`business_now()`)} as paid
    from payment_destinations d
    where d.organization_id = ${reader.organizationId}
      and d.id = coalesce(${destinationId}::uuid, ${defaultOf(sql`${contactId}::uuid`)})`)
  if (!account) return { origins, payees: [] }
  const country = openCoordinatesForDisplay(account, account.type)?.country_code ?? null
  return { origins, payees: [{ contact_id: contactId, country, is_new: !account.paid }] }
}
