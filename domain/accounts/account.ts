/** What an organization holds: one account for each currency. */
import * as v from 'valibot'
import { instant } from '../pagination.ts'
import { AccountDetails } from './receiving-account.ts'
import { AnswerMoney, timestamp, uuid } from '../text.ts'

/**
 * An account in one currency. `total` is available + held; `id` is that of the available side, `account_details` where
 * money in it arrives.
 */
export const Account = v.object({
  id: uuid,
  currency: v.string(),
  available: AnswerMoney,
  held: AnswerMoney,
  total: AnswerMoney,
  status: v.picklist(['active']),
  account_details: v.array(AccountDetails),
})
export type Account = v.InferOutput<typeof Account>

/** Query of GET …/balances: an instant, now if it is left out. */
export const BalancesQuery = v.object({ as_of: v.optional(instant) })

/** What was held at an instant, by currency. */
export const Balances = v.object({
  as_of: timestamp,
  data: v.array(v.object({ currency: v.string(), available: AnswerMoney, held: AnswerMoney, total: AnswerMoney })),
})
export type Balances = v.InferOutput<typeof Balances>

/** Answer of GET …/ledger/integrity: what was checked, and every fault that was found. */
export const LedgerIntegrity = v.object({
  ok: v.boolean(),
  checked_at: timestamp,
  entries: v.pipe(v.number(), v.integer()),
  transfers: v.pipe(v.number(), v.integer()),
  violations: v.array(v.object({ check: v.string(), subject: v.string() })),
})
