/** Organizations: their profile, service ID, settings and logo. */
import * as v from 'valibot'
import { squarePicture } from '../../documents/pictures/pictures.ts'
import {
  changeOrganization,
  claimHandle,
  createOrganization,
  findLogo,
  findOrganization,
  handleOwner,
  listOrganizations,
  removeLogo,
  replaceLogo,
} from '../../services/organizations/organizations.ts'
import { changeSettings, findSettings } from '../../services/organizations/settings.ts'
import { readerOf, speakFor } from '../../db/postgres/sql.ts'
import { id } from '../../domain/ids.ts'
import { requireOwnSession } from '../../domain/people/actor.ts'
import {
  ClaimHandle,
  Handle,
  HandleOwner,
  NewOrganization,
  Organization,
  OrganizationChanges,
} from '../../domain/organizations/organization.ts'
import { OrganizationSettings, OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { pictures } from '../http/limits.ts'
import { bytes, operations, upload } from '../http/operation.ts'

const { command, query } = operations('Organizations')

export const organizations = [
  query('/organizations', 'listOrganizations')
    .says('List the organizations you are in, newest first')
    .filters(v.object(PageQuery))
    .answers(pageOf(Organization))
    .does(({ person, query }) => listOrganizations(person, query)),
  command('post', '/organizations', 'createOrganization')
    .says('Create an organization; you become its owner')
    .takes(NewOrganization)
    .refuses('organization_limit_reached')
    .creates(Organization, ({ person, claim }) => findOrganization(readerOf(claim.id), person.userId))
    .does(async ({ tx, person, claim, body, requestId }) => {
      requireOwnSession(person)
      const own = await speakFor(tx, { organizationId: claim.id, actor: person, correlationId: requestId })
      return createOrganization(own, person.userId, body)
    }),
  query('/organizations/{organization_id}', 'getOrganization')
    .says('Read an organization')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(Organization)
    .does(({ read, person }) => findOrganization(read, person.userId)),
  command('patch', '/organizations/{organization_id}', 'updateOrganization')
    .says('Change an organization', 'Absent fields stay, null clears.')
    .of('organization')
    .can('organization.update')
    .takes(OrganizationChanges)
    .answers(Organization)
    .does(async ({ tx, read, person, body }) => {
      await changeOrganization(tx, body)
      return findOrganization(read, person.userId)
    }),
  command('post', '/organizations/{organization_id}/claim-handle', 'claimHandle')
    .says('Claim the service ID of an organization', 'Others pay the organization by it. It cannot be changed.')
    .of('organization')
    .can('organization.claim_personal_handle')
    .takes(ClaimHandle)
    .refuses('handle_taken', 'invalid_state')
    .answers(Organization)
    .proved('window')
    .does(async ({ tx, read, person, body }) => {
      await claimHandle(tx, body.svc_id)
      return findOrganization(read, person.userId)
    }),
  query('/handles/{svc_id}', 'getHandle')
    .says('See whom a service ID means')
    .delegates('read')
    .named(v.object({ svc_id: Handle }))
    .answers(HandleOwner)
    .does(({ params }) => handleOwner(params.svc_id)),
]

export const organizationSettings = [
  query('/organizations/{organization_id}/settings', 'getOrganizationSettings')
    .says('Read the settings of an organization')
    .of('organization')
    .delegates('read')
    .onlyOwner()
    .answers(OrganizationSettings)
    .does(({ read }) => findSettings(read)),
  command('patch', '/organizations/{organization_id}/settings', 'updateOrganizationSettings')
    .says(
      'Change the settings of an organization',
      'Absent fields stay, null clears. An authenticator that becomes required ends all other sessions of members ' +
        'who have none. Invoices that are sent keep the number and the seller that they were sent with. Another time ' +
        'zone counts from the next midnight of the one before.',
    )
    .of('organization')
    .onlyOwner()
    .takes(OrganizationSettingsChanges)
    .refuses('unsupported_currency', 'amount_precision', 'amount_too_large')
    .answers(OrganizationSettings)
    .proved('window')
    .does(changeSettings),
]

export const logos = [
  command('post', '/organizations/{organization_id}/logo', 'uploadLogo')
    .says('Set the logo', 'A PNG, JPEG or WebP of at most 40 megapixels; it is cropped to a square.')
    .of('organization')
    .can('organization.update_logo')
    .takes(upload('file', PICTURE_BYTES_MAX))
    .limited(pictures)
    .refuses('invalid_file')
    .answers(Organization)
    .prepares(async ({ org, person, file }) => ({
      image: await squarePicture(file, { organization: org.organizationId, person: person.userId }),
    }))
    .does(async ({ tx, read, person, image }) => {
      await replaceLogo(tx, image)
      return findOrganization(read, person.userId)
    }),
  command('delete', '/organizations/{organization_id}/logo', 'removeLogo')
    .says('Remove the logo')
    .of('organization')
    .can('organization.update_logo')
    .answers(Organization)
    .does(async ({ tx, read, person }) => {
      await removeLogo(tx)
      return findOrganization(read, person.userId)
    }),
  query('/logos/{logo_id}', 'getLogo')
    .says('Read a logo', 'Its address is `logo.url`; each upload has its own.')
    .for('anyone')
    .named(v.object({ logo_id: id<'logo'>() }))
    .cached('immutable')
    .answers(bytes('image/webp'))
    .does(({ params }) => findLogo(params.logo_id)),
]
