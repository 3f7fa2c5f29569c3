import * as v from 'valibot'
import { open } from '../text.ts'
import type { InvoiceDocument } from '../invoice-documents/document.ts'
import { SWISS_FAULTS, swissFaultsOf } from '../invoice-documents/swiss-code.ts'

/** Faults that do not keep an invoice from being sent. */
export const Warning = open(
  v.picklist(['receiving_account', 'chronology', ...SWISS_FAULTS]),
  'A warning of a later version.',
)
export type Warning = v.InferOutput<typeof Warning>

/**
 * Lists what a sender should know: the customer is shown no way to pay, an earlier number has a later day, or a field
 * keeps the Swiss payment part away.
 */
export const warningsOf = (document: InvoiceDocument, { isEarlier }: { readonly isEarlier: boolean }): Warning[] => [
  ...(document.account || document.svc_id ? [] : (['receiving_account'] as const)),
  ...(isEarlier ? (['chronology'] as const) : []),
  ...swissFaultsOf(document),
]
