/** Settings of the driver `http`: partners, or adapters, that speak our own protocol (docs/partners.md). */
import * as v from 'valibot'
import {
  Common,
  Crypto,
  Currency,
  Fiat,
  Messages,
  ONE_SERVED,
  Rates,
  Screening,
  Secret,
  type Surroundings,
  Url,
  callbackSecret,
  longSecret,
} from './entry.ts'

const Serving = v.union(
  [Fiat, Crypto, Rates, Messages, Screening],
  'must be the rail fiat with currencies, the rail crypto with coins, rates, messages or screening',
)

export const HttpEntry = v.strictObject({
  ...Common,
  driver: v.literal('http'),
  serves: v.strictTuple([Serving], ONE_SERVED),
  url: Url,
  key: Secret,
  callback_secret: v.optional(Secret),
  keys_kept_hours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8760))),
  instant: v.optional(v.array(Currency), []),
  verifies: v.optional(v.boolean(), false),
})

/** Settings of a partner that speaks our own protocol. */
export type HttpSettings = {
  readonly driver: 'http'
  /** Hours for which the partner knows our ids, and makes nothing new for a repeat; null: for ever. */
  readonly keysKeptHours: number | null
  /** Currencies of payments that arrive within seconds. */
  readonly instant: 'all' | readonly string[]
  /** It verifies organizations. */
  readonly verifies: boolean
}

export const readHttp = (entry: v.InferOutput<typeof HttpEntry>, { secretOf }: Surroundings) => ({
  settings: {
    driver: 'http',
    keysKeptHours: entry.keys_kept_hours ?? null,
    instant: entry.instant,
    verifies: entry.verifies,
  } satisfies HttpSettings,
  url: entry.url,
  key: secretOf(entry.key, 'key', longSecret),
  callbackSecret: entry.callback_secret ? secretOf(entry.callback_secret, 'callback_secret', callbackSecret) : null,
})
