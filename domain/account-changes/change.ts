/** The rule of changed accounts: whether a payee is paid elsewhere than last, and whether that has to wait. */
import * as v from 'valibot'
import { addDecimals, compareDecimals, product } from '../money/decimal.ts'
import { type Money, add, moneyOf } from '../money/money.ts'
import { skeletonOf } from '../skeleton.ts'
import type { Blocker } from '../errors.ts'
import { AnswerMoney, integer, model, nullableText, timestamp, uuid, describe } from '../text.ts'

/** Part of a sum, with the last stored worth of its currency in US dollars. */
export type Part = Money & { readonly usd: string | null }

/**
 * Facts about the account that is to be paid, and about the payee's payments so far. The rail makes no difference. An
 * account is the same wherever its number is: the destination may have been deleted and added again.
 */
export type ChangeFacts = {
  /** Destination of the other account that was paid last; null if no other was ever paid. */
  readonly other: string | null
  /** The account was paid before any other of the payee. */
  readonly own_first: boolean
  /** The account was paid at last, or together with the other. */
  readonly own_last: boolean
  /** The hours since the account was made usable are not over. */
  readonly within: boolean
  readonly until: string
  readonly confirmed: boolean
  readonly destination: string | null
  readonly type: 'svc_id' | 'bank' | 'crypto'
  /** All that goes to the account within the hours, beside what is asked for; null after them. */
  readonly sum: string | null
  /** All that goes to other new accounts of the payee within their hours. */
  readonly elsewhere: readonly Part[]
  readonly currency: string
  readonly free: Money | null
  /** Last stored worth of both currencies in US dollars. */
  readonly usd: { readonly paid: string | null; readonly free: string | null }
}

/**
 * Tells if the account is another one than was last paid. Payments to an account that still waits do not make it the
 * last one, or a small one would end its waiting.
 */
export const isChanged = (facts: ChangeFacts): boolean =>
  facts.other !== null && !(facts.own_last && (isSettled(facts) || facts.own_first))

const isSettled = ({ within, confirmed }: ChangeFacts): boolean => !within || confirmed

/** Tells if payments above the free amount have to wait: the account is changed, new, and not confirmed. */
export const isCoolingOff = (facts: ChangeFacts): boolean => isChanged(facts) && !isSettled(facts) && !facts.own_first

/**
 * Lists what blocks a payment of this amount: all within the hours counts, so that parts are one sum, also if
 * they are split over several new accounts.
 * @param more parts that are asked for together with it, to other accounts of the payee
 */
export function coolingOffBlockers(facts: ChangeFacts | null, asked: Money, more: readonly Part[] = []): Blocker[] {
  if (!facts || !isCoolingOff(facts) || isFree(facts, asked, more)) return []
  const { until, destination } = facts
  return [{ type: 'account_cooling_off', details: { until, payment_destination_id: destination } }]
}

/** Compares with the free amount; without a stored rate nothing is free in another currency. */
function isFree({ free, sum, elsewhere, currency, usd }: ChangeFacts, asked: Money, more: readonly Part[]): boolean {
  if (!free || asked.currency !== currency) return false
  const parts: Part[] = [{ ...add(asked, moneyOf(sum ?? '0', currency)), usd: usd.paid }, ...elsewhere, ...more]
  if (parts.every((part) => part.currency === free.currency)) {
    return compareDecimals(addDecimals(parts.map(({ amount }) => amount)), free.amount) <= 0
  }
  const worths = parts.flatMap((part) => (part.usd === null ? [] : [product(part.amount, part.usd)]))
  if (usd.free === null || worths.length < parts.length) return false
  return compareDecimals(addDecimals(worths), product(free.amount, usd.free)) <= 0
}

/** Builds the key of the name of a payee, equal for names that look alike. */
export const payeeKeyOf = (name: string): string | null => skeletonOf(name) || null

/** Days for which the address before a new one gets the mail about another account. */
export const FORMER_EMAIL_DAYS = 30

const Person = model('AccountChangePerson', { id: uuid, name: describe(nullableText, 'Name of the person.') })

/** An account as approvers see it: the end of its number or address, or a service ID. */
const ChangedAccount = model('ChangedAccount', {
  destination_id: describe(v.nullable(uuid), 'Id of the destination; null for an account that a row of a batch names.'),
  type: describe(v.picklist(['svc_id', 'bank', 'crypto']), 'How it is paid.'),
  account: describe(nullableText, 'IBAN, number or address, masked; or the service ID.'),
  account_holder_name: describe(
    v.string(),
    'Holder of a bank account; the network of a wallet, and an ellipsis for a service ID.',
  ),
  country_code: v.string(),
  currency: v.string(),
})
export type ChangedAccount = v.InferOutput<typeof ChangedAccount>

type WithAccounts = { readonly old: ChangedAccount; readonly new: ChangedAccount }

/** Reads a change of a stored subject. Accounts have no type in those from before wallets and service IDs were compared. */
export const readChange = <Change extends WithAccounts>(change: Change): Change => ({
  ...change,
  old: { ...change.old, type: change.old.type ?? 'bank' },
  new: { ...change.new, type: change.new.type ?? 'bank' },
})

/** A recorded call-back, as approvers and readers of the destination see it. */
export const CallBack = model('AccountCallBack', {
  confirmed_by: Person,
  confirmed_at: timestamp,
  spoken_to: v.string(),
  note: describe(nullableText, 'What else is worth knowing of the call.'),
})
export type CallBack = v.InferOutput<typeof CallBack>

/** Another account than the one that was last paid to this payee: both, who changed it, and what the old one got. */
export const AccountChange = model('AccountChange', {
  old: ChangedAccount,
  new: describe(ChangedAccount, 'Account that is to be paid.'),
  changed_by: v.array(Person),
  changed_at: timestamp,
  paid_to_old: model('PaidToOldAccount', {
    count: describe(integer, 'Number of payments.'),
    totals: describe(v.array(AnswerMoney), 'Sums that arrived, by currency.'),
    last_at: describe(timestamp, 'Instant when the last one was asked for.'),
  }),
  call_back: v.nullable(CallBack),
})
export type AccountChange = v.InferOutput<typeof AccountChange>
