/** Deposits, and who sent those that are held. */
import { recheckWithTimeout } from '../../partners/held-deposits.ts'
import { findDeposit, listDeposits } from '../../services/deposits/deposits.ts'
import { Deposit, DepositFilters } from '../../domain/deposits/deposit.ts'
import { pageOf } from '../../domain/pagination.ts'
import { SenderTravelRule, TravelRuleResult } from '../../domain/deposits/travel-rule.ts'
import { answerTravelRule } from '../../services/deposits/commands.ts'
import { operations } from '../http/operation.ts'
import { restrictionOf } from '../ledger/transactions.ts'

const { command, query } = operations('Deposits')

const PARTNER_PATIENCE_MS = 2000

export const deposits = [
  query('/organizations/{organization_id}/deposits', 'listDeposits')
    .says('List deposits, newest first')
    .of('organization')
    .delegates('read')
    .can('transactions.list_own')
    .filters(DepositFilters)
    .answers(pageOf(Deposit))
    .does((context) => listDeposits(context.read, context.query, restrictionOf(context))),
  query('/deposits/{deposit_id}', 'getDeposit')
    .says('Read a deposit')
    .of('deposit')
    .delegates('read')
    .can('transactions.list_own')
    .answers(Deposit)
    .does((context) => findDeposit(context.read, context.params.deposit_id, restrictionOf(context))),
  command('post', '/deposits/{deposit_id}/sender-travel-rule', 'submitDepositSenderTravelRule')
    .says(
      'Name the sender of a held crypto deposit',
      'Complete data credit the deposit. A paused organization may answer, and is credited: money comes in, and ' +
        'none leaves.',
    )
    .of('deposit')
    .can('payments.send_fiat')
    .takes(SenderTravelRule)
    .refuses('invalid_state', 'travel_rule_incomplete')
    .answers(TravelRuleResult)
    .prepares(async (context) => {
      const { org, read, params } = context
      await findDeposit(read, params.deposit_id, restrictionOf(context)) // to who may not see it, it is not there
      // what the partner sent back by itself is not there to be credited
      await recheckWithTimeout(org.organizationId, params.deposit_id, PARTNER_PATIENCE_MS)
      return {}
    })
    .does(({ tx, person, params, body }) => answerTravelRule(tx, params.deposit_id, person.userId, body)),
]
