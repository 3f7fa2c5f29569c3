/** Books that an audit has stopped. */
import { refuse } from '../model/errors.ts'

const RETRY_AFTER_SECONDS = 300

/** The refusal of whatever moves new money; an operator has to look first, so it is no use to come again at once. */
export function refuseUnbalanced(): never {
  refuse('ledger_unbalanced', { retry_after_seconds: RETRY_AFTER_SECONDS })
}
