/**
 * A swap after it was executed: our own position is closed at the rates desk, however long that takes. The organization's
 * part was over before. It resumes with the ids alone.
 */
import { continueAsNew, isCancellation, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow'
import type { SwapRef } from '../activities/swaps.ts'
import { driven } from '../db/model/flow.ts'
import { type SwapStatus, swapFlow } from '../db/model/swap-flow.ts'
import { asking, record } from './proxies.ts'

const PATIENCE_SECONDS = 86_400
const PAUSE_MAX_SECONDS = 900

/** Answers the state that the swap ended in. */
export async function swap(ref: SwapRef): Promise<SwapStatus> {
  let { status, ask_again_seconds: seconds } = await record.swapState(ref)
  while (driven(swapFlow, status)) {
    setCurrentDetails('Closes our own position at the rates desk.')
    const said = await trade(ref)
    if (said === 'executed') {
      status = await record.markSwapCovered(ref)
      continue
    }
    setCurrentDetails(`The rates desk ${said}. It is asked again within ${seconds} s.`)
    await sleep(seconds * 1000, { summary: 'Ask the rates desk again' })
    seconds = Math.min(seconds * 2, PAUSE_MAX_SECONDS)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof swap>(ref)
  }
  setCurrentDetails(`The swap is ${status}.`)
  return status
}

/** `executed`, or what the desk said instead, in words: nothing of it is an end, because the position is ours until it is closed. */
async function trade(ref: SwapRef): Promise<string> {
  try {
    const said = await asking(PATIENCE_SECONDS).tradeSwap(ref)
    return said === 'executed' ? said : `refused: ${said}`
  } catch (error) {
    if (isCancellation(error)) throw error
    return 'gave no clear answer'
  }
}
