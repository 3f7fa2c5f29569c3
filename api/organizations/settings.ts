/** What an owner decides for everybody in an organization. */
import { OrganizationSettings, OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { changeSettings, findSettings } from '../../db/organizations/settings.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Organizations')

export const organizationSettings = [
  query('/organizations/{organization_id}/settings', 'getOrganizationSettings')
    .says('Read what its owners decided for everybody in an organization')
    .of('organization')
    .onlyOwner()
    .answers(OrganizationSettings)
    .does(({ read }) => findSettings(read)),
  command('patch', '/organizations/{organization_id}/settings', 'updateOrganizationSettings')
    .says(
      'Decide for everybody in an organization: what is absent stays, null empties',
      'An authenticator that becomes required ends all other sessions of members who have none. Invoices that are sent keep the number and the seller that they were sent with.',
    )
    .of('organization')
    .onlyOwner()
    .takes(OrganizationSettingsChanges)
    .answers(OrganizationSettings)
    .proved('window')
    .handles(({ write, person, body }) => write((tx) => changeSettings(tx, person, body))),
]
