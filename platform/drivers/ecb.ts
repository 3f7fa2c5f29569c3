/** Settings of the driver `ecb`: reference rates of the European Central Bank. Nobody trades at them. */
import * as v from 'valibot'
import { Common, ONE_SERVED, Rates, type Surroundings, Url } from './entry.ts'

export const EcbEntry = v.strictObject({
  ...Common,
  driver: v.literal('ecb'),
  serves: v.strictTuple([Rates], ONE_SERVED),
  url: v.optional(Url),
  margin_bp: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0),
})

export type EcbSettings = {
  readonly driver: 'ecb'
  /** Margin in hundredths of a percent, on rates that have none. */
  readonly marginBp: number
}

const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'

export const readEcb = (entry: v.InferOutput<typeof EcbEntry>, { live, sandbox }: Surroundings) => ({
  settings: { driver: 'ecb', marginBp: entry.margin_bp } satisfies EcbSettings,
  url: entry.url ?? (live ? ECB_URL : `${sandbox}/${entry.name}`),
  key: '',
  callbackSecret: null,
})
