/** Balances of an organization, and the proof of its books. */
import * as v from 'valibot'
import { balancesAt, listAccounts } from '../../services/accounts/accounts.ts'
import { now } from '../../platform/clock.ts'
import { carriesInstant } from '../../partners/instant.ts'
import { listCapabilities } from '../../services/connections/capabilities.ts'
import { ProofOfFunds } from '../../domain/funds/proof.ts'
import { lastProofs } from '../../services/funds/proofs.ts'
import { checkIntegrity } from '../../services/ledger/ledger.ts'
import { Capabilities } from '../../domain/accounts/capability.ts'
import { Account, Balances, BalancesQuery, LedgerIntegrity } from '../../domain/accounts/account.ts'
import { PageQuery, pageOf } from '../../domain/pagination.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Accounts')

export const accounts = [
  query('/organizations/{organization_id}/multi-currency-accounts', 'listOrganizationMultiCurrencyAccounts')
    .says('List what the organization holds, by currency')
    .for('programs', 'balances:read')
    .of('organization')
    .delegates('read')
    .can('organization.view_balances')
    .filters(v.object(PageQuery))
    .answers(pageOf(Account))
    .does(({ read, query }) => listAccounts(read, query)),
  query('/organizations/{organization_id}/balances', 'listBalances')
    .says('Read the balances as of a past instant, or now')
    .of('organization')
    .delegates('read')
    .can('organization.view_balances')
    .filters(BalancesQuery)
    .answers(Balances)
    .does(({ read, query }) => balancesAt(read, query.as_of)),
  query('/organizations/{organization_id}/capabilities', 'listCapabilities')
    .says(
      'List what the organization can do in each currency',
      'Send, receive, exchange, ask whose account it is: by which partners are connected, and while it is not paused.',
    )
    .of('organization')
    .delegates('read')
    .can('organization.view_capabilities')
    .answers(Capabilities)
    .does(async ({ read }) => ({ data: await listCapabilities(read, carriesInstant) })),
  query('/organizations/{organization_id}/ledger/integrity', 'checkLedgerIntegrity')
    .says('Check the books', 'Entries, balances, running balances, feed, approvals.')
    .of('organization')
    .delegates('read')
    .can('organization.view_balances')
    .answers(LedgerIntegrity)
    .does(async ({ read }) => {
      const { entries, transfers, violations } = await checkIntegrity(read)
      return {
        ok: violations.length === 0,
        checked_at: now().toISOString(),
        entries: Number(entries),
        transfers: Number(transfers),
        violations,
      }
    }),
  query('/organizations/{organization_id}/ledger/proof-of-funds', 'readProofOfFunds')
    .says('Read the last proof that partners hold the money')
    .of('organization')
    .delegates('read')
    .can('organization.view_balances')
    .answers(ProofOfFunds)
    .does(async ({ read }) => ({ data: await lastProofs(read.organizationId) })),
]
