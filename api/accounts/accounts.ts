/** What an organization holds, and the proof of its books. */
import * as v from 'valibot'
import { balancesAt, listAccounts } from '../../db/accounts/accounts.ts'
import { now } from '../../platform/clock.ts'
import { checkIntegrity } from '../../db/ledger/ledger.ts'
import { Account, Balances, BalancesQuery, LedgerIntegrity } from '../../domain/accounts/account.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { inPath } from '../http/in-path.ts'
import { route } from '../http/route.ts'

const shared = {
  method: 'get',
  tag: 'Accounts',
  can: 'organization.view_balances',
  ...inPath('organization'),
} as const

export const accounts = [
  route({
    ...shared,
    path: '/organizations/{organization_id}/multi-currency-accounts',
    operationId: 'listOrganizationMultiCurrencyAccounts',
    summary: 'List what the organization holds, by currency',
    credential: 'session or key',
    scope: 'balances:read',
    query: v.object(PageQuery),
    returns: pageOf(Account),
    handle: ({ read, query }) => listAccounts(read, query),
  }),
  route({
    ...shared,
    path: '/organizations/{organization_id}/balances',
    operationId: 'listBalances',
    summary: 'Read the balances as of a past instant, or now',
    query: BalancesQuery,
    returns: Balances,
    handle: ({ read, query }) => balancesAt(read, query.as_of),
  }),
  route({
    ...shared,
    path: '/organizations/{organization_id}/ledger/integrity',
    operationId: 'checkLedgerIntegrity',
    summary: 'Check the books: entries, balances, running balances, feed, approvals',
    returns: LedgerIntegrity,
    handle: async ({ read }) => {
      const { entries, transfers, violations } = await checkIntegrity(read)
      return {
        ok: violations.length === 0,
        checked_at: now().toISOString(),
        entries: Number(entries),
        transfers: Number(transfers),
        violations,
      }
    },
  }),
]
