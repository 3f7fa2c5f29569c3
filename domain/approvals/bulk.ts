/** Sets of approvals that one request decides: its body, and the verdict on each. */
import * as v from 'valibot'
import { APPROVAL_STATUSES } from '../flows/undriven/approval.ts'
import { distinct } from '../distinct.ts'
import { id } from '../ids.ts'
import { type Money, add } from '../money/money.ts'
import { remark, uuid } from '../text.ts'

export const APPROVALS_IN_SET_MAX = 100
/** Requests of a set that its summary names one by one. */
const TOLD_MAX = 5

/** Body of POST …/approvals/decide: up to 100 different approvals, decided in this order. */
export const SetDecision = v.object({
  approval_ids: v.pipe(
    v.array(id<'approval'>()),
    v.minLength(1),
    v.maxLength(APPROVALS_IN_SET_MAX),
    distinct((approvalId) => approvalId),
  ),
  decision: v.picklist(['approve', 'reject']),
  reason: remark(1000),
})
export type SetDecision = v.InferOutput<typeof SetDecision>

/** One verdict for each approval, in the order asked: its status afterwards, and what stood against the decision. */
export const SetVerdicts = v.object({
  data: v.array(
    v.object({
      approval_id: uuid,
      status: v.nullable(v.picklist(APPROVAL_STATUSES)),
      error: v.optional(
        v.object({ type: v.string(), message: v.string(), details: v.optional(v.record(v.string(), v.unknown())) }),
      ),
    }),
  ),
})
export type SetVerdicts = v.InferOutput<typeof SetVerdicts>

/** Adds the amounts of each currency. */
export function sumsOf(amounts: readonly Money[]): ReadonlyMap<string, Money> {
  const sums = new Map<string, Money>()
  for (const money of amounts) {
    const sum = sums.get(money.currency)
    sums.set(money.currency, sum ? add(sum, money) : money)
  }
  return sums
}

type Requested = { readonly summary: string | null; readonly money: Money | null }

/** Describes a set as a person confirms it: its number, the sum of each currency, and the first few one by one. */
export function summaryOf(requests: readonly Requested[]): string {
  const sums = sumsOf(requests.flatMap(({ money }) => money ?? []))
  const told = requests.flatMap(({ summary }) => summary ?? []).slice(0, TOLD_MAX)
  const untold = requests.length - told.length
  if (untold > 0) told.push(`${untold} more`)
  const head = `Approve ${requests.length} ${requests.length === 1 ? 'request' : 'requests'}`
  if (sums.size === 0) return `${head}: ${told.join('; ')}`
  const parts = [...sums.values()].map(({ amount, currency }) => `${amount} ${currency}`)
  const others = requests.filter(({ money }) => !money).length
  if (others > 0) parts.push(`${others} ${others === 1 ? 'other' : 'others'}`)
  return `${head}: ${listed(parts)} (${told.join('; ')})`
}

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`
