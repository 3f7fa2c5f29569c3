/** Deposits, and who sent those that are held. */
import { recheckWithTimeout } from '../../activities/deposits.ts'
import { findDeposit, listDeposits } from '../../db/deposits/deposits.ts'
import { Deposit, DepositFilters } from '../../domain/deposits/deposit.ts'
import { pageOf } from '../../domain/pagination.ts'
import { SenderTravelRule, TravelRuleResult } from '../../domain/deposits/travel-rule.ts'
import { answerTravelRule } from '../../db/deposits/travel-rule.ts'
import { inPath } from '../http/in-path.ts'
import { BRIEF_LOCKS, repeating } from '../http/repeating.ts'
import { route } from '../http/route.ts'
import { restrictedTo } from '../ledger/transactions.ts'

const PARTNER_PATIENCE_MS = 2000

const shared = { tag: 'Deposits', ...inPath('deposit') } as const

export const deposits = [
  route({
    method: 'get',
    path: '/organizations/{organization_id}/deposits',
    operationId: 'listDeposits',
    summary: 'List deposits, newest first',
    tag: 'Deposits',
    can: 'transactions.list_own',
    ...inPath('organization'),
    query: DepositFilters,
    returns: pageOf(Deposit),
    handle: (context) => listDeposits(context.read, context.query, restrictedTo(context)),
  }),
  route({
    ...shared,
    method: 'get',
    path: '/deposits/{deposit_id}',
    operationId: 'getDeposit',
    summary: 'Read a deposit',
    can: 'transactions.list_own',
    returns: Deposit,
    handle: (context) => findDeposit(context.read, context.params.deposit_id, restrictedTo(context)),
  }),
  route({
    ...shared,
    method: 'post',
    path: '/deposits/{deposit_id}/sender-travel-rule',
    operationId: 'submitDepositSenderTravelRule',
    summary: 'Say who sent a held crypto deposit; a complete answer credits it',
    can: 'payments.send_fiat',
    note: 'A paused organization may answer, and is credited: money comes in, and none leaves.',
    body: SenderTravelRule,
    returns: TravelRuleResult,
    handle: async (context) => {
      const { read, write, org, person, params, body } = context
      await findDeposit(read, params.deposit_id, restrictedTo(context)) // to who may not see it, it is not there
      const ref = { organizationId: org.organizationId, depositId: params.deposit_id }
      // what the partner sent back by itself is not there to be credited
      await recheckWithTimeout(ref, PARTNER_PATIENCE_MS)
      return repeating(() => write((tx) => answerTravelRule(tx, params.deposit_id, person.userId, body), BRIEF_LOCKS))
    },
  }),
]
