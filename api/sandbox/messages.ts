/** The sandbox mailbox: what the service sent, with its tokens and codes. */
import { listMessages } from '../../db/messages/messages.ts'
import { Message, MessageFilters } from '../../db/model/messages/message.ts'
import { pageOf } from '../../db/model/pagination.ts'
import { route } from '../http/route.ts'

export const sandboxMessages = [
  route({
    method: 'get',
    path: '/sandbox/messages',
    operationId: 'listSandboxMessages',
    summary: 'List sent messages, newest first',
    tag: 'Sandbox',
    credential: 'sandbox',
    query: MessageFilters,
    returns: pageOf(Message),
    handle: ({ query }) => listMessages(query),
  }),
]
