/** Who acts. A person always acts through a session of one of their devices. */
import type { DeviceId, SessionId, UserId } from './ids.ts'

export type Person = {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly deviceId: DeviceId
}

/** Where a request came from, for the person's own log: the network address, and what the program says it is. */
export type Origin = { readonly address: string; readonly userAgent: string | null }

export type Actor = Person | { readonly kind: 'system' } | { readonly kind: 'worker' }
