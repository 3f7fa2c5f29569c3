/** Speed of a payment by bank, and what follows an instant one that comes to nothing. */
import { v5 } from 'uuid'
import * as v from 'valibot'
import { describe } from '../text.ts'

export const SPEEDS = ['standard', 'instant'] as const
export type Speed = (typeof SPEEDS)[number]

const FALLBACKS = ['standard', 'none'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** Members of the question for a quote. */
export const PaceChoice = {
  speed: describe(v.optional(v.picklist(SPEEDS), 'standard'), 'Speed by bank, where the capabilities say `instant`.'),
  fallback: describe(
    v.optional(v.picklist(FALLBACKS), 'standard'),
    'Payment that follows an instant one that the bank refuses: a standard one, or none.',
  ),
}

/** Members of quotes and payments. */
export const PaceEntries = {
  speed: describe(v.picklist(SPEEDS), 'Speed by bank: within seconds at any hour if `instant`.'),
  fallback: describe(
    v.picklist(FALLBACKS),
    'Payment that follows an instant one that the bank refuses: a standard one, or none.',
  ),
}

/** Speed and fallback as rows have them: null of a standard payment. */
export type SpeedRow = { readonly speed: 'instant' | null; readonly fallback: Fallback | null }

/** Pace of a payment. A standard one has the fallback `standard`, which means nothing. */
export type Pace = { readonly speed: Speed; readonly fallback: Fallback }

export const STANDARD: Pace = { speed: 'standard', fallback: 'standard' }

export const paceOf = ({ speed, fallback }: SpeedRow): Pace => ({
  speed: speed ?? 'standard',
  fallback: fallback ?? 'standard',
})

export const toSpeedRow = ({ speed, fallback }: Pace): SpeedRow =>
  speed === 'instant' ? { speed, fallback } : { speed: null, fallback: null }

const NAMESPACE = 'b6b0b0c5-6c0a-4d4e-9a5f-0d0a3f5e6b11'

/** Derives the id of the standard order that follows the instant order of a payment: at its partner it is another payout. */
export const fallbackIdOf = (paymentId: string): string => v5(`${paymentId}:standard`, NAMESPACE)
