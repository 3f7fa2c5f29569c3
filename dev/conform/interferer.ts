/** Interference between driver and provider, call by call: what networks, gateways and tired servers do. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, PlannedFaults, type ProviderCall, type ProviderFault, passes } from './planned-faults.ts'

export type Reply = { readonly status: number; readonly body: unknown }
/** Call as a provider's server has read it. `act` carries it out, each time that it is called. */
export type CallToServe = {
  readonly call: ProviderCall
  /** Names the resource: its earlier answer is the stale one. */
  readonly resource: string
  readonly act: () => Reply
  /** Applies a fault in the provider's words. */
  readonly lie: (fault: ProviderFault, act: () => Reply) => Reply
}

const HUGE_BYTES = 70 * 1024
const HOUR_SECONDS = 3600
/** Time in which calls of several workers overlap. */
const MOMENT_MS = 100

export class Interferer extends PlannedFaults {
  private readonly earlier = new Map<string, Reply>()
  private followed = 0

  override clear(): void {
    super.clear()
    this.earlier.clear()
    this.followed = 0
  }

  /** Counts requests at the address of a redirect, which no driver may follow: the key would leave. */
  followedRedirects = (): number => this.followed

  noteFollowed(): void {
    this.followed += 1
  }

  /** Serves a call, with the fault that is next for its kind. */
  async serve(served: CallToServe, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { call } = served
    const held = this.arrive(call)
    if (held?.when === 'before' && !(await passes(held))) return void request.socket.destroy()
    const fault = this.next(call)
    const act = () => {
      const reply = served.act()
      const stale = this.earlier.get(served.resource)
      if (!stale) this.earlier.set(served.resource, reply)
      return reply
    }
    const answer = () => this.misbehave(fault, { ...served, act }, response)
    if (held?.when !== 'after') return answer()
    const reply = act()
    if (!(await passes(held))) return void request.socket.destroy()
    send(response, reply)
  }

  private misbehave(fault: Fault | undefined, { act, lie, resource }: CallToServe, response: ServerResponse): void {
    const stale = this.earlier.get(resource)
    switch (fault) {
      case undefined:
        return send(response, act())
      case 'request lost':
        return void response.socket?.destroy()
      case 'answer lost':
        act()
        return void response.socket?.destroy()
      case 'half an answer':
        return cut(response, act())
      case 'too slow':
        act()
        return // the client gives up
      case 'takes a moment':
        return void setTimeout(() => send(response, act()), MOMENT_MS)
      case 'page of a proxy':
        act()
        return html(response, 200)
      case 'empty answer':
        act()
        return void response.writeHead(204).end()
      case 'huge answer': {
        const { status, body } = act()
        return send(response, { status, body: { ...Object(body), padding: 'x'.repeat(HUGE_BYTES) } })
      }
      case 'error before':
        return send(response, { status: 500, body: { code: 'internal' } })
      case 'error after':
        act()
        return send(response, { status: 500, body: { code: 'internal' } })
      case 'bad gateway':
        return html(response, 502)
      case 'unavailable':
        response.setHeader('retry-after', '1')
        return send(response, { status: 503, body: { code: 'unavailable' } })
      case 'slow down for an hour':
        response.setHeader('retry-after', String(HOUR_SECONDS))
        return send(response, { status: 429, body: { code: 'rate_limited' } })
      case 'redirect':
        response.setHeader('location', '/elsewhere')
        return send(response, { status: 307, body: {} })
      case 'unauthorized':
        return send(response, { status: 401, body: { code: 'unauthorized' } })
      case 'forbidden':
        return send(response, { status: 403, body: { code: 'forbidden' } })
      case 'gateway not found':
        return html(response, 404)
      case 'arrives twice':
        act()
        return send(response, act())
      case 'stale answer':
        act()
        return send(response, stale ?? act())
      default:
        return send(response, lie(fault, act))
    }
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function html(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>The gateway speaks</body></html>')
}

/** Sends half of an answer, then cuts the connection. */
function cut(response: ServerResponse, { status, body }: Reply): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.socket?.destroy())
}
