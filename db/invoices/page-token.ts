/** The token of the public page of an invoice: whoever has it sees the page. Found by its hash, shown to its seller. */
import { decryptForRow, encryptForRow, newToken, tokenHash } from '../encryption.ts'
import { type Fragment, sql } from '../sql.ts'

/** A new token, and the columns that hold it. */
export function newPageToken(id: string): { readonly token: string; readonly columns: Fragment } {
  const token = newToken()
  return { token, columns: sql`page_token_hash = ${tokenHash(token)}, page_token_sealed = ${sealPageToken(id, token)}` }
}

/** A token as it is kept of this invoice. */
export const sealPageToken = (id: string, token: string): Buffer => encryptForRow(id, { token })

/** The token that was sealed for this invoice. Throws if it does not open. */
export const openPageToken = (id: string, sealed: Buffer): string =>
  (decryptForRow(id, sealed) as { token: string }).token // as it was sealed
