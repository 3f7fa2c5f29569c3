/** `node dev/run.cjs dev/receiver.ts <secret> [port]`: an example consumer of webhooks, which also reports disorder. */
import { type IncomingMessage, type RequestListener, createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'

const PORT = process.env['RECEIVER_PORT'] || '4000'
/** Ids to remember. Redelivery ends after three days, unless a person asks for a replay. */
const IDS_MAX = 100_000

export type DeliveredEvent = {
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly id: string; readonly subject_id: string; readonly seq: number | null }
}
/** Received event. `again`: it was taken before. `late`: a later event of its subject was. */
export type Receipt = { readonly event: DeliveredEvent; readonly again: boolean; readonly late: boolean }

/** Answers 204 to signed events, 401 to all else; `take` gets each event. */
export function receive(secret: string, take: (taken: Receipt) => void): RequestListener {
  const webhook = new Webhook(secret)
  const ids = new Set<string>()
  const latest = new Map<string, number>() // latest place in the log by subject
  return async (request, response) => {
    const body = await bodyOf(request)
    let event: DeliveredEvent
    try {
      event = webhook.verify(body, headersOf(request)) as DeliveredEvent // what we sign has this shape
    } catch (error) {
      response.writeHead(401).end(String(error))
      return
    }
    const { id, subject_id: subject, seq } = event.data
    const before = latest.get(subject) ?? 0
    const again = ids.has(id)
    take({ event, again, late: !again && seq !== null && seq < before })
    ids.add(id)
    if (ids.size > IDS_MAX) ids.delete(ids.values().next().value ?? id)
    latest.set(subject, Math.max(before, seq ?? 0))
    response.writeHead(204).end() // only once the event is safe: else it is delivered again
  }
}

/** Reads the signed bytes. Parse nothing before they are verified. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )

export const lineOf = ({ event: { type, data }, again, late }: Receipt): string =>
  `${String(data.seq ?? '').padStart(6)} ${type.padEnd(36)} ${data.subject_id}${again ? ' again' : ''}${late ? ' LATE' : ''}`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [secret, port = PORT] = process.argv.slice(2)
  if (!secret) {
    console.error('node dev/run.cjs dev/receiver.ts <the secret of the endpoint> [port]')
    process.exit(1)
  }
  const receiver = createServer(receive(secret, (taken) => console.log(lineOf(taken))))
  receiver.listen(Number(port), '127.0.0.1', () => console.log(`Taking events at http://127.0.0.1:${port}/`))
}
