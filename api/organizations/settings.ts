/** What an owner decides for everybody in an organization. */
import { OrganizationSettings, OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { changeSettings, findSettings } from '../../db/organizations/settings.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const shared = {
  path: '/organizations/{organization_id}/settings',
  tag: 'Organizations',
  only: 'owner',
  ...inPath('organization'),
  returns: OrganizationSettings,
} as const

export const organizationSettings = [
  route({
    ...shared,
    method: 'get',
    operationId: 'getOrganizationSettings',
    summary: 'Read what its owners decided for everybody in an organization',
    handle: ({ read }) => findSettings(read),
  }),
  route({
    ...shared,
    method: 'patch',
    operationId: 'updateOrganizationSettings',
    summary: 'Decide for everybody in an organization: what is absent stays, null empties',
    note: 'An authenticator that becomes required ends all other sessions of members who have none. Invoices that are sent keep the number and the seller that they were sent with.',
    stepUp: { mode: 'window' },
    body: OrganizationSettingsChanges,
    handle: ({ write, person, body }) => write((tx) => changeSettings(tx, person, body)),
  }),
]
