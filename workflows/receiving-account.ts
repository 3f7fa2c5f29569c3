/** A receiving account until its partner has opened it. It resumes with the ids alone. */
import { ActivityFailure, condition, isCancellation, setCurrentDetails } from '@temporalio/workflow'
import type { ReceivingAccountRef } from '../activities/receiving-accounts.ts'
import { driven } from '../db/model/flow.ts'
import { type ReceivingAccountStatus, receivingAccountFlow } from '../db/model/receiving-account-flow.ts'
import { looks } from './approval.ts'
import { partner, record } from './proxies.ts'

/** At most, after the partner refused; an operator sees the failed activity meanwhile. */
const PAUSE = '1 hour'

/** Answers the state that the account ended in. */
export async function receivingAccount(ref: ReceivingAccountRef): Promise<ReceivingAccountStatus> {
  const seen = looks()
  let status = await record.receivingAccountStatus(ref)
  while (driven(receivingAccountFlow, status)) {
    setCurrentDetails('Waits for the partner to open the account.')
    seen.asked = false
    try {
      status = await partner().openReceivingAccount(ref)
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error
      setCurrentDetails('The partner does not open the account, and is asked again.')
      await condition(() => seen.asked, PAUSE)
    }
  }
  setCurrentDetails('The account is active.')
  return status
}
