/** Verification of the payees of a batch: the bank is asked about its rows, some at once. */
import { type AnsweredRow, type RowPayee, payeesToAsk, recordRowAnswers } from '../services/batches/payee-checks.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import type { BatchId, OrganizationId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { type NotPossibleReason, PAYEE_CHECK_MS } from '../domain/payee-checks/payee-check.ts'
import { type Permit, askAboutPayee, permitQuestions } from './payee-checks.ts'

/** Reasons after which the bank is not asked about further rows. */
const GIVES_UP: ReadonlySet<NotPossibleReason> = new Set(['unavailable', 'too_slow', 'too_many_questions'])
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
  const permit = rows.length > 0 ? await permitQuestions(organizationId, 'payee_rows', rows.length) : null
  const answered: AnsweredRow[] = []
  let away = false
  for (let begun = 0; begun < rows.length && !away && Date.now() < until; begun += AT_ONCE) {
    const some = await Promise.all(rows.slice(begun, begun + AT_ONCE).map((row) => ask(row, permit)))
    away = some.every(({ answer: { reason } }) => reason !== null && GIVES_UP.has(reason))
    answered.push(...some)
  }
  const over = away || rows.length === 0
  await asSystem(organizationId, (tx) => recordRowAnswers(tx, id, answered, { over }))
  return !over
}

const ask = async (row: RowPayee, permit: Permit | null): Promise<AnsweredRow> => ({
  ...row,
  answer: await askAboutPayee(row.coordinates, permit),
})
