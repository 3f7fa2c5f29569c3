/** The feed of money that came or went. */
import type { Reviewer } from '../../domain/approvals/requirements.ts'
import type { UserId } from '../../domain/ids.ts'
import { pageOf } from '../../domain/pagination.ts'
import { can } from '../../domain/permissions.ts'
import { Transaction, TransactionChanges, TransactionFilters } from '../../domain/accounts/transaction.ts'
import { annotateTransaction, findTransaction, listTransactions } from '../../services/ledger/transactions.ts'
import { operations } from '../http/operation.ts'
import { type Context } from '../http/route.ts'

const { command, query } = operations('Transactions')

/** Restricts a reading to what the caller had a part in; undefined for those who may see all money. */
export const restrictionOf = ({ org, person }: Context<'org' | 'person'>): UserId | undefined =>
  can(org, 'transactions.list_all') ? undefined : person.userId

/** Describes a caller who sees only their own things and those that they review; a substitute changes none of these. */
export function reviewerOf(context: Context<'org' | 'person'>, as: 'reader' | 'changer' = 'reader') {
  const userId = restrictionOf(context)
  if (!userId) return undefined
  const { role, removed, principals = [] } = context.org
  return { userId, role, removed, principals: as === 'reader' ? principals : [] } satisfies Reviewer
}

export const transactions = [
  query('/organizations/{organization_id}/transactions', 'listTransactions')
    .says(
      'List transactions, newest first',
      'With the running balance. A search may answer a short page that is not the last.',
    )
    .of('organization')
    .delegates('read')
    .can('transactions.list_own')
    .filters(TransactionFilters)
    .answers(pageOf(Transaction))
    .does((context) => listTransactions(context.read, context.query, restrictionOf(context))),
  query('/transactions/{transaction_id}', 'getTransaction')
    .says('Read a transaction')
    .of('transaction')
    .delegates('read')
    .can('transactions.list_own')
    .answers(Transaction)
    .does((context) => findTransaction(context.read, context.params.transaction_id, restrictionOf(context))),
  command('patch', '/transactions/{transaction_id}', 'updateTransaction')
    .says('Change category, labels and internal notes of a transaction')
    .of('transaction')
    .delegates('prepare')
    .can('transactions.list_own')
    .takes(TransactionChanges)
    .refuses('invalid_coding')
    .answers(Transaction)
    .does(async (context) => {
      const { tx, read, params, body } = context
      await annotateTransaction(tx, params.transaction_id, body, restrictionOf(context))
      return findTransaction(read, params.transaction_id, restrictionOf(context))
    }),
]
