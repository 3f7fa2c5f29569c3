/** Port of the stand-ins: one for each connection whose address is the sandbox's. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Callback } from '../db/callbacks.ts'

/** Request to a stand-in, below the path of its name. */
export type StandInRequest = {
  readonly path: string
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Callback in the words of a provider. */
export type CallbackMessage = { readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type StandIn = {
  readonly serve: (asked: StandInRequest) => Promise<void>
  /** Writes and signs a callback; null for a change of which the provider tells nothing. */
  readonly message: (callback: Callback) => Promise<CallbackMessage | null>
  /** Begins work of its own, as a bank that reads and writes files does. */
  readonly start?: () => Promise<{ readonly stop: () => Promise<void> }>
}
