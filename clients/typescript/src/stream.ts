/** Live stream of events: server-sent events that go on behind the last one after a lost connection. */
import type { Event } from './schemas.ts'
import { isLost } from './transport.ts'

const RECONNECT_MS = 1000

/**
 * Reads events for ever, without a gap behind `from`: connects again after a lost connection. Throws everything else: a
 * refusal, what the bearer's source throws, and the reason of its signal.
 */
export async function* readEvents(
  connect: (lastId: string | undefined) => Promise<Response>,
  { from, signal }: { readonly from?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Event> {
  let lastId = from
  for (;;) {
    let isConnected = false
    try {
      const response = await connect(lastId)
      isConnected = true
      for await (const { id, data } of readMessages(response)) {
        lastId = id ?? lastId
        yield JSON.parse(data) as Event
      }
    } catch (error) {
      if (signal?.aborted || !(isConnected || isLost(error))) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS))
  }
}

type Message = { readonly id: string | undefined; readonly data: string }

async function* readMessages({ body }: Response): AsyncGenerator<Message> {
  if (!body) return
  let rest = ''
  for await (const piece of readPieces(body.pipeThrough(new TextDecoderStream()))) {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line))
      const data = fields.flatMap((field) => (field?.[1] === 'data' ? (field[2] ?? '') : []))
      const id = fields.find((field) => field?.[1] === 'id')?.[2]
      if (data.length > 0) yield { id, data: data.join('\n') }
    }
  }
}

/** Reads a stream piece by piece, also where streams are not iterable. */
async function* readPieces(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {}) // ends the connection; a lost one has ended
  }
}
