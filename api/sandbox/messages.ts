/** The sandbox mailbox: what the service sent, with its tokens and codes. */
import { listMessages } from '../../db/messages.ts'
import { Message, MessageFilters } from '../../db/model/message.ts'
import { pageOf } from '../../db/model/page.ts'
import { route } from '../route.ts'

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
