/** A deposit, from the partner's word of it until it is credited or sent back. */
import type { depositFlow } from '../domain/flows/deposit.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/**
 * Answers the state that the deposit ended in; `announced` if what the partner called about made no deposit of this
 * run.
 */
export function deposit(ref: ProcessRef) {
  const { pursueDeposit } = partner()
  return drive<typeof depositFlow>(ref, record.lookAtDeposit, { announced: pursueDeposit, held: pursueDeposit })
}
