/** Syncs with the accounting program: asked for, and listed with what they came to. */
import * as v from 'valibot'
import { findRun, listRuns, requestSync } from '../../db/accounting/sync-runs.ts'
import { SyncRun } from '../../domain/accounting/integration.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { within } from '../../db/sql.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { ACCOUNTING_PATH, ofAccounting } from './integrations.ts'

export const accountingSyncs = [
  route({
    ...ofAccounting,
    method: 'post',
    path: `${ACCOUNTING_PATH}/sync`,
    operationId: 'syncAccounting',
    summary: 'Post what is new to the books: transactions, paid bills and paid invoices, each once',
    note: 'Answers the run that is under way if there is one. It goes on by itself: read the runs.',
    can: 'xero.manage',
    status: 202,
    refuses: [403, 409],
    body: v.object({}),
    returns: SyncRun,
    handle: ({ write, person }) =>
      repeating(() => write(async (tx) => findRun(within(tx), await requestSync(tx, person.userId)), BRIEF_LOCKS)),
  }),
  route({
    ...ofAccounting,
    method: 'get',
    path: `${ACCOUNTING_PATH}/sync-runs`,
    operationId: 'listAccountingSyncRuns',
    summary: 'List the syncs of the last 90 days, newest first, with what could not be posted',
    can: 'xero.manage',
    query: v.object(PageQuery),
    returns: pageOf(SyncRun),
    handle: ({ read, query }) => listRuns(read, query),
  }),
]
