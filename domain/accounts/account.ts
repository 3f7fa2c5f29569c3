/** Accounts of an organization: one for each currency. */
import * as v from 'valibot'
import { instant } from '../pagination.ts'
import { AccountDetails } from './receiving-account.ts'
import { model, AnswerMoney, timestamp, uuid, describe } from '../text.ts'

/** An account in one currency; `total` is available + held, `id` is that of the available side. */
export const Account = model('Account', {
  id: uuid,
  currency: v.string(),
  available: AnswerMoney,
  held: AnswerMoney,
  total: describe(AnswerMoney, 'Available and held.'),
  status: v.picklist(['active']),
  account_details: describe(v.array(AccountDetails), 'Accounts at which money arrives.'),
})
export type Account = v.InferOutput<typeof Account>

export const BalancesQuery = v.object({ as_of: v.optional(instant) })

export const Balances = model('Balances', {
  as_of: describe(timestamp, 'Instant of the balances.'),
  data: v.array(
    model('Balance', {
      currency: v.string(),
      available: AnswerMoney,
      held: AnswerMoney,
      total: describe(AnswerMoney, 'Available and held.'),
    }),
  ),
})
export type Balances = v.InferOutput<typeof Balances>

export const LedgerIntegrity = model('LedgerIntegrity', {
  ok: v.boolean(),
  checked_at: timestamp,
  entries: describe(v.pipe(v.number(), v.integer()), 'Number of ledger entries that were checked.'),
  transfers: describe(v.pipe(v.number(), v.integer()), 'Number of transfers that were checked.'),
  violations: describe(
    v.array(
      model('LedgerViolation', {
        check: describe(v.string(), 'Rule that is broken.'),
        subject: describe(v.string(), 'Account or transfer that is wrong.'),
      }),
    ),
    'Faults that were found.',
  ),
})
