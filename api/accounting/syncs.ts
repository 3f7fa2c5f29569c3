/** Syncs with the accounting program: asked for, and listed with what they came to. */
import * as v from 'valibot'
import { findRun, listRuns, requestSync } from '../../db/accounting/sync-runs.ts'
import { SyncRun } from '../../domain/accounting/integration.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { within } from '../../db/sql.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Accounting')

export const accountingSyncs = [
  command('post', '/organizations/{organization_id}/integrations/accounting/sync', 'syncAccounting')
    .says(
      'Post what is new to the books: transactions, paid bills and paid invoices, each once',
      'Answers the run that is under way if there is one. It goes on by itself: read the runs.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(v.object({}))
    .refuses(403, 409)
    .answers(SyncRun, 202)
    .handles(({ write, person }) =>
      repeating(() => write(async (tx) => findRun(within(tx), await requestSync(tx, person.userId)), BRIEF_LOCKS)),
    ),
  query('/organizations/{organization_id}/integrations/accounting/sync-runs', 'listAccountingSyncRuns')
    .says('List the syncs of the last 90 days, newest first, with what could not be posted')
    .of('organization')
    .can('xero.manage')
    .filters(v.object(PageQuery))
    .answers(pageOf(SyncRun))
    .does(({ read, query }) => listRuns(read, query)),
]
