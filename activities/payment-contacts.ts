/** What the workflow of a payment contact records. */
import { refuse } from '../db/model/errors.ts'
import type { ContactId, OrganizationId } from '../db/model/ids.ts'
import { type ContactState, contactState as stateOf } from '../db/payment-contacts.ts'
import { asSystem } from '../db/sql.ts'

export type ContactRef = { readonly organizationId: OrganizationId; readonly contactId: ContactId }

/** Where the contact stands, and its approval. @public the workflow calls it by its proxy */
export const contactState = ({ organizationId, contactId }: ContactRef): Promise<ContactState> =>
  asSystem(organizationId, async (tx) => (await stateOf(tx, contactId)) ?? refuse('not_found'))
