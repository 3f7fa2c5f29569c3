/** Login credentials: what stands in for the password on one device. */
import * as v from 'valibot'
import { trust } from './sign-in.ts'
import { opaque, timestamp, uuid } from '../text.ts'

export const LOGIN_CREDENTIAL_PREFIX = 'dlc_'

const DEVICE_ID_CHARACTERS_MAX = 255
const SECRET_CHARACTERS_MAX = 512

/** The only answer that holds the secret. */
export const LoginCredentialResult = v.object({ credential: v.string(), device_id: uuid, expires_at: timestamp })
export type LoginCredentialResult = v.InferOutput<typeof LoginCredentialResult>

/** A device id that nobody has is a wrong one; one of the wrong shape too. */
export const DeviceSignIn = v.object({
  device_id: opaque(1, DEVICE_ID_CHARACTERS_MAX),
  credential: opaque(1, SECRET_CHARACTERS_MAX),
  ...trust,
})
export type DeviceSignIn = v.InferOutput<typeof DeviceSignIn>
