/** Settings of SCIM for owners: tokens of the provider, and the roles that its groups give. */
import * as v from 'valibot'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { ScimGroup, ScimGroupRole } from '../../domain/scim/role.ts'
import { NewScimToken, ScimToken, ScimTokenWithSecret } from '../../domain/scim/token.ts'
import { quoteName } from '../../domain/text.ts'
import { endWithRole } from '../../services/decisions/ends.ts'
import { findGroupRole, listGroupRoles, setGroupRole } from '../../services/scim/group-roles.ts'
import { createScimToken, listScimTokens, revokeScimToken } from '../../services/scim/tokens.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Company sign-in')

const SCIM = '/organizations/{organization_id}/scim'

export const scimManagement = [
  query(`${SCIM}/tokens`, 'listScimTokens')
    .says('List the SCIM tokens, newest first, also the revoked ones')
    .of('organization')
    .onlyOwner()
    .filters(v.object(PageQuery))
    .answers(pageOf(ScimToken))
    .does(({ read, query }) => listScimTokens(read, query)),
  command('post', `${SCIM}/tokens`, 'createScimToken')
    .says(
      'Make a token for an identity provider',
      'The provider sends it to `scim_url` as a bearer, where it manages members and groups (SCIM 2.0, RFC 7644), and ' +
        'nowhere else. Only this answer has the secret. Up to five work at a time: make another, enter it at the ' +
        'provider, then revoke the one before.',
    )
    .of('organization')
    .onlyOwner()
    .takes(NewScimToken)
    .refuses('invalid_state')
    .answers(ScimTokenWithSecret, 201)
    .proved('once', async ({ org, body }) => ({
      target: `organization:${org.organizationId}`,
      summary: `Let the identity provider manage members by the token ${quoteName(body.name)}`,
    }))
    .does(createScimToken),
  command('post', `${SCIM}/tokens/{scim_token_id}/revoke`, 'revokeScimToken')
    .says('Stop a SCIM token, at once and for good')
    .of('organization')
    .onlyOwner()
    .stops()
    .takes(v.object({}))
    .answers(ScimToken)
    .does(({ tx, params }) => revokeScimToken(tx, params.scim_token_id)),
  query(`${SCIM}/groups`, 'listScimGroups')
    .says('List the groups of the identity provider, newest first', 'With the role that each gives its members here.')
    .of('organization')
    .onlyOwner()
    .filters(v.object(PageQuery))
    .answers(pageOf(ScimGroup))
    .does(({ read, query }) => listGroupRoles(read, query)),
  command('patch', `${SCIM}/groups/{scim_group_id}`, 'updateScimGroup')
    .says(
      'Change the role that a group of the identity provider gives',
      'The strongest role of the groups of a person counts; of several groups with that role what all of them take. No ' +
        'group makes an owner, and owners are not changed. Who leaves the last group with a role is a member then.',
    )
    .of('organization')
    .onlyOwner()
    .checksItself()
    .takes(ScimGroupRole)
    .answers(ScimGroup)
    .proved('once', async ({ read, params, body: { role, preset } }) => {
      const { id, display_name: name } = await findGroupRole(read, params.scim_group_id)
      const words = role === null ? 'no role' : `the role ${role}${preset ? ` (${preset})` : ''}`
      return { target: `scim_group:${id}`, summary: `Give ${words} to the group ${quoteName(name)}` }
    })
    .does((context) => setGroupRole(context, endWithRole)),
]
