/** A deposit: money that came in from outside the service. */
import * as v from 'valibot'
import { id } from './ids.ts'
import { Money } from './money.ts'
import { AnswerMoney, nullableText, text, timestamp, uuid } from './text.ts'

const DEPOSIT_RAILS = ['fiat', 'crypto'] as const

/** A deposit as every operation answers it; `source` is what the partner told of its sender. */
export const Deposit = v.object({
  id: uuid,
  organization_id: uuid,
  rail: v.picklist(DEPOSIT_RAILS),
  amount: AnswerMoney,
  status: v.picklist(['held', 'credited', 'returned']),
  source: v.object({
    name: nullableText,
    reference: nullableText,
    account_reference: nullableText,
    country: nullableText,
  }),
  needs_sender_travel_rule: v.boolean(),
  occurred_at: timestamp,
})
export type Deposit = v.InferOutput<typeof Deposit>

const optionalText = v.optional(v.nullable(text(1, 255)))

/** Body of POST /sandbox/deposits. */
export const NewDeposit = v.object({
  organization_id: id<'organization'>(),
  rail: v.picklist(DEPOSIT_RAILS),
  amount: Money,
  sender: v.optional(
    v.nullable(
      v.object({ name: optionalText, reference: optionalText, account_reference: optionalText, country: optionalText }),
    ),
  ),
})
export type NewDeposit = v.InferOutput<typeof NewDeposit>
