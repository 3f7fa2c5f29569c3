/** Settings of the driver `fireblocks`: a custodian of coins, https://fireblocks.com. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import * as v from 'valibot'
import { Coins, Common, ONE_SERVED, Secret, type Surroundings, Url } from './entry.ts'

const Assets = v.strictObject({ rail: v.literal('crypto'), coins: Coins }, 'must be the rail crypto with coins')

/** Levels of network fees: the higher, the sooner a transaction is confirmed. */
const FEE_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const

export const FireblocksEntry = v.strictObject({
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
})

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
    assets: entry.serves[0].coins,
  } satisfies FireblocksSettings,
  url: entry.url ?? (live ? FIREBLOCKS_URL : `${sandbox}/${entry.name}`),
  key: secretOf(entry.key, 'key', apiKey),
  callbackSecret: null,
})
