/** An audit pack: its four lists, the and the states that a log leads to. */
import * as v from 'valibot'
import { approvalFlow } from '../approvals/flow.ts'
import { billFlow } from '../bills/flow.ts'
import { type Flow, publicStateOf } from '../flow.ts'
import { invoiceFlow } from '../invoices/flow.ts'
import { paymentFlow } from '../payments/flow.ts'
import { describe, integer, line, model } from '../text.ts'

/** Items that are drawn from each list, at most. */
const SAMPLE_MAX = 300

/** Draw of an auditor: the first `size` of each list, in the order of the seed. */
export const Sample = model('AuditSample', {
  size: describe(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(SAMPLE_MAX)),
    'Number of items that are drawn from each list.',
  ),
  seed: describe(line(1, 200), "The auditor's own words: the same seed draws the same items."),
})
export type Sample = v.InferOutput<typeof Sample>

/** The sample of an export as it was asked for. */
export const KeptSample = model('ExportSample', {
  size: describe(integer, 'Number of items that are drawn from each list.'),
  seed: describe(v.string(), "The auditor's own words."),
})

export const NOUNS = ['payment', 'bill', 'invoice', 'approval'] as const
export type Noun = (typeof NOUNS)[number]

/** Events by which each noun enters the log. */
export const FIRST_EVENTS: Readonly<Record<Noun, string>> = {
  payment: 'payment.created',
  bill: 'bill.created',
  invoice: 'invoice.created',
  approval: 'approval.requested',
}

const FLOWS: Readonly<Record<Noun, Flow>> = {
  payment: paymentFlow,
  bill: billFlow,
  invoice: invoiceFlow,
  approval: approvalFlow,
}

/** Statuses that events lead to, by their types. An invoice that reopens goes back to where it was before it was paid. */
export const STATUSES_AFTER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    NOUNS.flatMap((noun) =>
      Object.values(FLOWS[noun].events).map(({ logs, to }) => [`${noun}.${logs}`, publicStateOf(FLOWS[noun], to)]),
    ),
  ),
  'invoice.reopened': 'sent',
  'invoice.deleted': 'deleted',
}

/** Lists the types of events that change the status of a noun. */
export const movesOf = (noun: Noun): string[] =>
  Object.keys(STATUSES_AFTER).filter((type) => type.startsWith(`${noun}.`))

type Beginning = { readonly payment_batch_id?: string | null; readonly file_id?: string } | null

/** Computes the status after the first event of an item, by its payload, and its later moves. */
export function statusAfter(noun: Noun, payload: Beginning, moves: readonly string[]): string {
  const last = moves.at(-1)
  if (last === 'invoice.reopened') return moves.includes('invoice.finalized') ? 'finalized' : 'sent'
  if (last !== undefined) return STATUSES_AFTER[last] ?? 'unknown'
  if (noun === 'payment') return payload?.payment_batch_id ? 'submitted' : 'awaiting_approval'
  if (noun === 'bill') return payload?.file_id === undefined ? 'extracted' : 'extracting'
  return noun === 'invoice' ? 'draft' : 'pending'
}
