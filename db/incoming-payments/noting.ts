/** Notes money that came in, for its own organization or for the payee of another one's payment. */
import { type Fragment, sql } from '../sql.ts'

/**
 * Makes an expression that notes posted rows of the feed which may pay an invoice, and wakes their runs. It is part of
 * the statement that writes the rows: none is missed, and it takes no round trip. Other rows are passed over.
 */
export const noteIncomingPayments = (rows: Fragment): Fragment => sql`note_incoming_payments(${rows})`
