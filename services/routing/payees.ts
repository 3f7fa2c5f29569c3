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

/** Account as its country is read. */
export type PaidAccount = EncryptedCoordinates & { readonly type: DestinationType }

/** Selects a destination `d` as a PaidAccount. */
export const selectAccount = (d: Fragment): Fragment => sql`
  json_build_object('id', ${d}.id, 'type', ${d}.type, 'sealed', encode(${d}.sealed, 'hex'))`

/** Reads the country of an account; null for a service ID and a wallet. */
export const countryOf = (account: PaidAccount): string | null =>
  openCoordinatesForDisplay(account, account.type)?.country_code ?? null

/** Selects the condition that a payment was sent, and did not come back. */
export const wasSent = (payment: Fragment): Fragment => sql`
  ${payment}.status not in ('awaiting_approval', 'scheduled', 'cancelled', 'failed', 'reversed')`

/** Tells whether the organization paid an account before an instant: it was sent, and did not come back since. */
export const isPaidBefore = (organizationId: OrganizationId, account: Fragment, instant: Fragment): Fragment => sql`
  exists (select from payment_destinations e join payments o on o.destination_id = e.id
    where e.organization_id = ${organizationId} and e.account_id = ${account} and o.inserted_at < ${instant}
      and ${wasSent(sql`o`)})`

/** Reads the facts of a payment; nothing of its payee where no rule compares it. */
export async function factsOfPayment(reader: Reader, paying: Paying): Promise<RequestFacts> {
  const { rules, origins, contactId, destinationId } = paying
  if (!areRouted(rules) || (contactId === null && destinationId === null)) return { origins, payees: [] }
  const [account] = await reader<PaidAccount & { readonly paid: boolean }>(sql`
    select d.id, d.type, encode(d.sealed, 'hex') as sealed,
      ${isPaidBefore(reader.organizationId, sql`d.account_id`, sql`business_now()`)} as paid
    from payment_destinations d
    where d.organization_id = ${reader.organizationId}
      and d.id = coalesce(${destinationId}::uuid, ${defaultOf(sql`${contactId}::uuid`)})`)
  if (!account) return { origins, payees: [] }
  return { origins, payees: [{ contact_id: contactId, country: countryOf(account), is_new: !account.paid }] }
}
