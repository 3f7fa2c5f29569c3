import * as v from 'valibot'
import { id } from '../ids.ts'
import { model, timestamp, uuid, describe } from '../text.ts'
import { Money } from '../money/money.ts'
import { instant } from '../pagination.ts'

export const NewAllocation = model('NewInvoiceAllocation', {
  transaction_id: id<'transaction'>(),
  amount: Money.entries.amount,
})
export type NewAllocation = v.InferOutput<typeof NewAllocation>

/** Amount of a transaction that pays an invoice. `created_by_id` is null if the service was certain of the match. */
export const Allocation = model('InvoiceAllocation', {
  id: uuid,
  organization_id: uuid,
  invoice_id: uuid,
  transaction_id: uuid,
  amount: v.string(),
  currency: v.string(),
  created_by_id: v.nullable(uuid),
  inserted_at: timestamp,
})
export type Allocation = v.InferOutput<typeof Allocation>

const month = v.pipe(
  v.string(),
  v.regex(/^[12][0-9]{3}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-03'),
  v.metadata({ jsonSchema: { type: 'string', pattern: '^[12][0-9]{3}-(0[1-9]|1[0-2])$' } }),
)

/** Months of GET …/invoices/summary, both included; by default the last twelve. */
export const SummaryFilters = v.object({ from: v.optional(month), to: v.optional(month) })
export type SummaryFilters = v.InferOutput<typeof SummaryFilters>

export const InvoiceSummary = model('InvoiceSummary', {
  by_currency: describe(
    v.array(
      model('InvoiceCurrencySummary', {
        currency: v.string(),
        outstanding: describe(v.string(), 'Due amounts of sent invoices: a decimal.'),
        overdue: describe(v.string(), 'Due amounts past their due date: a decimal.'),
        paid: v.string(),
        credited: v.string(),
        draft: describe(v.string(), 'Sum of drafts, also those that wait for approval: a decimal.'),
      }),
    ),
    'Sums by currency.',
  ),
  by_month: describe(
    v.array(
      model('InvoiceMonthSummary', {
        month: describe(v.string(), 'Month, `YYYY-MM`.'),
        currency: v.string(),
        invoiced: describe(v.string(), 'Sum of the invoices: a decimal.'),
        paid: v.string(),
      }),
    ),
    'Months with invoices (by day of issue) or payments, oldest first.',
  ),
})
export type InvoiceSummary = v.InferOutput<typeof InvoiceSummary>

/** Body of POST /sandbox/invoices/{invoice_id}/pay; by default the due amount. */
export const SandboxPay = model('SandboxPay', { amount: v.optional(Money.entries.amount) })
export type SandboxPay = v.InferOutput<typeof SandboxPay>

/** Body of POST /invoices/{invoice_id}/mark-paid: the transaction, or the instant of a payment elsewhere. */
export const PaidElsewhere = model('InvoicePaidElsewhere', {
  paid_at: describe(v.optional(instant), 'Instant of the payment; absent: now.'),
  transaction_id: v.optional(id<'transaction'>()),
})
export type PaidElsewhere = v.InferOutput<typeof PaidElsewhere>
