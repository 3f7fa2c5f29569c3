/** A member: a person in an organization, with a role. */
import type { OrganizationId } from './ids.ts'
import type { Role } from './permissions.ts'

/** What a person is in one organization: role, and the state of the organization. */
export type Membership = { readonly organizationId: OrganizationId; readonly role: Role; readonly status: string }
