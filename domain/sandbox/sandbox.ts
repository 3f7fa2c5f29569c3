/** Commands of the sandbox: faults of the stand-in partners, the market, and where a payout goes. */
import * as v from 'valibot'
import { type PaymentState, paymentFlow } from '../payments/flow.ts'
import type { ConnectionName } from '../partner.ts'
import { Money } from '../money/money.ts'
import { model, line, describe } from '../text.ts'

/** Parties beside the connections that can have faults; storage has those that we simulate. */
export const OTHER_PARTIES = ['mail', 'payee_checks', 'accounting', 'storage'] as const
export type OtherParty = (typeof OTHER_PARTIES)[number]
/** Party that can have faults: one of those, or a connection to a stand-in, by its name. */
export type Faulty = ConnectionName

/** Faults of one request, and those after which it is not known whether the deed was done. */
export const REQUEST_FAULTS = ['down', 'error', 'rate_limited', 'slow', 'malformed', 'ambiguous'] as const
/** Faults of one callback. */
export const CALLBACK_FAULTS = ['lost_callback', 'late_callback', 'out_of_order', 'duplicate_callback'] as const
/**
 * Faults of the accounting program alone: a person who declines, tokens that are over before their time, and one of
 * several items that is refused.
 */
export const ACCOUNTING_FAULTS = ['declined_consent', 'expired_token', 'refused_refresh', 'partial_failure'] as const
/** Answers of the bank about the next payees, whatever their names. */
export const PAYEE_CHECK_FAULTS = ['match', 'close_match', 'no_match'] as const
/** Faults of the next instant payment at a bank: refused after it was taken, or taken, and paid in the usual time. */
export const INSTANT_FAULTS = ['instant_rejected', 'instant_timeout'] as const
/** Every fault; `manual` is one of a payout, which then waits to be told. */
export const FAULTS = [
  ...REQUEST_FAULTS,
  ...CALLBACK_FAULTS,
  'manual',
  ...ACCOUNTING_FAULTS,
  ...PAYEE_CHECK_FAULTS,
  ...INSTANT_FAULTS,
] as const
export type Fault = (typeof FAULTS)[number]

const TIMES_MAX = 1_000_000
const times = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(TIMES_MAX))

/** Kinds of parties, by what can go wrong at them. */
export const FAULTY_KINDS = ['money', 'instant_money', 'asked', 'published', ...OTHER_PARTIES] as const
export type FaultyKind = (typeof FAULTY_KINDS)[number]

const MONEY_FAULTS = [...REQUEST_FAULTS, ...CALLBACK_FAULTS, 'manual'] as const
/** Faults that each kind can have: those that pay out call back, or write files. */
export const FAULTS_OF: Readonly<Record<FaultyKind, readonly Fault[]>> = {
  money: MONEY_FAULTS,
  instant_money: [...MONEY_FAULTS, ...INSTANT_FAULTS],
  asked: REQUEST_FAULTS,
  published: REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous'), // nothing is done there
  mail: REQUEST_FAULTS,
  payee_checks: [...REQUEST_FAULTS, ...PAYEE_CHECK_FAULTS],
  accounting: [...REQUEST_FAULTS, ...ACCOUNTING_FAULTS],
  storage: REQUEST_FAULTS,
}

/** Party as it is named: a connection, or a party beside those. */
const partner = describe(
  v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_-]{1,30}$/)),
  'Stand-in, by the name of its connection; or `mail`, `payee_checks`, `accounting`, `storage`.',
)
/** Body of POST /sandbox/faults: the next `times` requests, callbacks or payouts of the partner are hit. */
export const NewFault = model('NewSandboxFault', { partner, fault: v.picklist(FAULTS), times })
export const ActiveFault = model('SandboxFault', { partner, fault: v.picklist(FAULTS), times })
export type ActiveFault = v.InferOutput<typeof ActiveFault>

export const isOtherParty = (partner: string): partner is OtherParty => OTHER_PARTIES.some((other) => other === partner)

/** State that the market is set to; `calendar` is closed from Friday 22:00 to Sunday 22:00 UTC. */
const MARKET_STATES = ['open', 'closed', 'calendar'] as const
export const NewMarket = model('NewSandboxMarket', {
  state: describe(v.picklist(MARKET_STATES), 'State of the market.'),
})
export type NewMarket = v.InferOutput<typeof NewMarket>
export const Market = model('SandboxMarket', {
  state: v.picklist(MARKET_STATES),
  market_state: v.picklist(['open', 'closed']),
})
export type Market = v.InferOutput<typeof Market>

/** Body of POST /sandbox/payments/{payment_id}/advance; `reason` are the partner's words. */
const ADVANCES = ['processing', 'on_hold', 'succeeded', 'failed', 'reversed', 'cancelled'] as const
export const Advance = model('ClockAdvance', {
  to: describe(v.picklist(ADVANCES), 'Next occasion to advance to.'),
  reason: describe(v.optional(v.nullable(line(1, 255))), 'Reason, for the log.'),
  returned: describe(v.optional(Money), 'Part that comes back; all by default.'),
  charges: describe(v.optional(Money), 'What the partner takes.'),
})
export type Advance = v.InferOutput<typeof Advance>
/** States that a partner causes. */
const WORDS = ['accept', 'hold', 'release', 'confirm_cancel', 'broadcast', 'fail', 'settle', 'reverse'] as const

/** Lists the states that a payment can be moved to; one that is `processing` may not have begun at its partner yet. */
export function advancesFrom(status: PaymentState): Advance['to'][] {
  const led = WORDS.map((word) => paymentFlow.events[word]).filter(({ from }) => from.includes(status))
  return ADVANCES.filter(
    (to) => led.some((event) => event.to === to) || (status === 'processing' && to === 'processing'),
  )
}
