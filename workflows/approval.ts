/** The gate every approved thing waits at: people decide, or time runs out. */
import {
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { Decision, Verdict } from '../db/model/approval.ts'
import type { BusinessClock } from './clock.ts'

/** A person's decision, recorded once under its decision_id however often it is sent. */
export const decide = defineUpdate<Verdict, [Decision]>('decide')

/**
 * Makes the gate read its approval. A server that is killed forgets the task of an update, though the decision it carried
 * may be recorded; nothing would wake the workflow before the approval expires.
 */
export const look = defineSignal('look')

export type Gate = {
  /**
   * Waits until a decision moved the thing on, or its approval expired; returns the status it has then. `renew` continues
   * in a fresh run: each refused decision lengthens the history, and a run takes no more than 2,000 updates.
   */
  passed(wait: { expiresAt: string; expire: () => Promise<Verdict>; renew: () => Promise<never> }): Promise<string>
}

/**
 * Sets the handlers of `decide` and `look`; call it before the first await. Each decision is recorded by its own activity, which
 * checks everything again: a refusal goes to the caller and leaves the gate as it is.
 */
export function approvalGate(
  clock: BusinessClock,
  recorded: () => Promise<unknown>,
  recordDecision: (decision: Decision) => Promise<Verdict>,
): Gate {
  let reached: Verdict | undefined
  let asked = false
  setHandler(look, () => {
    asked = true
  })
  setHandler(decide, async (decision) => {
    await recorded()
    const verdict = await recordDecision(decision)
    if (verdict.approval_status !== 'pending') reached = verdict
    return verdict
  })
  return {
    async passed({ expiresAt, expire, renew }) {
      const tooLong = () => workflowInfo().continueAsNewSuggested
      setCurrentDetails(`Waits for the decision of an approver until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`)
      while (!reached) {
        const woken = () => reached !== undefined || asked || tooLong()
        const early = await clock.until(expiresAt, woken, 'Expiry of the approval')
        if (reached) break
        if (early && !asked) {
          await condition(allHandlersFinished) // a decision under way may still be the last one
          if (!reached) await renew()
          break
        }
        asked = false
        const verdict = await expire()
        // Decided meanwhile, or not due after all: the guarded statement has the last word.
        if (verdict.approval_status !== 'pending') reached ??= verdict
        else await condition(() => reached !== undefined, '1 second')
      }
      return reached?.target_status ?? ''
    },
  }
}
