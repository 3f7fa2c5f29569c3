/** The sandbox mailbox: what the service sent, with its tokens and codes. */
import { setTimeout as delay } from 'node:timers/promises'
import { isUnderWay, listMessages } from '../../db/messages/messages.ts'
import { Message, MessageFilters } from '../../domain/messages/message.ts'
import { pageOf } from '../../domain/pagination.ts'
import { route } from '../../api/http/route.ts'

const LOOK_AGAIN_MS = 25

export const sandboxMessages = [
  route({
    method: 'get',
    path: '/sandbox/messages',
    operationId: 'listSandboxMessages',
    summary: 'List sent messages, newest first; one to this recipient that is on its way is waited for',
    tag: 'Sandbox',
    credential: 'sandbox',
    query: MessageFilters,
    returns: pageOf(Message),
    handle: async ({ query }) => {
      while (query.to !== undefined && (await isUnderWay(query.to))) await delay(LOOK_AGAIN_MS)
      return listMessages(query)
    },
  }),
]
