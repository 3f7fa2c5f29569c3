/** Calls to Xero about a connection: by one holder, with fresh tokens, within its rate limit. */
import { randomUUID } from 'node:crypto'
import {
  type HeldLease,
  keepLease,
  keepTokens,
  releaseLease,
  takeCall,
  takeLease,
} from '../../services/accounting/lease.ts'
import { findRevocation, noteRefused, noteRevoked, noteUnrevoked } from '../../services/accounting/steps.ts'
import { asSystem } from '../../db/postgres/sql.ts'
import { organizationOf } from '../../db/processes/views.ts'
import type { AccountingConnectionId, OrganizationId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { deleteConnection, listBooks, refreshTokens, revokeToken } from '../../partners/xero-oauth.ts'
import type { BooksAccess } from '../../partners/xero.ts'
import { log } from '../../platform/log.ts'

type OpenBooks = BooksAccess & { readonly refresh: string }
type Question<Answer> = (opened: OpenBooks) => Promise<Answer>

/** One call about the books. Fails as `XeroFailure`; `busy` also while another holder has the lease. */
export type Call = <Answer>(question: Question<Answer>) => Promise<Answer>

const OCCUPIED_SECONDS = 5
const busyFailure = () => new XeroFailure('busy', 'somebody else speaks with it', OCCUPIED_SECONDS)

/**
 * Does the work under the lease of the connection. If Xero refuses the consent for good, a person has to connect again;
 * the failure is `denied`.
 */
export async function withBooks<Result>(
  organizationId: OrganizationId,
  id: AccountingConnectionId,
  work: (call: Call, held: HeldLease) => Promise<Result>,
): Promise<Result> {
  const speaker = { organizationId, id, holder: randomUUID() }
  const held = await asSystem(organizationId, (tx) => takeLease(tx, id, speaker.holder))
  if (!held) throw busyFailure()
  try {
    return await work((question) => ask(speaker, question), held)
  } catch (error) {
    if (error instanceof XeroFailure && error.kind === 'denied') {
      await asSystem(organizationId, (tx) => noteRefused(tx, id, speaker.holder))
    }
    throw error
  } finally {
    await asSystem(organizationId, (tx) => releaseLease(tx, id, speaker.holder))
  }
}

type Speaker = {
  readonly organizationId: OrganizationId
  readonly id: AccountingConnectionId
  readonly holder: string
}

/** Prolongs the lease, then makes the call. Refreshes a dead token once. */
async function ask<Answer>(speaker: Speaker, question: Question<Answer>): Promise<Answer> {
  const held = await asSystem(speaker.organizationId, (tx) => keepLease(tx, speaker.id, speaker.holder))
  if (!held) throw busyFailure()
  let opened: OpenBooks = held.stale ? await refresh(speaker, held) : held
  for (;;) {
    try {
      return await askCounted(opened, question)
    } catch (error) {
      if (!isExpired(error)) throw error
      if (opened !== held) throw stillExpired(error)
    }
    opened = await refresh(speaker, held)
  }
}

/** Explains why a fresh token is refused: it expired (Xero's fault), or the consent does not cover the call. */
const stillExpired = ({ message }: XeroFailure): XeroFailure =>
  new XeroFailure(message.includes('TokenExpired') ? 'away' : 'denied', message)

const isExpired = (error: unknown): error is XeroFailure => error instanceof XeroFailure && error.kind === 'expired'

async function askCounted<Answer>(opened: OpenBooks, question: Question<Answer>): Promise<Answer> {
  const wait = await takeCall(opened.tenantId)
  if (wait !== null) throw new XeroFailure('busy', 'as many calls as it takes in a minute', wait)
  return question(opened)
}

/**
 * Refreshes the tokens and stores them before use. After a crash in between, Xero takes the same refresh token again
 * for half an hour.
 */
async function refresh({ organizationId, id, holder }: Speaker, held: HeldLease): Promise<OpenBooks> {
  const tokens = await refreshTokens(held.refresh)
  if (!(await asSystem(organizationId, (tx) => keepTokens(tx, id, holder, tokens)))) throw busyFailure()
  return { ...held, access: tokens.access, refresh: tokens.refresh }
}

/**
 * Revokes a connection at Xero, and its tokens if they open no other books. A token that Xero refuses counts as
 * revoked. Idempotent.
 */
export async function revokeConnection(ref: ProcessRef<AccountingConnectionId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  if (!(await asSystem(organizationId, (tx) => findRevocation(tx, id)))) return
  try {
    await withBooks(organizationId, id, async (call, held) => {
      await call(({ access }) => deleteConnection(access, held.providerConnectionId))
      const left = await call(({ access }) => listBooks(access))
      if (left.length === 0) await call((opened) => revokeToken(opened.refresh))
    })
  } catch (error) {
    if (!(error instanceof XeroFailure)) throw error
    if (error.kind !== 'denied') {
      log.warn({ err: error, connection_id: id }, 'a connection with an accounting program was not revoked')
      return asSystem(organizationId, (tx) => noteUnrevoked(tx, id, error.message))
    }
  }
  await asSystem(organizationId, (tx) => noteRevoked(tx, id))
}
