/** The gate every approved thing waits at: people decide, or time runs out. */
import { condition, defineUpdate, setCurrentDetails, setHandler } from '@temporalio/workflow'
import type { Decision, Verdict } from '../db/model/approval.ts'
import type { BusinessClock } from './clock.ts'

/** A person's decision; the update id is its decision_id. */
export const decide = defineUpdate<Verdict, [Decision]>('decide')

export type Gate = {
  /** Waits until a decision moved the thing on, or its approval expired; returns the status it has then. */
  passed(wait: { expiresAt: string; expire: () => Promise<Verdict> }): Promise<string>
}

/**
 * Sets the `decide` handler; call it before the first await. Each decision is recorded by its own activity, which
 * checks everything again: a refusal goes to the caller and leaves the gate as it is.
 */
export function approvalGate(
  clock: BusinessClock,
  recorded: () => Promise<unknown>,
  recordDecision: (decision: Decision) => Promise<Verdict>,
): Gate {
  let reached: Verdict | undefined
  setHandler(decide, async (decision) => {
    await recorded()
    const verdict = await recordDecision(decision)
    if (verdict.approval_status !== 'pending') reached = verdict
    return verdict
  })
  return {
    async passed({ expiresAt, expire }) {
      setCurrentDetails(`Waits for the decision of an approver until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`)
      while (!reached) {
        if (await clock.until(expiresAt, () => reached !== undefined, 'Expiry of the approval')) break
        const verdict = await expire()
        // Decided meanwhile, or not due after all: the guarded statement has the last word.
        if (verdict.approval_status !== 'pending') reached ??= verdict
        else await condition(() => reached !== undefined, '1 second')
      }
      return reached?.target_status ?? ''
    },
  }
}
