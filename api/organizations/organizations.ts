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
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

export const organizations = [
  route({
    method: 'get',
    path: '/organizations',
    operationId: 'listOrganizations',
    summary: 'List the organizations you are in, newest first',
    tag: 'Organizations',
    query: v.object(PageQuery),
    returns: pageOf(Organization),
    handle: ({ person, query }) => listOrganizations(person.userId, query),
  }),
  route({
    method: 'post',
    path: '/organizations',
    operationId: 'createOrganization',
    summary: 'Create an organization; you become its owner',
    tag: 'Organizations',
    body: NewOrganization,
    returns: Organization,
    status: 201,
    create: ({ person, claim, body, requestId }) => createOrganization(person, claim, body, requestId),
    replay: ({ person, claim }) => findOrganization(readerOf(claim.id), person.userId),
  }),
  route({
    method: 'get',
    path: '/organizations/{organization_id}',
    operationId: 'getOrganization',
    summary: 'Read an organization',
    tag: 'Organizations',
    can: 'organization.read',
    ...inPath('organization'),
    returns: Organization,
    handle: ({ read, person }) => findOrganization(read, person.userId),
  }),
  route({
    method: 'patch',
    path: '/organizations/{organization_id}',
    operationId: 'updateOrganization',
    summary: 'Change what is known of an organization: what is absent stays, null clears',
    tag: 'Organizations',
    can: 'organization.update',
    ...inPath('organization'),
    body: OrganizationChanges,
    returns: Organization,
    handle: async ({ write, read, person, body }) => {
      await write((tx) => changeOrganization(tx, body))
      return findOrganization(read, person.userId)
    },
  }),
  route({
    method: 'post',
    path: '/organizations/{organization_id}/claim-handle',
    operationId: 'claimHandle',
    summary: 'Claim the service ID under which others pay this organization; it stays for good',
    tag: 'Organizations',
    can: 'organization.claim_personal_handle',
    ...inPath('organization'),
    stepUp: { mode: 'window' },
    body: ClaimHandle,
    returns: Organization,
    handle: async ({ write, read, person, body }) => {
      await write((tx) => claimHandle(tx, body.svc_id))
      return findOrganization(read, person.userId)
    },
  }),
  route({
    method: 'get',
    path: '/handles/{svc_id}',
    operationId: 'getHandle',
    summary: 'See whom a service ID means',
    tag: 'Organizations',
    params: v.object({ svc_id: Handle }),
    returns: HandleOwner,
    handle: ({ params }) => handleOwner(params.svc_id),
  }),
]
