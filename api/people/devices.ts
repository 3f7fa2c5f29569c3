/** The person's devices and sessions: what is signed in, and how to end it. */
import * as v from 'valibot'
import { listDevices, renameDevice } from '../../db/people/devices.ts'
import { removeDevice } from '../../db/sign-in/device-removal.ts'
import { Device, DeviceName, DeviceParams } from '../../domain/people/device.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Session, SessionParams } from '../../domain/people/session.ts'
import { Deleted } from '../../domain/text.ts'
import { endOneSession, endOtherSessions, listSessions } from '../../db/people/sessions.ts'
import { operations } from '../http/operation.ts'

export const devices = [
  operations('Authentication')
    .query('/devices', 'listDevices')
    .says('List your devices, newest first; send the id of this_device at later sign-ins')
    .filters(v.object(PageQuery))
    .answers(pageOf(Device))
    .does(({ person, query }) => listDevices(person, query)),
  operations('Authentication')
    .command('patch', '/devices/{device_id}', 'renameDevice')
    .says('Give a device a name that you know it by')
    .named(DeviceParams)
    .takes(DeviceName)
    .answers(Device)
    .handles(({ person, params, body }) => renameDevice(person, params.device_id, body.name)),
  operations('Authentication')
    .command('delete', '/devices/{device_id}', 'removeDevice')
    .says('Remove a device: its sessions end, and its trust and credentials are void')
    .named(DeviceParams)
    .answers(Deleted)
    .handles(async ({ person, params, origin }) => {
      await removeDevice(person, params.device_id, origin)
      return { deleted: true as const, id: params.device_id }
    }),
  operations('Me')
    .query('/me/sessions', 'listSessions')
    .says(
      'List your live sessions, the latest sign-in first',
      'A request moves the end of its session to 30 minutes later, unless another one did so within a second.',
    )
    .filters(v.object(PageQuery))
    .answers(pageOf(Session))
    .does(({ person, query }) => listSessions(person, query)),
  operations('Me')
    .command('delete', '/me/sessions/{id}', 'endSession')
    .says('End a session')
    .named(SessionParams)
    .answers(Deleted)
    .handles(async ({ person, params, origin }) => {
      await endOneSession(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    }),
  operations('Me')
    .command('delete', '/me/sessions', 'endOtherSessions')
    .says('End all your sessions but this one')
    .answers(v.object({ ended: v.pipe(v.number(), v.integer()) }))
    .handles(async ({ person, origin }) => ({ ended: await endOtherSessions(person, origin) })),
]
