/** The token of the public page of an invoice: whoever has it sees the page. Found by its hash, kept sealed. */
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow, newToken, tokenHash } from '../../platform/encryption.ts'
import { log } from '../../platform/log.ts'
import { type Fragment, sql } from '../sql.ts'

/** A new token in the columns that hold it. */
export function newPageToken(id: string): Fragment {
  const token = newToken()
  return sql`page_token_hash = ${tokenHash(token)}, page_token_sealed = ${sealPageToken(id, token)}`
}

/** A token as it is kept of this invoice. */
export const sealPageToken = (id: string, token: string): Buffer => encryptForRow(id, { token })

/** The token as sealPageToken() sealed it for this invoice. Throws if it does not open. */
const openPageToken = (id: string, sealed: Buffer): string => (decryptForRow(id, sealed) as { token: string }).token

/**
 * The address of the public page of an invoice; null if it has none, or, which is logged, if its token does not open.
 * @param sealed in hexadecimal
 */
export function pageUrl(id: string, sealed: string | null): string | null {
  if (sealed === null) return null
  try {
    return `${config.publicUrl}/i/${openPageToken(id, Buffer.from(sealed, 'hex'))}`
  } catch (error) {
    log.error({ err: error, invoice_id: id }, 'the token of the page of an invoice does not open')
    return null
  }
}
