/** A batch and its rows by the model, and as the API shows them. */
import type { Batch, BatchRow } from '../../../domain/batches/batch.ts'
import { type Cells, FEE, type Fault, type Model, currencyOf, statusOf } from './model.ts'

export const money = (cents: number): string => (cents / 100).toFixed(2)

export const seen = ({ status, import_error, totals, fees, approval_request_id, submitted_at, ...batch }: Batch) => ({
  status,
  counters: (['total', 'valid', 'invalid', 'skipped', 'succeeded', 'failed', 'processed'] as const).map(
    (name) => batch[`rows_${name}`],
  ),
  error: import_error?.code ?? null,
  totals,
  fees,
  asked: approval_request_id !== null,
  submitted: submitted_at !== null,
})

export function batchOf(m: Model) {
  const count = (...statuses: string[]) => m.rows.filter((row) => statuses.includes(statusOf(row))).length
  const valid = m.rows.filter((row) => row.fault === null && !row.skipped)
  const [skipped, succeeded, failed] = [count('skipped'), count('succeeded'), count('failed')]
  const before = ['draft', 'importing', 'awaiting_approval'].includes(m.status)
  const sums = (of: (row: Cells) => number) =>
    (['EUR', 'USD'] as const).flatMap((currency) => {
      const cents = valid.filter((row) => currencyOf(row) === currency).reduce((sum, row) => sum + of(row), 0)
      return cents > 0 ? [{ amount: money(cents), currency }] : []
    })
  return {
    status: m.status,
    counters: [
      m.rows.length,
      valid.length,
      count('invalid'),
      skipped,
      succeeded,
      failed,
      before ? 0 : skipped + succeeded + failed,
    ],
    error: m.importFailed ? 'unbalanced_quotes' : null,
    totals: sums(({ cents }) => cents),
    fees: m.submitter === null ? [] : sums(({ to }) => (to === 'fiat' ? FEE : 0)),
    asked: m.submitter !== null,
    submitted: m.submitter !== null,
  }
}

const COLUMN: Readonly<Record<Fault, Readonly<Record<Cells['to'], string>>>> = {
  amount: { svc_id: 'amount', fiat: 'amount' },
  payee: { svc_id: 'payee_svc_id', fiat: 'iban' },
}
export const seenRow = ({ row_number: number, status, errors, amount, payment_id: payment }: BatchRow) => ({
  number,
  status,
  errors: errors.map(({ column }) => column),
  amount,
  paid: payment !== null,
})
export const rowOf = (row: Model['rows'][number]) => ({
  number: row.number,
  status: statusOf(row),
  errors: row.fault ? [COLUMN[row.fault][row.to]] : [],
  amount: row.fault === 'amount' ? null : { amount: money(row.cents), currency: currencyOf(row) },
  paid: row.payment !== null,
})
