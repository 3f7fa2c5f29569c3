/** The feed of money that came or went. */
import type { UserId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { can } from '../../domain/permissions.ts'
import { Transaction, TransactionChanges, TransactionFilters } from '../../domain/accounts/transaction.ts'
import { annotateTransaction, findTransaction, listTransactions } from '../../db/ledger/transactions.ts'
import { inPath } from '../http/in-path.ts'
import { type Context, route } from '../http/route.ts'

/** Undefined for who sees all money that comes and goes; else the caller, who sees what they had a part in. */
export const restrictedTo = ({ org, person }: Context<'org' | 'person'>): UserId | undefined =>
  can(org.role, 'transactions.list_all') ? undefined : person.userId

const byId = {
  tag: 'Transactions',
  path: '/transactions/{transaction_id}',
  can: 'transactions.list_own',
  ...inPath('transaction'),
  returns: Transaction,
} as const

export const transactions = [
  route({
    method: 'get',
    path: '/organizations/{organization_id}/transactions',
    operationId: 'listTransactions',
    summary:
      'List transactions, newest first, with the running balance. A search may answer a short page with more to come',
    tag: 'Transactions',
    can: 'transactions.list_own',
    ...inPath('organization'),
    query: TransactionFilters,
    returns: pageOf(Transaction),
    handle: (context) => listTransactions(context.read, context.query, restrictedTo(context)),
  }),
  route({
    ...byId,
    method: 'get',
    operationId: 'getTransaction',
    summary: 'Read a transaction',
    handle: (context) => findTransaction(context.read, context.params.transaction_id, restrictedTo(context)),
  }),
  route({
    ...byId,
    method: 'patch',
    operationId: 'updateTransaction',
    summary: 'Change the category and the internal notes of a transaction',
    body: TransactionChanges,
    handle: async (context) => {
      const { transaction_id: transactionId } = context.params
      await context.write((tx) => annotateTransaction(tx, transactionId, context.body, restrictedTo(context)))
      return findTransaction(context.read, transactionId, restrictedTo(context))
    },
  }),
]
