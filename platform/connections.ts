/** Connections to partners by a file: which partner serves which money, at which address, with which secret. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { CONNECTION_NAME, type ConnectionName } from '../domain/partner.ts'
import { unusable } from './live.ts'

/** Names that connections have without a file, and what each of them is. */
const DEFAULTS = { bank: 'fiat', custodian: 'crypto', rates: 'rates', messenger: 'messages' } as const
export type DefaultName = keyof typeof DEFAULTS

/** Names of task queues of our own, which are also those of connections: none may have them. */
const TAKEN = ['main', 'rows', 'mail', 'accounting', 'model', 'webhooks', 'heavy', 'bills', 'partners', 'storage']

/** Kind of a connection: it moves money on a rail, gives rates of exchange, or sends messages to phones. */
export type ConnectionKind = (typeof DEFAULTS)[DefaultName]

/** Secret in a variable of the environment or in a file; a plain text in test alone. */
const Secret = v.union([v.strictObject({ env: v.string() }), v.strictObject({ file: v.string() }), v.string()])
type Secret = v.InferOutput<typeof Secret>

const Serving = v.union([
  v.strictObject({
    rail: v.literal('fiat'),
    currencies: v.optional(v.array(v.pipe(v.string(), v.regex(/^[A-Z]{3}$/)))),
  }),
  v.strictObject({
    rail: v.literal('crypto'),
    coins: v.optional(
      v.record(v.pipe(v.string(), v.regex(/^[A-Z]{3,5}\/[a-z]+$/, 'must be as USDC/ethereum')), v.string()),
    ),
  }),
  v.strictObject({ rates: v.literal(true) }),
  v.strictObject({ messages: v.literal(true) }),
])

const Common = {
  name: v.pipe(v.string(), v.regex(CONNECTION_NAME, 'must be as house-bank: 2 to 31 of a-z, 0-9 and -')),
  closed: v.optional(v.boolean(), false),
}
const OwnProtocol = v.strictObject({
  ...Common,
  driver: v.literal('http'),
  serves: v.tuple([Serving]),
  url: v.pipe(v.string(), v.url('must be an address')),
  key: Secret,
  callback_secret: v.optional(Secret),
  keys_kept_hours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8760))),
})
/** Reference rates of the European Central Bank: nobody trades at them. */
const EcbRates = v.strictObject({
  ...Common,
  driver: v.literal('ecb'),
  serves: v.tuple([v.strictObject({ rates: v.literal(true) })]),
  url: v.optional(v.pipe(v.string(), v.url('must be an address'))),
  margin_bp: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0),
})
const Entry = v.variant('driver', [OwnProtocol, EcbRates], 'must be http or ecb')
type Entry = v.InferOutput<typeof Entry>

const Connections = v.pipe(
  v.array(Entry),
  v.check((all) => new Set(all.map(({ name }) => name)).size === all.length, 'each name stands once'),
  v.check(
    (all) => isEachElsewhere(all),
    'two connections that move money have no address in common: their money would be booked twice',
  ),
  v.check((all) => all.every(({ name }) => !TAKEN.includes(name)), `no name is one of ${TAKEN.join(', ')}`),
  v.check(
    (all) => all.every(({ name, serves: [serves] }) => (defaultKindOf(name) ?? kindOf(serves)) === kindOf(serves)),
    'these names serve their own: bank the rail fiat, custodian the rail crypto, rates, messenger',
  ),
)

/** Tells whether connections that move money have addresses of their own: the lists of one partner are read once. */
function isEachElsewhere(all: readonly Entry[]): boolean {
  const moving = all.filter(({ serves: [serves] }) => 'rail' in serves)
  const addresses = moving.flatMap(({ url }) =>
    url && URL.canParse(url) ? [new URL(url).href.replace(/\/+$/, '')] : [],
  )
  return new Set(addresses).size === addresses.length
}

const defaultKindOf = (name: string): ConnectionKind | undefined => DEFAULTS[name as DefaultName] // undefined for others

const kindOf = (serves: v.InferOutput<typeof Serving>): ConnectionKind =>
  'rates' in serves ? 'rates' : 'messages' in serves ? 'messages' : serves.rail

/** Connection to a partner: what it serves, its address, and the secrets of both directions. */
export type Connection = {
  readonly name: ConnectionName
  readonly driver: Entry['driver']
  readonly kind: ConnectionKind
  readonly url: string
  readonly key: string
  readonly callbackSecret: string | null
  /** True for a stand-in of the sandbox. */
  readonly standIn: boolean
  /** Currencies, or coins with their networks as `USDC/ethereum`; null for all of its rail. */
  readonly serves: readonly string[] | null
  /** True for a connection that gets nothing new, and finishes what it has. */
  readonly closed: boolean
  /** Hours for which the partner knows our ids, and makes nothing new for a repeat; null: for ever. */
  readonly keysKeptHours: number | null
  /** Margin in hundredths of a percent, on rates that have none. */
  readonly marginBp: number
}

const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml'

/** Reads the file of connections. Throws for what is no list of them; quotes no value. */
export function readConnections(
  path: string,
  { env, live, sandbox }: { env: NodeJS.ProcessEnv; live: boolean; sandbox: string },
): readonly Connection[] {
  const read = v.safeParse(Connections, jsonIn(path))
  if (!read.success) {
    throw unusable(
      read.issues.map(
        (issue) =>
          `PARTNERS_FILE: ${v.getDotPath(issue) ?? 'the list'}: ${issue.message.split(' but received')[0] ?? ''}`,
      ),
    )
  }
  return read.output.map((entry) => {
    const { name, driver, serves, closed } = entry
    const own = entry.driver === 'http' ? entry : null
    const url = (entry.url ?? (live ? ECB_URL : `${sandbox}/${name}`)).replace(/(?<!\/)\/+$/, '')
    return {
      name,
      driver,
      kind: kindOf(serves[0]),
      url,
      key: own ? open(own.key, `${name}.key`, env, live) : '',
      callbackSecret: own?.callback_secret ? open(own.callback_secret, `${name}.callback_secret`, env, live) : null,
      standIn: URL.canParse(url) && new URL(url).host === new URL(sandbox).host,
      serves: currenciesOf(serves[0]),
      closed,
      keysKeptHours: own?.keys_kept_hours ?? null,
      marginBp: entry.driver === 'ecb' ? entry.margin_bp : 0,
    }
  })
}

/** Lists the currencies of a connection, or its coins with their networks; null for all of its rail. */
function currenciesOf(serves: v.InferOutput<typeof Serving>): readonly string[] | null {
  if (!('rail' in serves)) return null
  return serves.rail === 'fiat' ? (serves.currencies ?? null) : serves.coins ? Object.keys(serves.coins) : null
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw unusable(['PARTNERS_FILE: must be a file with a JSON list'], { cause: error })
  }
}

function open(secret: Secret, name: string, env: NodeJS.ProcessEnv, live: boolean): string {
  if (typeof secret === 'string') {
    if (live) throw unusable([`PARTNERS_FILE: ${name}: live takes secrets by {"env": …} or {"file": …}`])
    return secret
  }
  try {
    const text = 'env' in secret ? env[secret.env] : readFileSync(secret.file, 'utf8')
    if (text?.trim()) return text.trim()
  } catch {
    // said below
  }
  throw unusable([`PARTNERS_FILE: ${name}: there is nothing where it points`])
}
