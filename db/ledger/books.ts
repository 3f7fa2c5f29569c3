/** Books that an audit has stopped. */
import { type Blocker, refuse } from '../model/errors.ts'

/**
 * What stands against whatever moves new money; an operator has to look first, so it is no use to come again at once.
 */
export const LEDGER_UNBALANCED = {
  type: 'ledger_unbalanced',
  details: { retry_after_seconds: 300 },
} as const satisfies Blocker

/** Refuses by it. */
export function refuseFrozenLedger(): never {
  refuse(LEDGER_UNBALANCED.type, LEDGER_UNBALANCED.details)
}
