/** Accounts of an organization: one for each currency. */
import * as v from 'valibot'
import { instant } from '../pagination.ts'
import { AccountDetails } from './receiving-account.ts'
import { model, AnswerMoney, timestamp, uuid } from '../text.ts'

/** An account in one currency; `total` is available + held, `id` is that of the available side. */
export const Account = model('Account', {
  id: uuid,
  currency: v.string(),
  available: AnswerMoney,
  held: AnswerMoney,
  total: AnswerMoney,
  status: v.picklist(['active']),
  account_details: v.array(AccountDetails),
})
export type Account = v.InferOutput<typeof Account>

export const BalancesQuery = v.object({ as_of: v.optional(instant) })

export const Balances = model('Balances', {
  as_of: timestamp,
  data: v.array(
    model('Balance', { currency: v.string(), available: AnswerMoney, held: AnswerMoney, total: AnswerMoney }),
  ),
})
export type Balances = v.InferOutput<typeof Balances>

export const LedgerIntegrity = model('LedgerIntegrity', {
  ok: v.boolean(),
  checked_at: timestamp,
  entries: v.pipe(v.number(), v.integer()),
  transfers: v.pipe(v.number(), v.integer()),
  violations: v.array(model('LedgerViolation', { check: v.string(), subject: v.string() })),
})
