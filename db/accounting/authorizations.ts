/** Consents that people are sent to give: begun with a state and a verifier, taken once when they come back. */
import { createHash } from 'node:crypto'
import { inSeconds } from '../asking.ts'
import { decryptForRow, encryptForRow, newToken, tokenHash } from '../../platform/encryption.ts'
import { AUTHORIZATION_MINUTES } from '../../domain/accounting/integration.ts'
import type { Person } from '../../domain/actor.ts'
import { type DeviceId, type OrganizationId, type SessionId, type UserId, newId } from '../../domain/ids.ts'
import { liveSession } from '../people/devices.ts'
import { type Tx, first, sql } from '../sql.ts'

/** What the provider gets: the state that it sends back, and the challenge of PKCE (RFC 7636, S256). */
export type Begun = { readonly state: string; readonly challenge: string; readonly expiresAt: string }

/** Begins a consent of this person for the organization. Only hashes and sealed values of it are kept. */
export async function beginAuthorization(tx: Tx, { userId, sessionId }: Person): Promise<Begun> {
  const id = newId<'accounting_authorization'>()
  const [state, verifier] = [newToken(), newToken()]
  const [row] = await tx<{ expires_at: string }[]>`
    insert into accounting_authorizations (id, organization_id, user_id, session_id, state_hash, sealed, expires_at)
    values (${id}, ${tx.organizationId}, ${userId}, ${sessionId}, ${tokenHash(state)},
      ${encryptForRow(id, { verifier })}, ${inSeconds(AUTHORIZATION_MINUTES * 60)})
    returning expires_at`
  if (!row) throw new Error('an insert answers its row')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  return { state, challenge, expiresAt: row.expires_at }
}

/** A consent that came back: whose it is, and what proves to the provider that we asked for it. */
export type Taken = { readonly organizationId: OrganizationId; readonly person: Person; readonly verifier: string }

type Row = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly user_id: UserId
  readonly session_id: SessionId
  readonly sealed: Buffer
}

/**
 * Takes the consent that this state began; undefined if there is none, it was taken before, is too old, or the session
 * in which it was asked for has ended. It is used up in every case.
 */
export async function takeAuthorization(state: string): Promise<Taken | undefined> {
  const row = await first(sql<Row[]>`
    select id, organization_id, user_id, session_id, sealed from take_accounting_authorization(${tokenHash(state)})`)
  if (!row) return undefined
  const { organization_id: organizationId, user_id: userId, session_id: sessionId } = row
  const session = await first(sql<{ device_id: DeviceId }[]>`
    select s.device_id from sessions s where s.id = ${sessionId} and ${liveSession('s')}`)
  if (!session) return undefined
  const { verifier } = decryptForRow(row.id, row.sealed) as { verifier: string } // sealed above
  return { organizationId, person: { kind: 'user', userId, sessionId, deviceId: session.device_id }, verifier }
}
