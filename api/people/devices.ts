/** The person's devices and sessions: what is signed in, and how to end it. */
import * as v from 'valibot'
import { listDevices, renameDevice } from '../../db/people/devices.ts'
import { removeDevice } from '../../db/sign-in/device-removal.ts'
import { Device, DeviceName, DeviceParams } from '../../domain/people/device.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { Session, SessionParams } from '../../domain/people/session.ts'
import { Deleted } from '../../domain/text.ts'
import { endOneSession, endOtherSessions, listSessions } from '../../db/people/sessions.ts'
import { route } from '../http/route.ts'

export const devices = [
  route({
    method: 'get',
    path: '/devices',
    operationId: 'listDevices',
    summary: 'List your devices, newest first; send the id of this_device at later sign-ins',
    tag: 'Authentication',
    query: v.object(PageQuery),
    returns: pageOf(Device),
    handle: ({ person, query }) => listDevices(person, query),
  }),
  route({
    method: 'patch',
    path: '/devices/{device_id}',
    operationId: 'renameDevice',
    summary: 'Give a device a name that you know it by',
    tag: 'Authentication',
    params: DeviceParams,
    body: DeviceName,
    returns: Device,
    handle: ({ person, params, body }) => renameDevice(person, params.device_id, body.name),
  }),
  route({
    method: 'delete',
    path: '/devices/{device_id}',
    operationId: 'removeDevice',
    summary: 'Remove a device: its sessions end, and its trust and credentials are void',
    tag: 'Authentication',
    params: DeviceParams,
    returns: Deleted,
    handle: async ({ person, params, origin }) => {
      await removeDevice(person, params.device_id, origin)
      return { deleted: true as const, id: params.device_id }
    },
  }),
  route({
    method: 'get',
    path: '/me/sessions',
    operationId: 'listSessions',
    summary: 'List your live sessions, the latest sign-in first',
    note: 'A request moves the end of its session to 30 minutes later, unless another one did so within a second.',
    tag: 'Me',
    query: v.object(PageQuery),
    returns: pageOf(Session),
    handle: ({ person, query }) => listSessions(person, query),
  }),
  route({
    method: 'delete',
    path: '/me/sessions/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    tag: 'Me',
    params: SessionParams,
    returns: Deleted,
    handle: async ({ person, params, origin }) => {
      await endOneSession(person, params.id, origin)
      return { deleted: true as const, id: params.id }
    },
  }),
  route({
    method: 'delete',
    path: '/me/sessions',
    operationId: 'endOtherSessions',
    summary: 'End all your sessions but this one',
    tag: 'Me',
    returns: v.object({ ended: v.pipe(v.number(), v.integer()) }),
    handle: async ({ person, origin }) => ({ ended: await endOtherSessions(person, origin) }),
  }),
]
