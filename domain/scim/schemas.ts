/** Configuration of this service, its types of resources and schemas (RFC 7643). */
import { GROUP_SCHEMA, PAGE_MAX, type Resource, USER_SCHEMA } from './resources.ts'

type Mutability = 'readOnly' | 'readWrite' | 'immutable'
type Uniqueness = 'none' | 'server'
type Attribute = {
  readonly description: string
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference'
  readonly multiValued?: boolean
  readonly required?: boolean
  readonly caseExact?: boolean
  readonly mutability?: Mutability
  readonly uniqueness?: Uniqueness
  readonly referenceTypes?: readonly string[]
  readonly canonicalValues?: readonly string[]
  readonly subAttributes?: Readonly<Record<string, Attribute>>
}

const EMAIL_PARTS = {
  value: { description: 'Mail address.', required: true },
  type: { description: 'Kind of the address, such as work.' },
  primary: { description: 'True for the address that comes first.', type: 'boolean' },
  display: { description: 'Words for the address.' },
} as const satisfies Record<string, Attribute>

const referenceTo = (
  what: string,
  of: 'readOnly' | 'immutable',
  kind: string,
): Readonly<Record<string, Attribute>> => ({
  value: { description: `Id of the ${what.toLowerCase()}.`, caseExact: true, mutability: of },
  $ref: { description: 'Its address.', type: 'reference', caseExact: true, mutability: of, referenceTypes: [what] },
  type: { description: 'Kind of the reference.', mutability: of, canonicalValues: [kind] },
})

const USER: Readonly<Record<string, Attribute>> = {
  userName: { description: 'Name at the provider, each once.', required: true, uniqueness: 'server' },
  name: {
    description: 'Name of the person, taken at their first sign-in.',
    type: 'complex',
    subAttributes: {
      formatted: { description: 'Whole name.' },
      familyName: { description: 'Family name.' },
      givenName: { description: 'Given name.' },
    },
  },
  displayName: { description: 'Name as the provider shows it.' },
  active: {
    description: 'False ends the membership, and all that it let the person do. True if it is left out of a new user.',
    type: 'boolean',
    required: true,
  },
  emails: {
    description: 'Mail addresses. The person signs in first by the primary one, or the one of work.',
    type: 'complex',
    multiValued: true,
    subAttributes: EMAIL_PARTS,
  },
  groups: {
    description: 'Groups of the user.',
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: {
      ...referenceTo('Group', 'readOnly', 'direct'),
      display: { description: 'Name of the group.', mutability: 'readOnly' },
    },
  },
}

const GROUP: Readonly<Record<string, Attribute>> = {
  displayName: { description: 'Name of the group, each once.', required: true, uniqueness: 'server' },
  members: {
    description: 'Users in the group.',
    type: 'complex',
    multiValued: true,
    subAttributes: referenceTo('User', 'immutable', 'User'),
  },
}

const writeAttributes = (attributes: Readonly<Record<string, Attribute>>): readonly Resource[] =>
  Object.entries(attributes).map(([name, { description, subAttributes, referenceTypes, ...given }]) => ({
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    mutability: 'readWrite',
    returned: 'default',
    ...(!['boolean', 'complex'].includes(given.type ?? 'string') && { caseExact: false, uniqueness: 'none' }),
    ...given,
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: writeAttributes(subAttributes) }),
  }))

const metaOf = (resourceType: string, location: string) => ({ meta: { resourceType, location } })

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Lists the schemas, below the address of this service. */
export const listSchemas = (root: string): readonly Resource[] =>
  (
    [
      [USER_SCHEMA, 'User', 'A member of the organization, or who may become one', USER],
      [GROUP_SCHEMA, 'Group', 'A group of the provider', GROUP],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes: writeAttributes(attributes),
    ...metaOf('Schema', `${root}/Schemas/${id}`),
  }))

/** Lists the types of resources, below the address of this service. */
export const listResourceTypes = (root: string): readonly Resource[] =>
  (
    [
      ['User', 'A member of the organization, or who may become one', USER_SCHEMA],
      ['Group', 'A group of the provider', GROUP_SCHEMA],
    ] as const
  ).map(([name, description, schema]) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    description,
    schema,
    ...metaOf('ResourceType', `${root}/ResourceTypes/${name}`),
  }))

/** Describes what this service can do (RFC 7643, section 5). */
export const describeService = (root: string): Resource => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A SCIM token of the organization, which an owner makes.',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  ...metaOf('ServiceProviderConfig', `${root}/ServiceProviderConfig`),
})
