/** Devices of a person, and the sessions on them. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { model, integer, line, nullableText, onOneLine, timestamp, uuid, describe } from '../text.ts'

/** `this_device` is the one that asks; until `trusted_until` it may skip the authenticator code. */
export const Device = model('Device', {
  id: uuid,
  name: nullableText,
  this_device: v.boolean(),
  sessions: describe(integer, 'Number of open sessions on the device.'),
  trusted_until: describe(
    v.nullable(timestamp),
    'Instant until which sign-ins skip the code on the device; null if they do not.',
  ),
  inserted_at: timestamp,
  last_seen_at: describe(timestamp, 'Instant when the device was last used.'),
})
export type Device = v.InferOutput<typeof Device>

export const DeviceName = model('DeviceName', { name: line(1, 100) })

export const DeviceParams = v.object({ device_id: id<'device'>() })

const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Names a device for its owner: `Chrome on macOS` of a browser, the first word of any other program. */
export function deviceNameOf(userAgent: string | null): string | null {
  if (!userAgent) return null
  const browser = BROWSERS.find(([mark]) => userAgent.includes(`${mark}/`))?.[1]
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1]
  if (browser) return system ? `${browser} on ${system}` : browser
  return onOneLine(userAgent.split(' ')[0] ?? '').slice(0, 60) || null
}

/** `expires_at` is its end without another use: 30 minutes from the last one, 30 days from sign-in at the latest. */
export const Session = model('Session', {
  id: uuid,
  device_id: uuid,
  device_name: nullableText,
  this_session: describe(v.boolean(), 'True for the session that asks.'),
  ip_address: describe(nullableText, 'Network address of the sign-in.'),
  signed_in_at: describe(timestamp, 'Instant of the sign-in.'),
  last_used_at: timestamp,
  expires_at: timestamp,
})
export type Session = v.InferOutput<typeof Session>
