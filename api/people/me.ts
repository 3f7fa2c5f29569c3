/** The signed-in person: their profile, picture, security log, devices and sessions. */
import * as v from 'valibot'
import { squarePicture } from '../../documents/pictures/pictures.ts'
import { listDevices, listSessions, renameDevice } from '../../services/people/devices.ts'
import {
  changeMe,
  choosePrimaryOrganization,
  findAvatar,
  findMe,
  removeAvatar,
  replaceAvatar,
} from '../../services/people/people.ts'
import { listSecurityEvents } from '../../services/people/security-log.ts'
import { endOneSession, endOtherSessions } from '../../services/people/sessions.ts'
import { removeDevice } from '../../services/sign-in/sign-out.ts'
import { isApprovalDevice } from '../../services/step-up/approval-devices.ts'
import { id } from '../../domain/ids.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Device, DeviceName, DeviceParams, Session } from '../../domain/people/device.ts'
import { Me, MeChanges, PrimaryOrganization, PrimaryOrganizationAnswer } from '../../domain/people/person.ts'
import { PICTURE_BYTES_MAX } from '../../domain/people/picture.ts'
import { SECURITY_EVENTS, SecurityEvent } from '../../domain/people/security-event.ts'
import { integer, quoteName } from '../../domain/text.ts'
import { pictures } from '../http/limits.ts'
import { bytes, operations, upload } from '../http/operation.ts'

const { command, query } = operations('Me')

export const me = [
  query('/me', 'getMe')
    .says('Read oneself')
    .answers(Me)
    .does(({ person }) => findMe(person.userId)),
  command('patch', '/me', 'updateMe')
    .says('Change your profile', 'Absent fields stay, null clears.')
    .takes(MeChanges)
    .answers(Me)
    .does(({ tx, person, body }) => changeMe(tx, person.userId, body)),
  command('put', '/me/primary-organization', 'setPrimaryOrganization')
    .says('Choose the organization that one works in first')
    .of('organization', { body: 'organization_id' })
    .takes(PrimaryOrganization)
    .answers(PrimaryOrganizationAnswer)
    .does(async ({ tx, person }) => {
      const organization = await choosePrimaryOrganization(tx, person.userId)
      return {
        success: true,
        message: `${quoteName(organization.name)} is now your primary organization.`,
        organization,
      }
    }),
]

export const avatars = [
  command('post', '/me/avatar', 'uploadAvatar')
    .says('Set your picture', 'A PNG, JPEG or WebP of at most 40 megapixels; it is cropped to a square.')
    .takes(upload('file', PICTURE_BYTES_MAX))
    .limited(pictures)
    .refuses('invalid_file')
    .answers(Me)
    .prepares(async ({ person, file }) => ({ image: await squarePicture(file, { person: person.userId }) }))
    .does(({ tx, person, image }) => replaceAvatar(tx, person.userId, image)),
  command('delete', '/me/avatar', 'removeAvatar')
    .says('Remove your picture')
    .answers(Me)
    .does(({ tx, person }) => removeAvatar(tx, person.userId)),
  query('/avatars/{avatar_id}', 'getAvatar')
    .says('Read a picture', 'Its address is `avatar.url`; each upload has its own.')
    .for('anyone')
    .named(v.object({ avatar_id: id<'avatar'>() }))
    .cached('immutable')
    .answers(bytes('image/webp'))
    .does(({ params }) => findAvatar(params.avatar_id)),
]

export const securityEvents = [
  query('/me/security-events', 'listSecurityEvents')
    .says('List what happened to your account, newest first')
    .filters(v.object({ ...PageQuery, type: v.optional(v.picklist(SECURITY_EVENTS)) }))
    .answers(pageOf(SecurityEvent))
    .does(({ person, query }) => listSecurityEvents(person, query)),
]

const ofDevices = operations('Authentication')

export const devices = [
  ofDevices
    .query('/devices', 'listDevices')
    .says('List your devices, newest first', 'Send the id of `this_device` at later sign-ins.')
    .filters(v.object(PageQuery))
    .answers(pageOf(Device))
    .does(({ person, query }) => listDevices(person, query)),
  ofDevices
    .command('patch', '/devices/{device_id}', 'renameDevice')
    .says('Give a device a name that you know it by')
    .named(DeviceParams)
    .takes(DeviceName)
    .answers(Device)
    .does(({ tx, person, params, body }) => renameDevice(tx, person, params.device_id, body.name)),
  ofDevices
    .command('delete', '/devices/{device_id}', 'removeDevice')
    .says(
      'Remove a device',
      'Its sessions end, and its trust and credentials become void. An approval device needs a step-up.',
    )
    .named(DeviceParams)
    .deletes()
    .proved(
      'window',
      async ({ person, params }) => {
        const approves = await isApprovalDevice(person.userId, params.device_id)
        return { target: `user:${person.userId}`, needless: !approves, found: { approves } }
      },
      { weakens: true },
    )
    .does(({ found, ...context }) => removeDevice({ ...context, approves: found?.approves ?? false })),
  query('/me/sessions', 'listSessions')
    .says(
      'List your live sessions, the latest sign-in first',
      'A request moves the end of its session to 30 minutes later, unless another one did so within a second.',
    )
    .filters(v.object(PageQuery))
    .answers(pageOf(Session))
    .does(({ person, query }) => listSessions(person, query)),
  command('delete', '/me/sessions/{id}', 'endSession')
    .says('End a session')
    .keepsToCompany()
    .named(v.object({ id: id<'session'>() }))
    .deletes()
    .does(endOneSession),
  command('delete', '/me/sessions', 'endOtherSessions')
    .says('End all your sessions but this one')
    .keepsToCompany()
    .answers(v.object({ ended: integer }))
    .does(endOtherSessions),
]
