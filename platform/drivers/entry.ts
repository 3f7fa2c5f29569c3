/** Members that connections of every driver have in the file, and how secrets stand there. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { COINS } from '../../domain/accounts/receiving-account.ts'
import { isBankCurrency } from '../../domain/destinations/bank-requirements.ts'
import { CONNECTION_NAME } from '../../domain/partner.ts'
import { QUEUES } from '../queues.ts'

/** Names that connections have without a file, and what each of them is. */
export const DEFAULTS = [
  ['bank', 'fiat'],
  ['custodian', 'crypto'],
  ['rates', 'rates'],
  ['messenger', 'messages'],
] as const
export type DefaultName = (typeof DEFAULTS)[number][0]

/** Names of task queues of our own, and of parties that can have faults: no connection may have them. */
const TAKEN: readonly string[] = [
  ...QUEUES.filter((queue) => DEFAULTS.every(([name]) => name !== queue)),
  'partners',
  'storage',
]

/** Secret in a variable of the environment or in a file; a plain text in test alone. */
export const Secret = v.union(
  [v.strictObject({ env: v.string() }), v.strictObject({ file: v.string() }), v.string()],
  'must be {"env": …} or {"file": …}',
)
export type Secret = v.InferOutput<typeof Secret>

/** Forms of secrets, wherever they stand. */
export const longSecret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))
export const callbackSecret = v.pipe(
  v.string(),
  v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64'),
)

export const ONE_SERVED = 'must be a list of one: what it serves'
const isServedCoin = (text: string): boolean => COINS.some(({ currency, network }) => text === `${currency}/${network}`)
export const Currency = v.pipe(v.string(), v.check(isBankCurrency, 'must be a currency of ISO 4217'))
const Coin = v.pipe(v.string(), v.check(isServedCoin, 'must be a coin that we know, as USDC/ethereum'))

export const Fiat = v.strictObject({
  rail: v.literal('fiat'),
  currencies: v.optional(v.pipe(v.array(Currency), v.minLength(1, 'must name a currency'))),
})
/** Coins, each with the partner's own name of it. */
export const Coins = v.pipe(v.record(Coin, v.string()), v.minEntries(1, 'must name a coin'))
export const Crypto = v.strictObject({ rail: v.literal('crypto'), coins: v.optional(Coins) })
export const Rates = v.strictObject({ rates: v.literal(true) }, 'must be rates')
export const Screening = v.strictObject({ screening: v.literal(true) }, 'must be screening')
export const Messages = v.strictObject({ messages: v.literal(true) }, 'must be messages')

export const Common = {
  name: v.pipe(
    v.string(),
    v.regex(CONNECTION_NAME, 'must be as house-bank: 2 to 31 of a-z, 0-9 and -'),
    v.check((name) => !TAKEN.includes(name), 'a task queue has this name: choose another'),
  ),
  closed: v.optional(v.boolean(), false),
}
export const Url = v.pipe(v.string(), v.url('must be an address'))

/** Surroundings in which a connection is read: its secrets, and its addresses by default. */
export type Surroundings = {
  readonly env: NodeJS.ProcessEnv
  readonly live: boolean
  /** Address of the sandbox partners. */
  readonly sandbox: string
  /** Folder of data, in which the stand-in of a file bank has its own. */
  readonly dataDir: string
  /** Opens the secret of a member; notes a fault, and answers an empty text, if it is none. */
  readonly secretOf: (secret: Secret, member: string, form: v.GenericSchema<string, string>) => string
}

/** Reads a secret from where it stands, or says what is wrong with it. */
export function openSecret(
  secret: Secret,
  form: v.GenericSchema<string, string>,
  { env, live }: Pick<Surroundings, 'env' | 'live'>,
): { readonly text: string } | { readonly fault: string } {
  if (typeof secret === 'string' && live) return { fault: 'live takes secrets by {"env": …} or {"file": …}' }
  const text = textOf(secret, env)?.trim()
  if (!text) return { fault: 'there is nothing where it points: set the variable, or write the file' }
  const read = v.safeParse(form, text)
  return read.success ? { text } : { fault: read.issues[0].message }
}

function textOf(secret: Secret, env: NodeJS.ProcessEnv): string | undefined {
  if (typeof secret === 'string') return secret
  if ('env' in secret) return env[secret.env]
  try {
    return readFileSync(secret.file, 'utf8')
  } catch {
    return undefined
  }
}
