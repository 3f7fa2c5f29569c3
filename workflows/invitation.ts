/** An invitation: approved where somebody has to, then answered, taken back or expired. It resumes with the ids alone. */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { InvitationRef } from '../activities/invitations.ts'
import { driven } from '../db/model/flow.ts'
import { minuteOf } from '../db/model/instants.ts'
import { type InvitationStatus, invitationFlow } from '../db/model/invitation-flow.ts'
import { approvalGate, looks } from './approval.ts'
import { businessClock } from './clock.ts'
import { record } from './proxies.ts'

type State = Awaited<ReturnType<typeof record.attendInvitation>>

/** Answers the state that the invitation ended in. */
export async function invitation(ref: InvitationRef): Promise<InvitationStatus> {
  let row: State | undefined
  const clock = businessClock()
  const seen = looks()
  const gate = approvalGate(clock, seen, () => condition(() => row !== undefined))

  row = await attended()
  while (driven(invitationFlow, row.status)) {
    const before: State = row
    const early: boolean = before.status === 'pending_approval' ? await decided(before) : await answered(before)
    row = await attended()
    const still = row.status === before.status
    if (!still && driven(invitationFlow, row.status)) showStatus(row.status)
    // the timer may be a moment ahead of the database
    if (!early && still && row.expires_at === before.expires_at) await condition(() => seen.asked, '1 second')
  }
  setCurrentDetails(`The invitation is ${row.status}.`)
  await condition(allHandlersFinished)
  return row.status

  /** The row, expired where its time is over: what it says now is what counts. */
  async function attended(): Promise<State> {
    seen.asked = false
    const state = await record.attendInvitation(ref)
    clock.learn(state.clock_offset_seconds)
    return state
  }

  async function decided({ approval_id: approvalId, waiting }: State): Promise<true> {
    if (!approvalId || !waiting) throw ApplicationFailure.nonRetryable('the invitation has no approval to wait for')
    const reached = await gate.passed({
      ref: {
        organizationId: ref.organizationId,
        approvalId,
        target: { type: 'organization_invitation', id: ref.invitationId },
      },
      waiting,
      renew,
    })
    // the loop above would turn for ever without yielding
    if (reached === 'pending_approval') throw ApplicationFailure.nonRetryable('decided, but the invitation still waits')
    return true
  }

  /** Waits until the time has come, false; or, true, until something may have happened before it. */
  async function answered({ sent_at: since, expires_at: until }: State): Promise<boolean> {
    setCurrentDetails(`Waits for an answer to the mail since ${minuteOf(since)}, until ${minuteOf(until)}.`)
    const tooLong = () => workflowInfo().continueAsNewSuggested
    const early = await clock.until(until, () => seen.asked || tooLong(), 'Expiry of the invitation')
    if (early && !seen.asked) {
      await condition(allHandlersFinished)
      await renew()
    }
    return early
  }

  function renew(): Promise<never> {
    return continueAsNew<typeof invitation>(ref)
  }
}

/** What operators find runs by: it changes where somebody else is waited for. */
const showStatus = (status: InvitationStatus) =>
  upsertSearchAttributes([{ key: { name: 'BusinessStatus', type: 'KEYWORD' }, value: status }])
