/** What the delivery workflow records. Each is one statement, and a repeat answers as the first time. */
import * as messages from '../db/messages.ts'
import type { MessageId } from '../db/model/ids.ts'
import type { MessageStatus } from '../db/model/message-flow.ts'

export type MessageRef = { readonly messageId: MessageId }

/** Where the message stands. @public the workflow calls it by its proxy */
export const messageStatus = ({ messageId }: MessageRef): Promise<MessageStatus> => messages.messageStatus(messageId)

/** The mail server has taken it; what it said is erased. @public the workflow calls it by its proxy */
export const markSent = ({ messageId }: MessageRef): Promise<MessageStatus> => messages.endMessage(messageId, 'send')

/** It cannot be delivered; what it said is erased. @public the workflow calls it by its proxy */
export const markFailed = ({ messageId }: MessageRef): Promise<MessageStatus> => messages.endMessage(messageId, 'fail')
