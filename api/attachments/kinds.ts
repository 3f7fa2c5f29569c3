/** Kinds of things that have attachments: where they are, who may see them, and who may attach. */
import type { AttachedKind } from '../../domain/attachments/attachment.ts'
import type { BillId, ContactId, PaymentId, TransactionId } from '../../domain/ids.ts'
import type { Permission } from '../../domain/permissions.ts'
import { requireBatch } from '../../services/batches/batches.ts'
import { findBill } from '../../services/bills/bills.ts'
import { findContact } from '../../services/contacts/contacts.ts'
import { findTransaction } from '../../services/ledger/transactions.ts'
import { findPayment } from '../../services/payments/payments.ts'
import type { Context } from '../http/route.ts'
import { restrictionOf, reviewerOf } from '../ledger/transactions.ts'

type OnThing = Context<'person' | 'org' | 'read'>

export type Things = {
  readonly kind: AttachedKind
  /** Tag of the document, and the name in operation ids. */
  readonly tag: string
  readonly name: string
  /** Noun with its article. */
  readonly words: string
  readonly path: string
  readonly param: string
  readonly reads: Permission
  readonly changes: Permission
  /** Refuses `not_found` unless the caller sees the thing, or may change it. */
  readonly requireVisible: (context: OnThing, id: string, as: 'reader' | 'changer') => Promise<unknown>
}

// ids come from paths, whose parameters are of their kind
export const THINGS: readonly Things[] = [
  {
    kind: 'payment',
    tag: 'Payments',
    name: 'Payment',
    words: 'a payment',
    path: 'payments',
    param: 'payment_id',
    reads: 'transactions.list_own',
    changes: 'payments.send_fiat',
    requireVisible: (context, id, as) => findPayment(context.read, id as PaymentId, reviewerOf(context, as)),
  },
  {
    kind: 'payment_contact',
    tag: 'Payment contacts',
    name: 'PaymentContact',
    words: 'a payment contact',
    path: 'payment-contacts',
    param: 'payment_contact_id',
    reads: 'payment_contacts.list',
    changes: 'payment_contacts.create',
    requireVisible: ({ read }, id) => findContact(read, id as ContactId),
  },
  {
    kind: 'bill',
    tag: 'Bills',
    name: 'Bill',
    words: 'a bill',
    path: 'bills',
    param: 'bill_id',
    reads: 'bills.read',
    changes: 'bills.update',
    requireVisible: ({ read }, id) => findBill(read, id as BillId),
  },
  {
    kind: 'payment_batch',
    tag: 'Payment batches',
    name: 'PaymentBatch',
    words: 'a payment batch',
    path: 'payment-batches',
    param: 'batch_id',
    reads: 'payments.send_fiat',
    changes: 'payments.send_fiat',
    requireVisible: (context, id, as) => requireBatch(context.read, id, reviewerOf(context, as)),
  },
  {
    kind: 'transaction',
    tag: 'Transactions',
    name: 'Transaction',
    words: 'a transaction',
    path: 'transactions',
    param: 'transaction_id',
    reads: 'transactions.list_own',
    changes: 'transactions.list_own',
    requireVisible: (context, id) => findTransaction(context.read, id as TransactionId, restrictionOf(context)),
  },
]
