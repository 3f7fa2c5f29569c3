/** Who acts. A person always acts through a session of one of their devices, a program by an API key. */
import type { ApiKeyScope } from './organizations/api-key.ts'
import type { ApiKeyId, DeviceId, SessionId, UserId } from './ids.ts'

export type Person = {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly deviceId: DeviceId
}

/** Where a request came from, for the person's own log: the network address, and what the program says it is. */
export type Origin = { readonly address: string; readonly userAgent: string | null }

/** A program of an organization. It only reads: events know no such actor. */
export type Program = {
  readonly kind: 'api_key'
  readonly apiKeyId: ApiKeyId
  /** What it may be used for now. */
  readonly scopes: readonly ApiKeyScope[]
}

export type Actor =
  | Person
  | Program
  | { readonly kind: 'system' }
  | { readonly kind: 'worker' }
  | { readonly kind: 'admin' }
