/** API keys: credentials of an organization for its programs. */
import * as v from 'valibot'
import {
  changeApiKey,
  applyChanges,
  createApiKey,
  findApiKey,
  listApiKeys,
  requireActiveApiKey,
  requireRoleForScopes,
  requireRoomForApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../services/organizations/api-keys.ts'
import type { ApiKeyId } from '../../domain/ids.ts'
import { ApiKey, ApiKeyChanges, ApiKeyWithSecret, NewApiKey } from '../../domain/organizations/api-key.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { quoteName } from '../../domain/text.ts'
import { operations } from '../http/operation.ts'
import type { Binding, Context } from '../http/route.ts'

const { command, query } = operations('API keys')

type OnKey = Context<'read', { readonly params: { readonly api_key_id: ApiKeyId } }>

export const apiKeys = [
  command('post', '/organizations/{organization_id}/api-keys', 'createApiKey')
    .says('Create an API key', 'Only this answer has the secret. A repeat creates another key.')
    .of('organization')
    .can('api_keys.manage')
    .takes(NewApiKey)
    .checksItself()
    .refuses('role_exceeds_creator', 'scope_requires_role', 'api_key_limit_reached')
    .answers(ApiKeyWithSecret, 201)
    .proved('once', bindCreation)
    .does(createApiKey),
  query('/organizations/{organization_id}/api-keys', 'listApiKeys')
    .says('List the API keys, newest first, also the revoked ones')
    .of('organization')
    .can('api_keys.list')
    .filters(v.object(PageQuery))
    .answers(pageOf(ApiKey))
    .does(({ read, query }) => listApiKeys(read, query)),
  query('/organizations/{organization_id}/api-keys/{api_key_id}', 'getApiKey')
    .says('Read an API key')
    .of('organization')
    .can('api_keys.list', 'concealed')
    .answers(ApiKey)
    .does(({ read, params }) => findApiKey(read, params.api_key_id)),
  command('patch', '/organizations/{organization_id}/api-keys/{api_key_id}', 'updateApiKey')
    .says('Change the name, role or scopes of an API key', 'The name alone needs no step-up.')
    .of('organization')
    .can('api_keys.manage', 'concealed')
    .takes(ApiKeyChanges)
    .refuses('api_key_revoked', 'role_exceeds_creator', 'scope_requires_role')
    .answers(ApiKey)
    .proved('once', bindChange)
    .does(changeApiKey),
  command('post', '/organizations/{organization_id}/api-keys/{api_key_id}/rotate', 'rotateApiKey')
    .says('Rotate the secret of an API key', 'The previous secret works for another 24 hours, older ones end at once.')
    .of('organization')
    .can('api_keys.manage', 'concealed')
    .takes(v.object({}))
    .refuses('api_key_revoked')
    .answers(ApiKeyWithSecret)
    .proved('once', bindRotation)
    .does(rotateApiKey),
  command('post', '/organizations/{organization_id}/api-keys/{api_key_id}/revoke', 'revokeApiKey')
    .says('Stop an API key, at once and for good')
    .of('organization')
    .stops()
    .can('api_keys.manage', 'concealed')
    .takes(v.object({}))
    .answers(ApiKey)
    .does(({ tx, params }) => revokeApiKey(tx, params.api_key_id)),
]

/** Refuses as the creation does, before a proof of identity is asked for. */
async function bindCreation({
  read,
  org,
  body,
}: Context<'read' | 'org', { readonly body: NewApiKey }>): Promise<Binding<never>> {
  requireRoleForScopes(body)
  await requireRoomForApiKey(read)
  return {
    target: `organization:${org.organizationId}`,
    summary: `Make the API key ${quoteName(body.name)} (${rightsOf(body)})`,
  }
}

async function bindChange({ read, params, body }: OnKey & { readonly body: ApiKeyChanges }): Promise<Binding<never>> {
  const key = await requireActiveApiKey(read, params.api_key_id)
  const { wanted, rights } = applyChanges(key, body)
  const summary = `Let the API key ${quoteName(key.name)} be used as ${rightsOf(wanted)}`
  return { target: `api_key:${key.id}`, summary, needless: !rights }
}

async function bindRotation({ read, params }: OnKey): Promise<Binding<never>> {
  const key = await requireActiveApiKey(read, params.api_key_id)
  return { target: `api_key:${key.id}`, summary: `Give the API key ${quoteName(key.name)} another secret` }
}

const rightsOf = ({ role, scopes }: Pick<NewApiKey, 'role' | 'scopes'>): string => [role, ...scopes].join(', ')
