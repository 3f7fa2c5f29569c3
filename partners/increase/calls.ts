/** Calls to Increase for one connection: lists, and orders under a key. */
import * as v from 'valibot'
import type { IncreaseSettings } from '../../platform/drivers/increase.ts'
import { type PartnerEndpoint, requestPartner, unclear } from '../http.ts'
import { Page, readFailure } from './words.ts'

/** Connection as its calls need it. */
export type At = {
  readonly endpoint: PartnerEndpoint
  readonly settings: IncreaseSettings
  /** Asks for a page of a list. */
  readonly ask: (path: string) => Promise<v.InferOutput<typeof Page>>
  /** Posts an order, once for each key. */
  readonly post: <Schema extends v.GenericSchema>(
    path: string,
    key: string,
    body: object,
    answer: Schema,
  ) => Promise<v.InferOutput<Schema>>
}

/** Senders write into incoming transfers: one of ACH has up to 9,999 lines. */
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

/** Makes the calls of a connection. */
export function callsOf(given: PartnerEndpoint, settings: IncreaseSettings): At {
  const endpoint = { ...given, readFailure, answerBytesMax: ANSWER_BYTES_MAX }
  return {
    endpoint,
    settings,
    ask: (path) => requestPartner(endpoint, { method: 'GET', path, answer: Page }),
    post: (path, key, body, answer) =>
      requestPartner(endpoint, { method: 'POST', path, body, answer, headers: { 'idempotency-key': key } }),
  }
}

/** Finds the object of a key in a list that is filtered `by` more; null without one. */
export async function findByKey<Read>(
  { ask, endpoint }: At,
  path: string,
  key: string,
  schema: v.GenericSchema<unknown, Read>,
  by: Readonly<Record<string, string>> = {},
): Promise<Read | null> {
  const { data } = await ask(`${path}?${new URLSearchParams({ ...by, idempotency_key: key, limit: '1' }).toString()}`)
  if (data.length === 0) return null
  const read = v.safeParse(schema, data[0])
  if (!read.success) throw unclear(endpoint, 'it lists another object than was asked for', true)
  return read.output
}
