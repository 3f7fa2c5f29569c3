import * as v from 'valibot'
import { open } from '../text.ts'
import type { InvoiceDocument } from '../invoice-documents/document.ts'

/** Faults that do not keep an invoice from being sent. */
export const Warning = open(v.picklist(['receiving_account']), 'A warning of a later version.')
export type Warning = v.InferOutput<typeof Warning>

/** Lists what a sender should know: the customer is shown no way to pay. */
export const warningsOf = ({ account, svc_id: svcId }: Pick<InvoiceDocument, 'account' | 'svc_id'>): Warning[] =>
  account || svcId ? [] : ['receiving_account']
