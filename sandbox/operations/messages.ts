import { setTimeout as delay } from 'node:timers/promises'
import { findMailHtml, isUnderWay, listMessages } from '../../services/messages/messages.ts'
import { refuse } from '../../domain/errors.ts'
import { Message, MessageFilters, MessageParams } from '../../domain/messages/message.ts'
import { pageOf } from '../../domain/pagination.ts'
import { Page } from '../../api/http/http.ts'
import { operations, page } from '../../api/http/operation.ts'

const { query } = operations('Sandbox')

/** Policy of a mail: its own styles, and nothing that it could fetch. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'"

const LOOK_AGAIN_MS = 25

export const sandboxMessages = [
  query('/sandbox/messages', 'listSandboxMessages')
    .says('List sent messages, newest first', 'Waits for messages to this recipient that are on their way.')
    .for('sandbox')
    .filters(MessageFilters)
    .answers(pageOf(Message))
    .does(async ({ query }) => {
      while (query.to !== undefined && (await isUnderWay(query.to))) await delay(LOOK_AGAIN_MS)
      return listMessages(query)
    }),
  query('/sandbox/messages/{id}/html', 'showSandboxMessage')
    .says('Show the HTML part of a mail', 'As mail programs show it. Messages to phones have none.')
    .for('sandbox')
    .named(MessageParams)
    .answers(page())
    .does(async ({ params }) => new Page((await findMailHtml(params.id)) ?? refuse('not_found'), POLICY)),
]
