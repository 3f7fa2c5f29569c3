/** Integrations of an organization: with which accounting program it is connected, from the consent to its end. */
import * as v from 'valibot'
import { beginAuthorization } from '../../db/accounting/authorizations.ts'
import { disconnect, findIntegration, listIntegrations } from '../../db/accounting/connections.ts'
import { ConnectionStart, Integration, NewConnection } from '../../domain/accounting/integration.ts'
import { refuse } from '../../domain/errors.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import { within } from '../../db/sql.ts'
import { authorizeUrl, xero } from '../../partners/xero-oauth.ts'
import { inPath } from '../http/in-path.ts'
import { consents } from '../http/limits.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { operations } from '../http/operation.ts'

const { command, query } = operations('Accounting')

export const ofAccounting = { tag: 'Accounting', ...inPath('organization') } as const
export const ACCOUNTING_PATH = '/organizations/{organization_id}/integrations/accounting'

export const integrations = [
  query('/organizations/{organization_id}/integrations', 'listIntegrations')
    .says('List what an organization is connected with')
    .of('organization')
    .can('organization.read')
    .answers(pageOf(Integration))
    .does(async ({ read }) => onePage(await listIntegrations(read))),
  command('post', '/organizations/{organization_id}/integrations/accounting/connect', 'connectAccounting')
    .says(
      'Begin to connect an accounting program: open the address, and consent there within ten minutes',
      'The program sends the person back to `/oauth/accounting/callback`. Connecting again replaces what was connected.',
    )
    .of('organization')
    .can('integrations.connect')
    .takes(NewConnection)
    .limited(consents)
    .refuses(403)
    .answers(ConnectionStart)
    .proved('window')
    .handles(async ({ org, write, person }) => {
      xero()
      if (org.status === 'paused') refuse('organization_unavailable')
      const begun = await write((tx) => beginAuthorization(tx, person))
      return { authorize_url: authorizeUrl(begun), expires_at: begun.expiresAt }
    }),
  command('post', '/organizations/{organization_id}/integrations/accounting/disconnect', 'disconnectAccounting')
    .says(
      'Disconnect the accounting program: nothing is posted any more, and the consent is revoked',
      'What was posted stays in the books, and is not posted again if they are connected again. Mappings stay.',
    )
    .of('organization')
    .can('integrations.disconnect')
    .takes(v.object({}))
    .refuses(409)
    .answers(Integration)
    .proved('window')
    .handles(({ write, claim }) =>
      repeating(() =>
        write(async (tx) => findIntegration(within(tx), await disconnect(tx, `request:${claim.id}`)), BRIEF_LOCKS),
      ),
    ),
]
