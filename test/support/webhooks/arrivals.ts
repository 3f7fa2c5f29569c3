/** A receiver that verifies and records deliveries and answers badly at random; with its checks. */
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { numbersFrom } from '../chaos/random.ts'
import { type Receiver, httpReceiver } from './receivers.ts'

type Logged = { readonly id: string; readonly seq: number; readonly subject_id: string; readonly event_type: string }
/** One call: its event, and the number of calls that had arrived when it was answered 2xx. */
type Arrival = { readonly event: Logged; takenAt: number }
type Noting = Receiver & {
  readonly arrivals: readonly Arrival[]
  readonly complaints: readonly string[]
  /** The endpoint's secret, once it is known. */
  secret: string
}

/** The receiver's answer to the nth call about an event. */
type Manner = (event: Logged, times: number) => Answered | Promise<Answered>
type Answered = { readonly status: number | 'hangs up'; readonly afterMs: number }

const NOTHING = { headers: {} as IncomingHttpHeaders, body: '' }

/** Verifies deliveries with the library and records them; a wrong signature is a complaint. */
export async function notingReceiver(manner: Manner): Promise<Noting> {
  const arrivals: Arrival[] = []
  const complaints: string[] = []
  const answer: RequestListener = async (request, response) => {
    const { headers, body } = receiver.received.at(-1) ?? NOTHING
    let event: Logged
    try {
      ;({ data: event } = new Webhook(noting.secret).verify(body, headers as Record<string, string>) as {
        data: Logged
      })
      if (headers['webhook-id'] !== event.id) throw new Error(`webhook-id of ${event.id}`)
    } catch (error) {
      complaints.push(String(error))
      response.writeHead(400).end()
      return
    }
    const arrival = { event, takenAt: Number.POSITIVE_INFINITY }
    arrivals.push(arrival)
    const { status, afterMs } = await manner(event, arrivals.filter(({ event: { id } }) => id === event.id).length)
    if (afterMs > 0) await delay(afterMs)
    if (status === 'hangs up') return void request.socket.destroy()
    if (status < 300) arrival.takenAt = arrivals.length
    response.writeHead(status).end()
  }
  const receiver = await httpReceiver(answer)
  const noting: Noting = { ...receiver, arrivals, complaints, secret: '' }
  return noting
}

/** Refuses, ignores or delays some of a hundred calls, but none about an event a third time. */
export const fickleBy =
  (seed: number): Manner =>
  ({ seq }, times) => {
    const random = numbersFrom(seed + seq * 7919 + times)
    const lot = random(1000) // nearby seeds begin with nearby numbers
    const luck = (lot + random(1000) + random(1000)) % 100
    const afterMs = luck >= 12 && luck < 20 ? random(2500) : 0
    if (times > 2) return { status: 204, afterMs }
    return { status: luck < 8 ? 500 : luck < 12 ? 'hangs up' : 204, afterMs }
  }

/** Finds arrivals out of the log's order for a subject: an event that first came before its predecessor was taken. */
export function disorder(arrivals: readonly Arrival[], log: readonly Logged[]): string[] {
  const takenAt = new Map<string, number>()
  for (const { event, takenAt: at } of arrivals) {
    takenAt.set(event.id, Math.min(at, takenAt.get(event.id) ?? Number.POSITIVE_INFINITY))
  }
  const before = new Map<string, Logged>()
  const predecessor = new Map<string, Logged>()
  for (const event of log) {
    const earlier = before.get(event.subject_id)
    if (earlier) predecessor.set(event.id, earlier)
    before.set(event.subject_id, event)
  }
  const came = new Set<string>()
  return arrivals.flatMap(({ event }, index) => {
    if (came.has(event.id)) return []
    came.add(event.id)
    const earlier = predecessor.get(event.id)
    if (!earlier || (takenAt.get(earlier.id) ?? Number.POSITIVE_INFINITY) <= index) return []
    return [`${event.event_type} ${event.seq} of ${event.subject_id} came before ${earlier.seq} was taken`]
  })
}
