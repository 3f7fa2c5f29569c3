import * as v from 'valibot'
import { open } from '../text.ts'
import type { InvoiceDocument } from '../invoice-documents/document.ts'

/** Faults that do not keep an invoice from being sent. */
export const Warning = open(v.picklist(['receiving_account', 'chronology']), 'A warning of a later version.')
export type Warning = v.InferOutput<typeof Warning>

type PaymentWays = Pick<InvoiceDocument, 'account' | 'svc_id'>

/** Lists what a sender should know: the customer is shown no way to pay, or an earlier number has a later day. */
export const warningsOf = (
  { account, svc_id: svcId }: PaymentWays,
  { isEarlier }: { readonly isEarlier: boolean },
): Warning[] => [
  ...(account || svcId ? [] : (['receiving_account'] as const)),
  ...(isEarlier ? (['chronology'] as const) : []),
]
