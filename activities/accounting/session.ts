/** Speaking with Xero about a connection: alone, with tokens that are good, and not more often than it takes. */
import { randomUUID } from 'node:crypto'
import { takeCall } from '../../db/accounting/calls.ts'
import { noteRefused } from '../../db/accounting/connections.ts'
import { type Held, keepLease, keepTokens, releaseLease, takeLease } from '../../db/accounting/lease.ts'
import type { AccountingConnectionId, OrganizationId } from '../../domain/ids.ts'
import { asSystem } from '../../db/sql.ts'
import type { BooksAccess } from '../../partners/xero.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { refreshTokens } from '../../partners/xero-oauth.ts'

/** What opens the books now. */
type Opened = BooksAccess & { readonly refresh: string }

/**
 * One call about the books. Fails as `XeroFailure`; `busy` also while somebody else speaks, or nothing may be asked.
 */
export type Call = <Answer>(question: (opened: Opened) => Promise<Answer>) => Promise<Answer>

const OCCUPIED_SECONDS = 5

/**
 * Does the work with the right to speak with Xero about this connection, over all processes. If Xero refuses the
 * consent for good, the connection needs to be made again, and the failure is `denied`.
 */
export async function withBooks<Result>(
  organizationId: OrganizationId,
  id: AccountingConnectionId,
  work: (call: Call, held: Held) => Promise<Result>,
): Promise<Result> {
  const holder = randomUUID()
  const held = leased(await asSystem(organizationId, (tx) => takeLease(tx, id, holder)))
  try {
    return await work((question) => ask(organizationId, { id, holder }, question), held)
  } catch (error) {
    if (error instanceof XeroFailure && error.kind === 'denied') {
      await asSystem(organizationId, (tx) => noteRefused(tx, id, holder))
    }
    throw error
  } finally {
    await asSystem(organizationId, (tx) => releaseLease(tx, id, holder))
  }
}

function leased<Lease>(lease: Lease | null): Lease {
  if (lease === null) throw new XeroFailure('busy', 'somebody else speaks with it', OCCUPIED_SECONDS)
  return lease
}

type Speaker = { readonly id: AccountingConnectionId; readonly holder: string }

/** Each call prolongs the lease, so that none is made by who has lost it. A token that is dead is refreshed once. */
async function ask<Answer>(
  organizationId: OrganizationId,
  speaker: Speaker,
  question: (opened: Opened) => Promise<Answer>,
): Promise<Answer> {
  const held = leased(await asSystem(organizationId, (tx) => keepLease(tx, speaker.id, speaker.holder)))
  const opened = held.stale ? await refreshed(organizationId, speaker, held) : held
  try {
    return await counted(opened, question)
  } catch (error) {
    if (!isExpired(error)) throw error
    if (opened !== held) throw stillExpired(error)
  }
  const fresh = await refreshed(organizationId, speaker, held)
  try {
    return await counted(fresh, question)
  } catch (error) {
    throw isExpired(error) ? stillExpired(error) : error
  }
}

/** Of a token that is fresh: it is Xero's fault if it has expired, and else the consent does not reach that far. */
const stillExpired = ({ message }: XeroFailure): XeroFailure =>
  new XeroFailure(message.includes('TokenExpired') ? 'away' : 'denied', message)

const isExpired = (error: unknown): error is XeroFailure => error instanceof XeroFailure && error.kind === 'expired'

async function counted<Answer>(opened: Opened, question: (opened: Opened) => Promise<Answer>): Promise<Answer> {
  const wait = await takeCall(opened.tenantId)
  if (wait !== null) throw new XeroFailure('busy', 'as many calls as it takes in a minute', wait)
  return question(opened)
}

/**
 * The next tokens, kept before they are used. If this process dies in between, Xero takes the same refresh token again
 * for half an hour.
 */
async function refreshed(organizationId: OrganizationId, { id, holder }: Speaker, held: Held): Promise<Opened> {
  const tokens = await refreshTokens(held.refresh)
  const kept = await asSystem(organizationId, (tx) => keepTokens(tx, id, holder, tokens))
  if (!kept) throw new XeroFailure('busy', 'somebody else speaks with it', OCCUPIED_SECONDS)
  return { ...held, access: tokens.access, refresh: tokens.refresh }
}
