/** Notes money that came in: deposits, adjustments, and payments of other organizations. */
import { type Fragment, sql } from '../../db/postgres/sql.ts'

/**
 * Makes an expression that notes which of these posted rows of the feed may pay an invoice. Each of them gets a run.
 * The expression is part of the statement that writes the rows: none is missed, and it takes no round trip.
 */
export const noteIncomingPayments = (rows: Fragment): Fragment => sql`note_incoming_payments(${rows})`
