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
import { route } from '../http/route.ts'

export const ofAccounting = { tag: 'Accounting', ...inPath('organization') } as const
export const ACCOUNTING_PATH = '/organizations/{organization_id}/integrations/accounting'

export const integrations = [
  route({
    ...ofAccounting,
    method: 'get',
    path: '/organizations/{organization_id}/integrations',
    operationId: 'listIntegrations',
    summary: 'List what an organization is connected with',
    can: 'organization.read',
    returns: pageOf(Integration),
    handle: async ({ read }) => onePage(await listIntegrations(read)),
  }),
  route({
    ...ofAccounting,
    method: 'post',
    path: `${ACCOUNTING_PATH}/connect`,
    operationId: 'connectAccounting',
    summary: 'Begin to connect an accounting program: open the address, and consent there within ten minutes',
    note: 'The program sends the person back to `/oauth/accounting/callback`. Connecting again replaces what was connected.',
    can: 'integrations.connect',
    stepUp: { mode: 'window' },
    limits: [consents],
    body: NewConnection,
    returns: ConnectionStart,
    handle: async ({ org, write, person }) => {
      xero()
      if (org.status === 'paused') refuse('organization_unavailable')
      const begun = await write((tx) => beginAuthorization(tx, person))
      return { authorize_url: authorizeUrl(begun), expires_at: begun.expiresAt }
    },
    refuses: [403],
  }),
  route({
    ...ofAccounting,
    method: 'post',
    path: `${ACCOUNTING_PATH}/disconnect`,
    operationId: 'disconnectAccounting',
    summary: 'Disconnect the accounting program: nothing is posted any more, and the consent is revoked',
    note: 'What was posted stays in the books, and is not posted again if they are connected again. Mappings stay.',
    can: 'integrations.disconnect',
    stepUp: { mode: 'window' },
    refuses: [409],
    body: v.object({}),
    returns: Integration,
    handle: ({ write, claim }) =>
      repeating(() =>
        write(async (tx) => findIntegration(within(tx), await disconnect(tx, `request:${claim.id}`)), BRIEF_LOCKS),
      ),
  }),
]
