/** A deposit, from the partner's word of it until it is credited or sent back. It resumes with the ids alone. */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { AnnouncedRef, DepositRef } from '../activities/deposits.ts'
import { type DepositStatus, depositFlow } from '../db/model/deposit-flow.ts'
import { driven } from '../db/model/flow.ts'
import { minuteOf } from '../db/model/instants.ts'
import { looks } from './approval.ts'
import { businessClock } from './clock.ts'
import { asking, partner, record } from './proxies.ts'

/** So long one look at the partner lasts, so that a partner that is away does not keep anything else from being done. */
const LOOK_SECONDS = 600
/** At most, after the partner gave no clear answer; an operator is told meanwhile. */
const PAUSE = '15 minutes'

/** Answers the state that the deposit ended in; of a word that made no deposit of this run, what it came to. */
export async function deposit(
  start: DepositRef | AnnouncedRef,
): Promise<DepositStatus | 'unmatched' | 'nothing' | 'elsewhere'> {
  const clock = businessClock()
  const seen = looks()

  let ref: DepositRef
  if ('organizationId' in start) ref = start
  else {
    setCurrentDetails('Asks the partner about money that came.')
    let booked = await partner().receiveDeposit(start)
    while (seen.asked && booked.kind !== 'deposit') {
      seen.asked = false
      booked = await partner().receiveDeposit(start) // the partner called once more meanwhile
    }
    if (booked.kind !== 'deposit') return booked.kind
    // one that was booked in another way is driven by a run of its own
    if (booked.id !== start.depositId) return 'elsewhere'
    ref = { organizationId: booked.organizationId, depositId: booked.id }
    showOwner(ref, booked.status)
  }

  let row = await attended()
  while (driven(depositFlow, row.status)) {
    if (row.is_returning) await returned()
    else if (row.has_news) await lookedAt()
    else await answeredOrDue()
    row = await attended()
  }
  setCurrentDetails(`The deposit is ${row.status}.`)
  return row.status

  /** The row, on its way back where its time is over: what it says now is what counts. */
  async function attended() {
    seen.asked = false
    const state = await record.attendDeposit(ref)
    clock.learn(state.clock_offset_seconds)
    return state
  }

  /** Waits until the sender may have been named, or the time for that is over. */
  async function answeredOrDue(): Promise<void> {
    const until = row.release_by
    if (!until) throw new Error('a held deposit has a time until which its sender may be named')
    setCurrentDetails(`Waits until ${minuteOf(until)} for somebody to say who sent it.`)
    const tooLong = () => workflowInfo().continueAsNewSuggested
    const early = await clock.until(until, () => seen.asked || tooLong(), 'Return of the deposit')
    if (early && !seen.asked) await continueAsNew<typeof deposit>(ref)
    // the timer may be a moment ahead of the database
    if (!early) await condition(() => seen.asked, '1 second')
  }

  /** Has the partner send it back until that is done. One that is refused is tried again: the money is in suspense. */
  async function returned(): Promise<void> {
    setCurrentDetails('Goes back: nobody said who sent it. Waits for the partner.')
    let answer: 'done' | 'refused'
    try {
      answer = await partner().returnDeposit(ref)
    } catch (error) {
      await stuck(error, 'Goes back: nobody said who sent it. What the partner says is unclear, and it is asked again.')
      return
    }
    // runs of before answered nothing, and ended otherwise
    await (answer === 'refused' ? record.recordReturnRefused(ref) : record.recordDepositReturn(ref))
  }

  /** The partner called: it may have sent the money back by itself. */
  async function lookedAt(): Promise<void> {
    setCurrentDetails('Asks the partner, which has called about it.')
    try {
      await asking(LOOK_SECONDS).lookAtDeposit(ref)
    } catch (error) {
      await stuck(error, 'The partner has called about it, and does not say where it stands. It is asked again.')
    }
  }

  /** Tells the operator what failed for good, and waits. */
  async function stuck(error: unknown, details: string): Promise<void> {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error
    await record.noteDepositStuck(ref)
    setCurrentDetails(details)
    await condition(() => seen.asked, PAUSE)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deposit>(ref)
  }
}

/** What operators find runs by: whose it is was not known when the run began. */
const showOwner = ({ organizationId }: DepositRef, status: DepositStatus) =>
  upsertSearchAttributes([
    { key: { name: 'OrganizationId', type: 'KEYWORD' }, value: organizationId },
    { key: { name: 'BusinessStatus', type: 'KEYWORD' }, value: status },
  ])
