/** Organizations and their service IDs. */
import * as v from 'valibot'
import {
  ClaimHandle,
  Handle,
  HandleOwner,
  NewOrganization,
  Organization,
  OrganizationChanges,
} from '../../domain/organizations/organization.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import {
  changeOrganization,
  claimHandle,
  createOrganization,
  findOrganization,
  handleOwner,
  listOrganizations,
} from '../../db/organizations/organizations.ts'
import { readerOf } from '../../db/sql.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Organizations')

export const organizations = [
  query('/organizations', 'listOrganizations')
    .says('List the organizations you are in, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Organization))
    .does(({ person, query }) => listOrganizations(person.userId, query)),
  command('post', '/organizations', 'createOrganization')
    .says('Create an organization; you become its owner')
    .takes(NewOrganization)
    .creates(Organization, ({ person, claim }) => findOrganization(readerOf(claim.id), person.userId))
    .makes(({ person, claim, body, requestId }) => createOrganization(person, claim, body, requestId)),
  query('/organizations/{organization_id}', 'getOrganization')
    .says('Read an organization')
    .of('organization')
    .can('organization.read')
    .answers(Organization)
    .does(({ read, person }) => findOrganization(read, person.userId)),
  command('patch', '/organizations/{organization_id}', 'updateOrganization')
    .says('Change what is known of an organization: what is absent stays, null clears')
    .of('organization')
    .can('organization.update')
    .takes(OrganizationChanges)
    .answers(Organization)
    .handles(async ({ write, read, person, body }) => {
      await write((tx) => changeOrganization(tx, body))
      return findOrganization(read, person.userId)
    }),
  command('post', '/organizations/{organization_id}/claim-handle', 'claimHandle')
    .says('Claim the service ID under which others pay this organization; it stays for good')
    .of('organization')
    .can('organization.claim_personal_handle')
    .takes(ClaimHandle)
    .answers(Organization)
    .proved('window')
    .handles(async ({ write, read, person, body }) => {
      await write((tx) => claimHandle(tx, body.svc_id))
      return findOrganization(read, person.userId)
    }),
  query('/handles/{svc_id}', 'getHandle')
    .says('See whom a service ID means')
    .named(v.object({ svc_id: Handle }))
    .answers(HandleOwner)
    .does(({ params }) => handleOwner(params.svc_id)),
]
