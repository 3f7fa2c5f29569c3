/** Pictures of organizations: the rules of a person's picture. */
import { findLogo, removeLogo, replaceLogo } from '../../db/organizations/logos.ts'
import { LogoParams, Organization } from '../../domain/organizations/organization.ts'
import { PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { findOrganization } from '../../db/organizations/organizations.ts'
import { squarePicture } from '../../db/pictures/pictures.ts'
import { pictures } from '../http/limits.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Organizations')

export const logos = [
  command('post', '/organizations/{organization_id}/logo', 'uploadLogo')
    .says('Set the logo: a png, jpeg or webp of at most 40 megapixels, which is cut to a square')
    .of('organization')
    .can('organization.update_logo')
    .uploads({ field: 'file', maxBytes: PICTURE_BYTES_MAX })
    .limited(pictures)
    .answers(Organization)
    .handles(async ({ write, read, org, person, file }) => {
      const image = await squarePicture(file, { organization: org.organizationId, person: person.userId })
      await write((tx) => replaceLogo(tx, image))
      return findOrganization(read, person.userId)
    }),
  command('delete', '/organizations/{organization_id}/logo', 'removeLogo')
    .says('Remove the logo')
    .of('organization')
    .can('organization.update_logo')
    .answers(Organization)
    .handles(async ({ write, read, person }) => {
      await write((tx) => removeLogo(tx))
      return findOrganization(read, person.userId)
    }),
  query('/logos/{logo_id}', 'getLogo')
    .says('Read a logo by the address that `logo.url` tells; each upload has an address of its own')
    .open()
    .named(LogoParams)
    .cached('immutable')
    .bytes('image/webp')
    .does(({ params }) => findLogo(params.logo_id)),
]
