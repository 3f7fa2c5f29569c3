/** Settings of the driver `fireblocks`: a custodian of coins, https://fireblocks.com. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { Coins, Common, ONE_SERVED, Secret, type Surroundings, Url } from './entry.ts'

const Assets = v.strictObject({ rail: v.literal('crypto'), coins: Coins }, 'must be the rail crypto with coins')

/** Levels of network fees: the higher, the sooner a transaction is confirmed. */
const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const

const Amount = v.pipe(v.string(), v.regex(/^(0|[1-9]\d{0,17})(\.\d{1,18})?$/, 'must be an amount, as 100.00'))
/** Amounts by coin and network, as `{"USDC/ethereum": "100.00"}`. */
const Floors = v.record(v.string(), Amount)

const Members = v.strictObject({
  ...Common,
  driver: v.literal('fireblocks'),
  serves: v.strictTuple([Assets], ONE_SERVED),
  url: v.optional(Url),
  key: Secret,
  private_key: Secret,
  callback_key: Secret,
  vault: v.pipe(v.string(), v.regex(/^\d{1,18}$/, 'must be the number of a vault account')),
  fee_level: v.optional(v.picklist(FEE_LEVELS, `must be of ${FEE_LEVELS.join(', ')}`), 'MEDIUM'),
  travel_rule: v.optional(v.boolean(), true),
  /** Amounts of coins up to which an order names nobody; without one it always does. */
  travel_rule_above: v.optional(Floors, {}),
  /** Amounts of coins that stay where they arrive; what is above moves to the vault account that pays. */
  sweep_above: v.optional(Floors, {}),
})
/** Floors are of coins that are served. */
export const FireblocksEntry = v.pipe(
  Members,
  v.check(
    ({ serves: [{ coins }], travel_rule_above: one, sweep_above: other }) =>
      Object.keys({ ...one, ...other }).every((coin) => Object.hasOwn(coins, coin)),
    'travel_rule_above and sweep_above name coins that are served',
  ),
)

export type FireblocksSettings = {
  readonly driver: 'fireblocks'
  /** Private key of ours in PEM, which signs requests. */
  readonly privateKey: string
  /** Public key of theirs in PEM, which verifies callbacks. */
  readonly callbackKey: string
  /** Vault account that pays, and holds the coins of all organizations. */
  readonly vault: string
  readonly feeLevel: (typeof FEE_LEVELS)[number]
  /** Orders name originator and beneficiary for the travel rule. */
  readonly travelRule: boolean
  /** Amounts up to which they do not, by coin and network. */
  readonly travelRuleFloors: Readonly<Record<string, string>>
  /** Amounts above which coins move to the vault account that pays, by coin and network. */
  readonly sweepFloors: Readonly<Record<string, string>>
  /** Asset of Fireblocks by our coin and network, as `USDC/ethereum`: `USDC`. */
  readonly assets: Readonly<Record<string, string>>
}

const FIREBLOCKS_URL = 'https://api.fireblocks.io'
const isKey =
  (read: (pem: string) => { readonly asymmetricKeyType?: string }) =>
  (pem: string): boolean => {
    try {
      return read(pem).asymmetricKeyType === 'rsa'
    } catch {
      return false
    }
  }
const apiKey = v.pipe(v.string(), v.uuid('must be the id of an API user, a UUID'))
const privateKey = v.pipe(v.string(), v.check(isKey(createPrivateKey), 'must be a private RSA key in PEM'))
const publicKey = v.pipe(v.string(), v.check(isKey(createPublicKey), 'must be a public RSA key in PEM'))

export const readFireblocks = (
  entry: v.InferOutput<typeof FireblocksEntry>,
  { live, sandbox, secretOf }: Surroundings,
) => ({
  settings: {
    driver: 'fireblocks',
    privateKey: secretOf(entry.private_key, 'private_key', privateKey),
    callbackKey: secretOf(entry.callback_key, 'callback_key', publicKey),
    vault: entry.vault,
    feeLevel: entry.fee_level,
    travelRule: entry.travel_rule,
    travelRuleFloors: entry.travel_rule_above,
    sweepFloors: entry.sweep_above,
    assets: entry.serves[0].coins,
  } satisfies FireblocksSettings,
  url: entry.url ?? (live ? FIREBLOCKS_URL : `${sandbox}/${entry.name}`),
  key: secretOf(entry.key, 'key', apiKey),
  callbackSecret: null,
})
