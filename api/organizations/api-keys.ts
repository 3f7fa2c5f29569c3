/** API keys: credentials of an organization for its programs. */
import * as v from 'valibot'
import {
  changeApiKey,
  changed,
  createApiKey,
  findActiveApiKey,
  findApiKey,
  listApiKeys,
  refuseBeyondLimit,
  refuseScopesAbove,
  revokeApiKey,
  rotateApiKey,
} from '../../db/organizations/api-keys.ts'
import { ApiKey, ApiKeyChanges, ApiKeyWithSecret, NewApiKey } from '../../domain/organizations/api-key.ts'
import { type ApiKeyId, id } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { quoted } from '../../domain/text.ts'
import { inPath } from '../http/in-path.ts'
import { type Binding, type Context, route } from '../http/route.ts'

type OnKey = Context<'read', { readonly params: { readonly api_key_id: ApiKeyId } }>

const shared = { tag: 'API keys' } as const
const all = {
  path: '/organizations/{organization_id}/api-keys',
  ...inPath('organization'),
}
const one = {
  path: '/organizations/{organization_id}/api-keys/{api_key_id}',
  ...inPath('organization', { api_key_id: id<'api_key'>() }),
  concealed: true,
}

export const apiKeys = [
  route({
    ...shared,
    ...all,
    method: 'post',
    operationId: 'createApiKey',
    summary: 'Make an API key; the answer alone holds the secret, and a repeat makes another key',
    can: 'api_keys.manage',
    stepUp: { mode: 'once', bind: bindCreation },
    body: NewApiKey,
    returns: ApiKeyWithSecret,
    status: 201,
    handle: ({ write, person, stepUpId, body }) => write((tx) => createApiKey(tx, { person, stepUpId }, body)),
  }),
  route({
    ...shared,
    ...all,
    method: 'get',
    operationId: 'listApiKeys',
    summary: 'List the API keys, newest first, also the revoked ones',
    can: 'api_keys.list',
    query: v.object(PageQuery),
    returns: pageOf(ApiKey),
    handle: ({ read, query }) => listApiKeys(read, query),
  }),
  route({
    ...shared,
    ...one,
    method: 'get',
    operationId: 'getApiKey',
    summary: 'Read an API key',
    can: 'api_keys.list',
    returns: ApiKey,
    handle: ({ read, params }) => findApiKey(read, params.api_key_id),
  }),
  route({
    ...shared,
    ...one,
    method: 'patch',
    operationId: 'updateApiKey',
    summary: 'Change the name, the role or the scopes of an API key; the name alone asks for no step-up',
    can: 'api_keys.manage',
    stepUp: { mode: 'once', bind: bindChange },
    body: ApiKeyChanges,
    returns: ApiKey,
    handle: ({ write, person, stepUpId, params, body }) =>
      write((tx) => changeApiKey(tx, { person, stepUpId }, params.api_key_id, body)),
  }),
  route({
    ...shared,
    ...one,
    path: `${one.path}/rotate`,
    method: 'post',
    operationId: 'rotateApiKey',
    summary: 'Give an API key another secret; the one until now works for 24 hours more, older ones end at once',
    can: 'api_keys.manage',
    stepUp: { mode: 'once', bind: bindRotation },
    body: v.object({}),
    returns: ApiKeyWithSecret,
    handle: ({ write, person, stepUpId, params }) =>
      write((tx) => rotateApiKey(tx, { person, stepUpId }, params.api_key_id)),
  }),
  route({
    ...shared,
    ...one,
    path: `${one.path}/revoke`,
    method: 'post',
    operationId: 'revokeApiKey',
    summary: 'Stop an API key, at once and for good',
    can: 'api_keys.manage',
    body: v.object({}),
    returns: ApiKey,
    handle: ({ write, params }) => write((tx) => revokeApiKey(tx, params.api_key_id)),
  }),
]

/** What is refused anyway is refused before a proof of identity is asked for. */
async function bindCreation({
  read,
  org,
  body,
}: Context<'read' | 'org', { readonly body: NewApiKey }>): Promise<Binding<never>> {
  refuseScopesAbove(body)
  await refuseBeyondLimit(read)
  return {
    target: `organization:${org.organizationId}`,
    summary: `Make the API key ${quoted(body.name)} (${rightsOf(body)})`,
  }
}

async function bindChange({ read, params, body }: OnKey & { readonly body: ApiKeyChanges }): Promise<Binding<never>> {
  const key = await findActiveApiKey(read, params.api_key_id)
  const { wanted, rights } = changed(key, body)
  const summary = `Let the API key ${quoted(key.name)} be used as ${rightsOf(wanted)}`
  return { target: `api_key:${key.id}`, summary, needless: !rights }
}

async function bindRotation({ read, params }: OnKey): Promise<Binding<never>> {
  const key = await findActiveApiKey(read, params.api_key_id)
  return { target: `api_key:${key.id}`, summary: `Give the API key ${quoted(key.name)} another secret` }
}

const rightsOf = ({ role, scopes }: Pick<NewApiKey, 'role' | 'scopes'>): string => [role, ...scopes].join(', ')
