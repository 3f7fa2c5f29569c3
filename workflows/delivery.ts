/** One mail from the moment it is queued to the mail server's last word. It resumes with the id alone. */
import { isCancellation, setCurrentDetails } from '@temporalio/workflow'
import type { MessageRef } from '../activities/messages.ts'
import { driven } from '../db/model/flow.ts'
import { type MessageStatus, messageFlow } from '../db/model/message-flow.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the message ended in. */
export async function delivery(ref: MessageRef): Promise<MessageStatus> {
  let status = await record.messageStatus(ref)
  if (driven(messageFlow, status)) {
    setCurrentDetails('Waits for the mail server to take the mail; it is tried for 24 hours.')
    status = (await taken(ref)) ? await record.markSent(ref) : await record.markFailed(ref)
  }
  setCurrentDetails(`The mail is ${status}.`)
  return status
}

/** Whether the mail server took the mail: not where it refused it, or could not be reached for all that time. */
async function taken(ref: MessageRef): Promise<boolean> {
  try {
    await partner().sendMail(ref)
    return true
  } catch (error) {
    if (isCancellation(error)) throw error
    return false
  }
}
