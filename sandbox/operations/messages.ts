import { setTimeout as delay } from 'node:timers/promises'
import { isUnderWay, listMessages } from '../../db/messages/messages.ts'
import { Message, MessageFilters } from '../../domain/messages/message.ts'
import { pageOf } from '../../domain/pagination.ts'
import { operations } from '../../api/http/operation.ts'

const { query } = operations('Sandbox')

const LOOK_AGAIN_MS = 25

export const sandboxMessages = [
  query('/sandbox/messages', 'listSandboxMessages')
    .says('List sent messages, newest first', 'Waits for messages to this recipient that are on their way.')
    .sandbox()
    .filters(MessageFilters)
    .answers(pageOf(Message))
    .does(async ({ query }) => {
      while (query.to !== undefined && (await isUnderWay(query.to))) await delay(LOOK_AGAIN_MS)
      return listMessages(query)
    }),
]
