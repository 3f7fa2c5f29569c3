/** Settings of the driver `increase`: a bank in dollars, https://increase.com. */
import * as v from 'valibot'
import { Common, Fiat, ONE_SERVED, Secret, type Surroundings, Url, longSecret } from './entry.ts'

const Dollars = v.pipe(
  Fiat,
  v.check(({ currencies }) => currencies?.join() === 'USD', 'must be the rail fiat with USD alone'),
)
const Dollar = v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,7})\.\d{2}$/, 'must be as 1000000.00'))
const Account = v.pipe(v.string(), v.regex(/^(?:sandbox_)?account_\w+$/, 'must be as account_…'))

export const IncreaseEntry = v.strictObject({
  ...Common,
  driver: v.literal('increase'),
  serves: v.strictTuple([Dollars], ONE_SERVED),
  url: v.optional(Url),
  key: Secret,
  callback_secret: Secret,
  account: Account,
  /** Most that one ACH transfer carries; more goes by wire. */
  ach_limit: v.optional(Dollar, '1000000.00'),
  /** Network of payouts at once. */
  instant: v.optional(v.picklist(['rtp', 'fednow']), 'rtp'),
  /** Organizations become entities at Increase, which verifies them. */
  verifies: v.optional(v.boolean(), false),
})

export type IncreaseSettings = {
  readonly driver: 'increase'
  /** Account at Increase that holds the money of all organizations. */
  readonly account: string
  /** Most that ACH carries, in dollars. */
  readonly achLimit: string
  readonly instant: 'rtp' | 'fednow'
  /** It verifies organizations. */
  readonly verifies: boolean
}

const INCREASE_URL = 'https://api.increase.com'

export const readIncrease = (
  entry: v.InferOutput<typeof IncreaseEntry>,
  { live, sandbox, secretOf }: Surroundings,
) => ({
  settings: {
    driver: 'increase',
    account: entry.account,
    achLimit: entry.ach_limit,
    instant: entry.instant,
    verifies: entry.verifies,
  } satisfies IncreaseSettings,
  url: entry.url ?? (live ? INCREASE_URL : `${sandbox}/${entry.name}`),
  key: secretOf(entry.key, 'key', longSecret),
  // a text of the operator's choice: Increase signs with its bytes
  callbackSecret: secretOf(entry.callback_secret, 'callback_secret', longSecret),
})
