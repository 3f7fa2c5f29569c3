/** Lists in a configuration, with commas between their parts. */
import { isIP } from 'node:net'
import * as v from 'valibot'

export const list = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)

/** Tells if it is an address with a port, or without one. */
const isServer = (text: string): boolean =>
  isIP(text) !== 0 || /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:]+\]):\d{1,5}$/i.test(text)

export const nameServers = v.pipe(list, v.everyItem(isServer, 'must be addresses, such as 9.9.9.9 or 127.0.0.1:5353'))
