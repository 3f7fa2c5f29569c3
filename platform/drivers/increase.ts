/** Settings of the driver `increase`: a bank in dollars, https://increase.com. */
import * as v from 'valibot'
import { Common, Fiat, ONE_SERVED, Secret, type Surroundings, Url, callbackSecret, longSecret } from './entry.ts'

const Dollars = v.pipe(
  Fiat,
  v.check(({ currencies }) => currencies?.join() === 'USD', 'must be the rail fiat with USD alone'),
)
const Account = v.pipe(v.string(), v.regex(/^(?:sandbox_)?account_\w+$/, 'must be as account_…'))

export const IncreaseEntry = v.strictObject({
  ...Common,
  driver: v.literal('increase'),
  serves: v.strictTuple([Dollars], ONE_SERVED),
  url: v.optional(Url),
  key: Secret,
  callback_secret: Secret,
  account: Account,
})

export type IncreaseSettings = {
  readonly driver: 'increase'
  /** Account at Increase that holds the money of all organizations. */
  readonly account: string
}

const INCREASE_URL = 'https://api.increase.com'

export const readIncrease = (
  entry: v.InferOutput<typeof IncreaseEntry>,
  { live, sandbox, secretOf }: Surroundings,
) => ({
  settings: { driver: 'increase', account: entry.account } satisfies IncreaseSettings,
  url: entry.url ?? (live ? INCREASE_URL : `${sandbox}/${entry.name}`),
  key: secretOf(entry.key, 'key', longSecret),
  callbackSecret: secretOf(entry.callback_secret, 'callback_secret', callbackSecret),
})
