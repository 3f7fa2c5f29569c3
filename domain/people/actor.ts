/** Actor of a request: a person through a session of one of their devices, or a program with an API key. */
import { refuse } from '../errors.ts'
import type { ApiKeyScope } from '../organizations/api-key.ts'
import type { Restriction } from './delegate.ts'
import type { ApiKeyId, DeviceId, OrganizationId, SessionId, UserId } from '../ids.ts'

export type Person = {
  readonly kind: 'user'
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly deviceId: DeviceId
  /** Set if a delegate of the person asks. */
  readonly delegate?: Restriction
  /** Set while the session has proved nothing but a mailbox: until when. */
  readonly mailboxUntil?: string
  /** Set if the identity provider of this organization opened the session, which sees it alone. */
  readonly company?: OrganizationId
  /** Set if the person signed in by a passkey, past the provider of an organization. */
  readonly breaksGlass?: true
  /** Set if a page of ours asks for the person. */
  readonly onPage?: true
}

/** Origin of a request, for the person's own log: network address and user agent. */
export type Origin = { readonly address: string; readonly userAgent: string | null }

/** Program of an organization. It only reads, so no event has it as actor. */
export type Program = {
  readonly kind: 'api_key'
  readonly apiKeyId: ApiKeyId
  readonly scopes: readonly ApiKeyScope[]
}

export type Actor =
  | Person
  | Program
  | { readonly kind: 'system' }
  | { readonly kind: 'worker' }
  | { readonly kind: 'admin' }

/** Refuses to a session of a company what reaches beyond that company. */
export function requireOwnSession({ company }: Person): void {
  if (company) refuse('forbidden', { reason: 'provider_session' })
}

/** Gives the delegate through which a person acts, if one does. */
export const delegateOf = (actor: Actor): Restriction | undefined =>
  actor.kind === 'user' ? actor.delegate : undefined

/** Tells if what an actor asks for always waits for an approval: a delegate, or a session of a mailbox alone. */
export const onlyPrepares = (actor: Actor): boolean =>
  actor.kind === 'user' && (actor.delegate !== undefined || actor.mailboxUntil !== undefined)
