/** Discovery: configuration, schemas and types of resources (RFC 7644, section 4). */
import { refuse } from '../../domain/errors.ts'
import { type Resource, writeList } from '../../domain/scim/resources.ts'
import { describeService, listResourceTypes, listSchemas } from '../../domain/scim/schemas.ts'
import { type ScimAnswer, type ScimEndpoint, type ScimRequest, SCIM_URL } from './request.ts'

const answerWith = (resource: Resource): Promise<ScimAnswer> => Promise.resolve({ status: 200, resource })

const listAll = (resources: readonly Resource[], { query }: ScimRequest): Promise<ScimAnswer> => {
  if (query('filter')) refuse('forbidden', { detail: 'This list is not filtered (RFC 7644, section 4).' })
  return answerWith(writeList(resources, resources.length, 1))
}

function findIn(resources: readonly Resource[], id: string): Promise<ScimAnswer> {
  const one = resources.find((resource) => resource['id'] === id)
  return one ? answerWith(one) : refuse('not_found')
}

const schemas = listSchemas(SCIM_URL)
const types = listResourceTypes(SCIM_URL)

export const discoveryEndpoints: readonly ScimEndpoint[] = [
  {
    method: 'get',
    path: '/ServiceProviderConfig',
    name: 'describe_service',
    handle: () => answerWith(describeService(SCIM_URL)),
  },
  { method: 'get', path: '/Schemas', name: 'list_schemas', handle: (request) => listAll(schemas, request) },
  { method: 'get', path: '/Schemas/{id}', name: 'get_schema', handle: ({ id }) => findIn(schemas, id) },
  { method: 'get', path: '/ResourceTypes', name: 'list_resource_types', handle: (request) => listAll(types, request) },
  { method: 'get', path: '/ResourceTypes/{id}', name: 'get_resource_type', handle: ({ id }) => findIn(types, id) },
]
