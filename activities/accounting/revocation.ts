/** The step of a connection at Xero: its consent is revoked. */
import { findRevocation, noteRevoked, noteUnrevoked } from '../../db/accounting/revocation.ts'
import { log } from '../../platform/log.ts'
import type { AccountingConnectionId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { asSystem } from '../../db/sql.ts'
import { organizationOf } from '../../db/views.ts'
import { XeroFailure } from '../../partners/xero-http.ts'
import { deleteConnection, listBooks, revokeToken } from '../../partners/xero-oauth.ts'
import { withBooks } from './session.ts'

/**
 * Takes back the consent for the books, and revokes the tokens if they open no others: those of the same person may be
 * connected with another organization. Then the tokens are gone from here, too. What Xero refuses already counts as
 * revoked. Nothing if that is done.
 */
export async function revokeConnection(ref: ProcessRef<AccountingConnectionId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  if (!(await asSystem(organizationId, (tx) => findRevocation(tx, id)))) return
  try {
    await withBooks(organizationId, id, async (call, held) => {
      await call(({ access }) => deleteConnection(access, held.providerConnectionId))
      const left = await call(({ access }) => listBooks(access))
      if (left.length === 0) await call(({ refresh }) => revokeToken(refresh))
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
