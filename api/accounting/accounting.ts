/** Accounting program of an organization: connection, mappings, syncs. */
import * as v from 'valibot'
import { beginAuthorization, disconnect, requestSync } from '../../services/accounting/commands.ts'
import { findIntegration, listIntegrations } from '../../services/accounting/connections.ts'
import { listAccounts } from '../../services/accounting/books.ts'
import { listMappings, replaceMappings } from '../../services/accounting/mappings.ts'
import { findRun, listRuns } from '../../services/accounting/sync-runs.ts'
import { findOrganization } from '../../services/organizations/organizations.ts'
import { Account, ConnectionStart, Integration, NewConnection, SyncRun } from '../../domain/accounting/integration.ts'
import { MAPPING_OPTIONS, Mapping, MappingOptions, NewMappings } from '../../domain/accounting/mapping.ts'
import { refuse } from '../../domain/errors.ts'
import { PageQuery, onePage, pageOf } from '../../domain/pagination.ts'
import { quoteName } from '../../domain/text.ts'
import { authorizeUrl, xero } from '../../partners/xero-oauth.ts'
import { consents } from '../http/limits.ts'
import { operations } from '../http/operation.ts'
import { accountingCallback } from './callback.ts'

const { command, query } = operations('Accounting')

const INTEGRATIONS = '/organizations/{organization_id}/integrations'
const ACCOUNTING = `${INTEGRATIONS}/accounting`

export const accounting = [
  query(INTEGRATIONS, 'listIntegrations')
    .says('List what an organization is connected with')
    .of('organization')
    .can('organization.read')
    .answers(pageOf(Integration))
    .does(async ({ read }) => onePage(await listIntegrations(read))),
  command('post', `${ACCOUNTING}/connect`, 'connectAccounting')
    .says(
      'Begin to connect an accounting program',
      'Open the answered address, and consent there within ten minutes. The program sends the person back to ' +
        '`/oauth/accounting/callback`. Connecting again replaces what was connected.',
    )
    .of('organization')
    .can('integrations.connect')
    .takes(NewConnection)
    .limited(consents)
    .refuses('unprocessable_entity', 'organization_unavailable')
    .answers(ConnectionStart)
    .proved('window', async ({ read, org, person }) => {
      const { name } = await findOrganization(read, person.userId)
      const target = `organization:${org.organizationId}`
      return { target, summary: `Connect the organization ${quoteName(name)} with an accounting program` }
    })
    .does(async ({ tx, org, person }) => {
      xero()
      if (org.status === 'paused') refuse('organization_unavailable')
      const begun = await beginAuthorization(tx, person)
      return { authorize_url: authorizeUrl(begun), expires_at: begun.expiresAt }
    }),
  command('post', `${ACCOUNTING}/disconnect`, 'disconnectAccounting')
    .says(
      'Disconnect the accounting program',
      'Nothing is posted any more, and the consent is revoked. What was posted stays in the books, and is not ' +
        'posted again if they are connected again. Mappings stay.',
    )
    .of('organization')
    .can('integrations.disconnect')
    .takes(v.object({}))
    .refuses('accounting_not_connected')
    .answers(Integration)
    .proved('window')
    .does(async ({ tx, read, claim }) => findIntegration(read, await disconnect(tx, `request:${claim.id}`))),
  accountingCallback,
  query(`${ACCOUNTING}/mapping-options`, 'getAccountingMappingOptions')
    .says(
      'List what can be mapped to accounts',
      'The same for every organization. A `card_category` takes one of the categories as `source_value`; each ' +
        'other type is mapped once, without one.',
    )
    .of('organization')
    .can('organization.read')
    .cached('private for minutes')
    .answers(MappingOptions)
    .does(async () => MAPPING_OPTIONS),
  query(`${ACCOUNTING}/accounts`, 'listAccountingAccounts')
    .says('List the accounts of the connected books', 'As the latest sync found them.')
    .of('organization')
    .can('xero.manage')
    .answers(pageOf(Account))
    .does(async ({ read }) => onePage(await listAccounts(read))),
  query(`${ACCOUNTING}/mappings`, 'listAccountingMappings')
    .says('List which accounts are chosen for what')
    .of('organization')
    .can('xero.manage')
    .answers(pageOf(Mapping))
    .does(async ({ read }) => onePage(await listMappings(read))),
  command('put', `${ACCOUNTING}/mappings`, 'replaceAccountingMappings')
    .says(
      'Replace the mappings to accounts',
      'What is not named has no account afterwards. What could not be posted is tried again by the next sync. ' +
        'What is in the books stays as it is.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(NewMappings)
    .refuses('invalid_mapping')
    .answers(pageOf(Mapping))
    .does(async ({ tx, read, body }) => {
      await replaceMappings(tx, body.mappings)
      return onePage(await listMappings(read))
    }),
  command('post', `${ACCOUNTING}/sync`, 'syncAccounting')
    .says(
      'Sync to the accounting program',
      'Posts new transactions, paid bills and paid invoices, each once. Answers the run that is under way if ' +
        'there is one. It goes on by itself: read the runs.',
    )
    .of('organization')
    .can('xero.manage')
    .takes(v.object({}))
    .refuses('accounting_not_connected', 'organization_unavailable')
    .answers(SyncRun, 202)
    .does(async ({ tx, read, person }) => findRun(read, await requestSync(tx, person.userId))),
  query(`${ACCOUNTING}/sync-runs`, 'listAccountingSyncRuns')
    .says('List the syncs of the last 90 days, newest first', 'With the items that could not be posted.')
    .of('organization')
    .can('xero.manage')
    .filters(v.object(PageQuery))
    .answers(pageOf(SyncRun))
    .does(({ read, query }) => listRuns(read, query)),
]
