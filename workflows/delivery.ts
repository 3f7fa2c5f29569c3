/** One message from the moment it is queued to the last word of the mail server, or of the messenger. */
import type { messageFlow } from '../domain/flows/message.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { mailing, record } from './proxies.ts'

/** Answers the state that the message ended in. */
export const delivery = (ref: ProcessRef) =>
  drive<typeof messageFlow>(ref, record.lookAtMessage, { queued: mailing().deliverMessage })
