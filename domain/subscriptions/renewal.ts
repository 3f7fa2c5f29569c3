/** Renewal: the step that is due when the month of a subscription is over. */
import { isGone } from '../organizations/flow.ts'

/** Step of a renewal: charge the next month, hold it while money is stopped, or expire. */
export type RenewalStep = 'charge' | 'hold' | 'expiry'

type Renewable = {
  /** Month over, and no later retry scheduled. */
  readonly isDue: boolean
  readonly isEnding: boolean
  readonly isHeld: boolean
  /** Failed charges of the next month. */
  readonly attempts: number
}
/** Paying organization: its status; `stopped`: an audit has frozen its books. */
type Payer = { readonly status: string; readonly stopped: boolean }

/** Chooses the due step of an active subscription; null if it waits for a time or for money to move again. */
export function renewalStepOf({ isDue, isEnding, isHeld, attempts }: Renewable, payer: Payer): RenewalStep | null {
  if (!isDue) return null
  if (isEnding || isGone(payer.status)) return 'expiry'
  if (payer.status === 'active' && !payer.stopped) return 'charge'
  return isHeld && attempts === 0 ? null : 'hold'
}
