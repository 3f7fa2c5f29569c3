/** Words that invoices are found by, which the release before has written. */
import { sql } from '../../db/postgres/sql.ts'

const BATCH = 1000

/** Folds the words of invoices that the release before has written; returns of how many. */
export async function foldInvoiceWords(): Promise<number> {
  let done = 0
  for (let last = BATCH; last === BATCH; done += last) {
    const [row] = await sql<{ folded: number }[]>`select fold_invoice_words(${BATCH}) as folded`
    last = row?.folded ?? 0
  }
  return done
}
