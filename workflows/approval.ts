/** The gate every approved thing waits at: people decide, approvers are reminded, or time runs out. */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  defineUpdate,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { GateRef } from '../activities/approvals.ts'
import type { Decision, Verdict, Waiting } from '../db/model/approval.ts'
import { minuteOf } from '../db/model/instants.ts'
import type { BusinessClock } from './clock.ts'
import { record } from './proxies.ts'

/** A person's decision, recorded once under its decision_id however often it is sent. */
export const decide = defineUpdate<Verdict, [Decision]>('decide')

/**
 * Makes a workflow read its row. A server that is killed forgets the task of an update, though the decision it carried
 * may be recorded; and who is waited for changes with the members of the organization.
 */
export const look = defineSignal('look')

/** Tells whether somebody asked the workflow to look since this was last asked. */
export type Looks = { asked: boolean }

/** Sets the handler of `look`; call it before the first await. */
export function looks(): Looks {
  const seen = { asked: false }
  setHandler(look, () => {
    seen.asked = true
  })
  return seen
}

export type Gate = {
  /**
   * Waits until a decision moved the thing on, or its approval expired; returns the status the thing has then. `renew`
   * continues in a fresh run: each refused decision lengthens the history, and a run takes no more than 2,000 updates.
   */
  passed(wait: { ref: GateRef; waiting: Waiting; renew: () => Promise<never> }): Promise<string>
}

/**
 * Sets the handler of `decide`; call it before the first await. Each decision is recorded by its own activity, which checks
 * everything again: a refusal goes to the caller and leaves the gate as it is.
 */
export function approvalGate(clock: BusinessClock, seen: Looks, recorded: () => Promise<unknown>): Gate {
  // by approval: what waits again was decided on before, and who repeats that decision decides nothing new
  const reached = new Map<string, Verdict>()
  const waits = new Map<string, Waiting>()
  setHandler(decide, async (decision) => {
    await recorded()
    const verdict = await record.decide(decision)
    take(decision.approval_id, verdict)
    return verdict
  })
  const take = (approvalId: string, verdict: Verdict) => {
    if (verdict.approval_status !== 'pending') reached.set(approvalId, verdict)
    else if (verdict.waiting) show(approvalId, verdict.waiting)
  }
  const show = (approvalId: string, now: Waiting) => {
    waits.set(approvalId, now)
    setCurrentDetails(
      `Waits for approval since ${minuteOf(now.since)}, until ${minuteOf(now.until)}: ${now.waits_for}.`,
    )
  }
  return {
    async passed({ ref, waiting: first, renew }) {
      const { approvalId } = ref
      const tooLong = () => workflowInfo().continueAsNewSuggested
      const decided = () => reached.has(approvalId)
      const wait = () => waits.get(approvalId) ?? first
      if (!waits.has(approvalId)) show(approvalId, first) // a decision that came before this may have moved it on
      while (!decided()) {
        const wakeAt = dueAt(wait())
        const moved = () => dueAt(wait()) !== wakeAt
        const woken = () => decided() || seen.asked || tooLong() || moved()
        const early = await clock.until(
          wakeAt,
          woken,
          wait().remind_at ? 'Reminder of the approvers' : 'Expiry of the approval',
        )
        if (decided()) break
        if (early && !seen.asked && !tooLong()) continue // it waits for others now, who are told at another time
        if (early && !seen.asked) {
          await condition(allHandlersFinished) // a decision under way may still be the last one
          if (!decided()) await renew()
          break
        }
        seen.asked = false
        const verdict = await record.attendApproval(ref)
        // Decided meanwhile, or not due after all: the guarded statement has the last word.
        if (!decided()) take(approvalId, verdict)
        if (!early && !moved()) await condition(decided, '1 second')
      }
      const verdict = reached.get(approvalId)
      // a status that still waits would make the caller's loop turn for ever without yielding
      if (verdict?.approval_status === 'pending') throw ApplicationFailure.nonRetryable('decided, but pending')
      return verdict?.target_status ?? ''
    },
  }
}

/** When the approval has to be looked at next. */
const dueAt = ({ remind_at: remindAt, until }: Waiting): string => remindAt ?? until
