/** Verification of the payees of a batch: the bank is asked about its rows, some at once. */
import { type AnsweredRow, type RowPayee, payeesToAsk, recordRowAnswers } from '../../db/batches/payee-checks.ts'
import { asSystem } from '../../db/sql.ts'
import { organizationOf } from '../../db/views.ts'
import type { BatchId, OrganizationId } from '../../domain/ids.ts'
import type { ProcessRef } from '../../domain/process.ts'
import { PAYEE_CHECK_MS } from '../../domain/payee-checks/payee-check.ts'
import { askAboutPayee } from '../../partners/payee-checks.ts'

/** Rows that the bank is asked about at once. */
const AT_ONCE = 8

/** Asks the bank about the next rows of a draft, and records its answers. */
export async function checkBatchPayees(ref: ProcessRef<BatchId>): Promise<void> {
  await askAboutRows(organizationOf(ref), ref.id, Number.POSITIVE_INFINITY)
}

/** Asks the bank about rows of a draft before it is submitted, for as long as a person waits. */
export async function askBeforeSubmission(organizationId: OrganizationId, id: BatchId): Promise<void> {
  const until = Date.now() + PAYEE_CHECK_MS
  while (Date.now() < until && (await askAboutRows(organizationId, id, until)));
}

/** Asks about one page of rows, and tells whether there may be more. A bank that is away is not asked about the rest. */
async function askAboutRows(organizationId: OrganizationId, id: BatchId, until: number): Promise<boolean> {
  const rows = await asSystem(organizationId, (tx) => payeesToAsk(tx, id))
  const answered: AnsweredRow[] = []
  let away = false
  for (let begun = 0; begun < rows.length && !away && Date.now() < until; begun += AT_ONCE) {
    const some = await Promise.all(rows.slice(begun, begun + AT_ONCE).map(ask))
    away = some.every(({ answer }) => answer.reason === 'unavailable' || answer.reason === 'too_slow')
    answered.push(...some)
  }
  const over = away || rows.length === 0
  await asSystem(organizationId, (tx) => recordRowAnswers(tx, id, answered, { over }))
  return !over
}

const ask = async (row: RowPayee): Promise<AnsweredRow> => ({ ...row, answer: await askAboutPayee(row.coordinates) })
