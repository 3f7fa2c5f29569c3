/** Pictures of organizations: the rules of a person's picture. */
import * as v from 'valibot'
import { findLogo, removeLogo, replaceLogo } from '../../db/organizations/logos.ts'
import { LogoParams, Organization } from '../../domain/organizations/organization.ts'
import { PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { findOrganization } from '../../db/organizations/organizations.ts'
import { squarePicture } from '../../db/pictures/pictures.ts'
import { inPath } from '../http/in-path.ts'
import { pictures } from '../http/limits.ts'
import { route } from '../http/route.ts'

const shared = {
  path: '/organizations/{organization_id}/logo',
  tag: 'Organizations',
  can: 'organization.update_logo',
  ...inPath('organization'),
  returns: Organization,
} as const

export const logos = [
  route({
    ...shared,
    method: 'post',
    operationId: 'uploadLogo',
    summary: 'Set the logo: a png, jpeg or webp of at most 40 megapixels, which is cut to a square',
    limits: [pictures],
    upload: { field: 'file', maxBytes: PICTURE_BYTES_MAX },
    handle: async ({ write, read, org, person, file }) => {
      const image = await squarePicture(file, { organization: org.organizationId, person: person.userId })
      await write((tx) => replaceLogo(tx, image))
      return findOrganization(read, person.userId)
    },
  }),
  route({
    ...shared,
    method: 'delete',
    operationId: 'removeLogo',
    summary: 'Remove the logo',
    handle: async ({ write, read, person }) => {
      await write((tx) => removeLogo(tx))
      return findOrganization(read, person.userId)
    },
  }),
  route({
    method: 'get',
    path: '/logos/{logo_id}',
    operationId: 'getLogo',
    summary: 'Read a logo by the address that `logo.url` tells; each upload has an address of its own',
    tag: 'Organizations',
    credential: 'none',
    cacheable: 'immutable',
    params: LogoParams,
    produces: 'image/webp',
    returns: v.instance(Uint8Array),
    handle: ({ params }) => findLogo(params.logo_id),
  }),
]
