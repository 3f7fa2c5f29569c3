/** Connections to partners by a file: which partner serves which money, at which address, with which secret. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { COINS } from '../domain/accounts/receiving-account.ts'
import { isBankCurrency } from '../domain/destinations/bank-requirements.ts'
import { CONNECTION_NAME, type ConnectionName } from '../domain/partner.ts'
import { unusable } from './live.ts'
import { QUEUES } from './queues.ts'

/** Names that connections have without a file, and what each of them is. */
export const DEFAULTS = [
  ['bank', 'fiat'],
  ['custodian', 'crypto'],
  ['rates', 'rates'],
  ['messenger', 'messages'],
] as const
export type DefaultName = (typeof DEFAULTS)[number][0]

/** Forms of secrets, wherever they stand. */
export const longSecret = v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))
export const callbackSecret = v.pipe(
  v.string(),
  v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64'),
)

/** Names of task queues of our own, and of parties that can have faults: no connection may have them. */
const TAKEN: readonly string[] = [
  ...QUEUES.filter((queue) => DEFAULTS.every(([name]) => name !== queue)),
  'partners',
  'storage',
]

/** Kind of a connection: it moves money on a rail, gives rates of exchange, or sends messages to phones. */
export type ConnectionKind = (typeof DEFAULTS)[number][1]

/** Secret in a variable of the environment or in a file; a plain text in test alone. */
const Secret = v.union(
  [v.strictObject({ env: v.string() }), v.strictObject({ file: v.string() }), v.string()],
  'must be {"env": …} or {"file": …}',
)
type Secret = v.InferOutput<typeof Secret>

const ONE_SERVED = 'must be a list of one: what it serves'
const isServedCoin = (text: string): boolean => COINS.some(({ currency, network }) => text === `${currency}/${network}`)
const Currency = v.pipe(v.string(), v.check(isBankCurrency, 'must be a currency of ISO 4217'))
const Coin = v.pipe(v.string(), v.check(isServedCoin, 'must be a coin that we know, as USDC/ethereum'))

const Serving = v.union(
  [
    v.strictObject({
      rail: v.literal('fiat'),
      currencies: v.optional(v.pipe(v.array(Currency), v.minLength(1, 'must name a currency'))),
    }),
    v.strictObject({
      rail: v.literal('crypto'),
      coins: v.optional(v.pipe(v.record(Coin, v.string()), v.minEntries(1, 'must name a coin'))),
    }),
    v.strictObject({ rates: v.literal(true) }),
    v.strictObject({ messages: v.literal(true) }),
  ],
  'must be the rail fiat with currencies, the rail crypto with coins, rates or messages',
)

const Common = {
  name: v.pipe(
    v.string(),
    v.regex(CONNECTION_NAME, 'must be as house-bank: 2 to 31 of a-z, 0-9 and -'),
    v.check((name) => !TAKEN.includes(name), 'a task queue has this name: choose another'),
  ),
  closed: v.optional(v.boolean(), false),
}
const OwnProtocol = v.strictObject({
  ...Common,
  driver: v.literal('http'),
  serves: v.strictTuple([Serving], ONE_SERVED),
  url: v.pipe(v.string(), v.url('must be an address')),
  key: Secret,
  callback_secret: v.optional(Secret),
  keys_kept_hours: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8760))),
})
/** Reference rates of the European Central Bank: nobody trades at them. */
const EcbRates = v.strictObject({
  ...Common,
  driver: v.literal('ecb'),
  serves: v.strictTuple([v.strictObject({ rates: v.literal(true) }, 'must be rates')], ONE_SERVED),
  url: v.optional(v.pipe(v.string(), v.url('must be an address'))),
  margin_bp: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)), 0),
})
const Entry = v.variant('driver', [OwnProtocol, EcbRates], 'must be http or ecb')
type Entry = v.InferOutput<typeof Entry>

const Connections = v.pipe(
  v.array(Entry, 'must be a list of connections'),
  v.check(
    (all) => namesTwice(all, ({ name }) => name).length === 0,
    ({ input }) => `each name stands once, but ${namesTwice(input, ({ name }) => name).join(' and ')}`,
  ),
  v.check(
    (all) => namesTwice(all, addressOf).length === 0,
    ({ input }) =>
      `${namesTwice(input, addressOf).join(' and ')} have no address in common: the money of one partner would be booked twice`,
  ),
  v.check(
    (all) => namesTwice(all, kindAlone).length === 0,
    ({ input }) =>
      `${namesTwice(input, kindAlone).join(' and ')} are open for the same, and one is asked: close the others`,
  ),
  v.check(
    (all) => all.every(({ name, serves: [serves] }) => (defaultKindOf(name) ?? kindOf(serves)) === kindOf(serves)),
    'these names serve their own: bank the rail fiat, custodian the rail crypto, rates, messenger',
  ),
)

/** Answers what a connection gives alone while it is open: no payment chooses among two that serve it. */
const kindAlone = ({ serves: [serves], closed }: Entry): string | undefined =>
  closed || 'rail' in serves ? undefined : kindOf(serves)

/** Lists the names of connections that share what each has alone; those without it share nothing. */
function namesTwice(all: readonly Entry[], ofOne: (one: Entry) => string | undefined): readonly string[] {
  const values = all.map(ofOne)
  const shared = all.filter((one) => {
    const value = ofOne(one)
    return value !== undefined && values.indexOf(value) !== values.lastIndexOf(value)
  })
  return [...new Set(shared.map(({ name }) => name))]
}

/** Answers the address of a connection that moves money: the lists of one partner are read once. */
const addressOf = ({ serves: [serves], url }: Entry): string | undefined =>
  'rail' in serves && url && URL.canParse(url) ? new URL(url).href.replace(/(?<!\/)\/+$/, '') : undefined

const defaultKindOf = (name: string): ConnectionKind | undefined => DEFAULTS.find(([known]) => known === name)?.[1]

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

type Surroundings = { readonly env: NodeJS.ProcessEnv; readonly live: boolean }

/** Reads the file of connections. Throws for what is no list of them; quotes no value. */
export function readConnections(
  path: string,
  { sandbox, ...surroundings }: Surroundings & { readonly sandbox: string },
): readonly Connection[] {
  const given = jsonIn(path)
  const read = v.safeParse(Connections, given)
  if (!read.success) throw unusable(read.issues.map((issue) => `PARTNERS_FILE: ${sayIssue(issue, given)}`))
  const faults: string[] = []
  const secretOf = (secret: Secret, name: ConnectionName, member: keyof typeof FORMS): string => {
    const opened = open(secret, member, surroundings)
    if ('fault' in opened) faults.push(`PARTNERS_FILE: ${name}.${member}: ${opened.fault}`)
    return 'text' in opened ? opened.text : ''
  }
  const connections = read.output.map((entry): Connection => {
    const { name, driver, serves, closed } = entry
    const own = entry.driver === 'http' ? entry : null
    const url = (entry.url ?? (surroundings.live ? ECB_URL : `${sandbox}/${name}`)).replace(/(?<!\/)\/+$/, '')
    return {
      name,
      driver,
      kind: kindOf(serves[0]),
      url,
      key: own ? secretOf(own.key, name, 'key') : '',
      callbackSecret: own?.callback_secret ? secretOf(own.callback_secret, name, 'callback_secret') : null,
      standIn: URL.canParse(url) && new URL(url).host === new URL(sandbox).host,
      serves: currenciesOf(serves[0]),
      closed,
      keysKeptHours: own?.keys_kept_hours ?? null,
      marginBp: entry.driver === 'ecb' ? entry.margin_bp : 0,
    }
  })
  if (faults.length > 0) throw unusable(faults)
  return connections
}

/** Lists the currencies of a connection, or its coins with their networks; null for all of its rail. */
function currenciesOf(serves: v.InferOutput<typeof Serving>): readonly string[] | null {
  if (!('rail' in serves)) return null
  return serves.rail === 'fiat' ? (serves.currencies ?? null) : serves.coins ? Object.keys(serves.coins) : null
}

/** Says what is wrong where; a connection is named by its name, or by its place. Quotes no value. */
function sayIssue(issue: v.InferIssue<typeof Connections>, given: unknown): string {
  const [place, ...members] = v.getDotPath(issue)?.split('.') ?? []
  const entry: unknown = place === undefined ? undefined : (given as readonly unknown[])[Number(place)] // it has a path
  const named = v.safeParse(v.object({ name: v.pipe(v.string(), v.regex(CONNECTION_NAME)) }), entry)
  const name = named.success ? named.output.name : `connection ${Number(place) + 1}`
  const where = place === undefined ? '' : `${[name, ...members].join('.')}: `
  if (issue.type !== 'strict_object') return `${where}${issue.message.split(' but received')[0] ?? ''}`
  if (issue.expected === 'Object') return `${where}must be an object`
  return `${where}${issue.expected === 'never' ? 'is not known' : 'is required'}`
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const said =
      error instanceof SyntaxError ? 'must be JSON: a list of connections' : 'there is no file that can be read'
    throw unusable([`PARTNERS_FILE: ${said}`]) // without a cause: that of JSON quotes the file
  }
}

const FORMS = { key: longSecret, callback_secret: callbackSecret } as const

/** Reads a secret from where it stands, or says what is wrong with it. */
function open(
  secret: Secret,
  member: keyof typeof FORMS,
  { env, live }: Surroundings,
): { readonly text: string } | { readonly fault: string } {
  if (typeof secret === 'string' && live) return { fault: 'live takes secrets by {"env": …} or {"file": …}' }
  const text = textOf(secret, env)?.trim()
  if (!text) return { fault: 'there is nothing where it points: set the variable, or write the file' }
  const read = v.safeParse(FORMS[member], text)
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
