/** Renewal: the step that is due when the month of a subscription is over. */
import { isGone } from '../flows/undriven/organization.ts'

/** The next month is charged, or held because no money of the organization moves; or the subscription expires. */
export type RenewalStep = 'charge' | 'hold' | 'expiry'

type Subscribed = {
  /** Its month is over, and another try to charge the next one is not put off. */
  readonly isDue: boolean
  readonly isEnding: boolean
  readonly isHeld: boolean
  /** Tries in vain to charge the next month. */
  readonly attempts: number
}
/** The organization that pays: its status, and whether an audit has stopped its books. */
type Payer = { readonly status: string; readonly stopped: boolean }

/** Chooses the step that is due of an active subscription; null if it waits for a time or for money to move again. */
export function renewalStepOf({ isDue, isEnding, isHeld, attempts }: Subscribed, payer: Payer): RenewalStep | null {
  if (!isDue) return null
  if (isEnding || isGone(payer.status)) return 'expiry'
  if (payer.status === 'active' && !payer.stopped) return 'charge'
  return isHeld && attempts === 0 ? null : 'hold'
}
