/** The feed of money that came or went. */
import * as v from 'valibot'
import { type UserId, id } from '../db/model/ids.ts'
import { pageOf } from '../db/model/page.ts'
import { can } from '../db/model/permissions.ts'
import { Transaction, TransactionFilters } from '../db/model/transaction.ts'
import { findTransaction, listTransactions } from '../db/transactions.ts'
import { type Context, route } from './route.ts'

/** Undefined for who sees the whole feed; else the caller, who sees what they caused. */
const creatorFor = ({ org, person }: Context<any, any, any>): UserId | undefined =>
  can(org.role, 'transactions.list_all') ? undefined : person.userId

export const transactions = [
  route({
    method: 'get',
    path: '/organizations/{organization_id}/transactions',
    operationId: 'listTransactions',
    summary: 'List transactions, newest first, with the running balance',
    tag: 'Transactions',
    can: 'transactions.list_own',
    owner: { kind: 'organization', param: 'organization_id' },
    params: v.object({ organization_id: id<'organization'>() }),
    query: TransactionFilters,
    returns: pageOf(Transaction),
    handle: (context) => listTransactions(context.read, context.query, creatorFor(context)),
  }),
  route({
    method: 'get',
    path: '/transactions/{transaction_id}',
    operationId: 'getTransaction',
    summary: 'Read a transaction',
    tag: 'Transactions',
    can: 'transactions.list_own',
    owner: { kind: 'transaction', param: 'transaction_id' },
    params: v.object({ transaction_id: id<'transaction'>() }),
    returns: Transaction,
    handle: (context) => findTransaction(context.read, context.params.transaction_id, creatorFor(context)),
  }),
]
