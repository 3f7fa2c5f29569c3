/** Who acts. A person always acts through a session of one of their devices. */
import type { DeviceId, SessionId, UserId } from './ids.ts'

export type Person = {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly deviceId: DeviceId
}

export type Actor = Person | { readonly kind: 'system' } | { readonly kind: 'worker' }
