/** Connections to partners by a file: which partner serves which money, at which address, with which secret. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import * as v from 'valibot'
import { CONNECTION_NAME, type ConnectionName } from '../domain/partner.ts'
import { EcbEntry, type EcbSettings, readEcb } from './drivers/ecb.ts'
import { DEFAULTS, type Surroundings, openSecret } from './drivers/entry.ts'
import { FireblocksEntry, type FireblocksSettings, readFireblocks } from './drivers/fireblocks.ts'
import { HttpEntry, type HttpSettings, readHttp } from './drivers/http.ts'
import { IncreaseEntry, type IncreaseSettings, readIncrease } from './drivers/increase.ts'
import { Iso20022Entry, type Iso20022Settings, fileBankFolder, readIso20022 } from './drivers/iso20022.ts'
import { ListsEntry, type ListsSettings, readLists } from './drivers/lists.ts'
import { TwilioEntry, type TwilioSettings, readTwilio } from './drivers/twilio.ts'
import { unusable } from './live.ts'

/** Kind of a connection: it moves money on a rail, gives rates, sends messages to phones, or compares names with lists. */
export type ConnectionKind = (typeof DEFAULTS)[number][1] | 'screening'

const Entry = v.variant(
  'driver',
  [HttpEntry, EcbEntry, IncreaseEntry, Iso20022Entry, FireblocksEntry, TwilioEntry, ListsEntry],
  'must be http, ecb, increase, iso20022, fireblocks, twilio or lists',
)
type Entry = v.InferOutput<typeof Entry>
type Serving = Entry['serves'][0]

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

/** Answers the place of money at a connection that moves some: the lists of one partner are read once. */
function addressOf(entry: Entry): string | undefined {
  switch (entry.driver) {
    case 'iso20022':
      return 'sftp' in entry.transport ? entry.transport.sftp : entry.transport.folder
    case 'increase':
      return `increase ${entry.account}`
    case 'fireblocks':
      return `fireblocks ${entry.url ?? ''}` // all coins of a workspace are those of its connection, whatever the vault
    case 'http':
      return 'rail' in entry.serves[0] && URL.canParse(entry.url) ? withoutSlash(new URL(entry.url).href) : undefined
    default:
      return undefined
  }
}

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '')

const defaultKindOf = (name: string): ConnectionKind | undefined => DEFAULTS.find(([known]) => known === name)?.[1]

const kindOf = (serves: Serving): ConnectionKind =>
  'rail' in serves ? serves.rail : 'rates' in serves ? 'rates' : 'messages' in serves ? 'messages' : 'screening'

type Settings =
  | HttpSettings
  | EcbSettings
  | IncreaseSettings
  | Iso20022Settings
  | FireblocksSettings
  | TwilioSettings
  | ListsSettings

/** Connection to a partner by its driver: what it serves, its address, and the secrets of both directions. */
export type Connection<Driver extends Settings = Settings> = {
  readonly name: ConnectionName
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
  readonly settings: Driver
}

/** Narrows a connection to those of one driver. */
export const isOfDriver = <Driver extends Settings['driver']>(
  one: Connection,
  driver: Driver,
): one is Connection<Extract<Settings, { driver: Driver }>> => one.settings.driver === driver

/** Tells whether the provider of a connection verifies organizations; of all others operators do. */
export const verifiesOrganizations = ({ settings }: Connection): boolean =>
  (settings.driver === 'http' || settings.driver === 'increase') && settings.verifies

/** Surroundings in which a file is read. */
type Reading = Omit<Surroundings, 'secretOf'>

/** Reads the file of connections. Throws for what is no list of them; quotes no value. */
export const readConnections = (path: string, reading: Reading): readonly Connection[] =>
  connectionsOf('PARTNERS_FILE', jsonIn(path), reading)

/** Reads a list of connections; `source` names it in faults. */
export function connectionsOf(source: string, given: unknown, reading: Reading): readonly Connection[] {
  const read = v.safeParse(Connections, given)
  if (!read.success) throw unusable(read.issues.map((issue) => `${source}: ${sayIssue(issue, given)}`))
  const faults: string[] = []
  const connections = read.output.map((entry): Connection => {
    const { name, serves, closed } = entry
    const access = accessOf(entry, {
      ...reading,
      secretOf: (secret, member, form) => {
        const opened = openSecret(secret, form, reading)
        if ('fault' in opened) faults.push(`${source}: ${name}.${member}: ${opened.fault}`)
        return 'text' in opened ? opened.text : ''
      },
    })
    const url = withoutSlash(access.url)
    const standIn = isStandIn(url, name, reading)
    return { name, kind: kindOf(serves[0]), ...access, url, standIn, serves: currenciesOf(serves[0]), closed }
  })
  if (faults.length > 0) throw unusable(faults)
  return connections
}

/** Tells whether an address is of the sandbox: its server, or the folder of its file bank. */
const isStandIn = (url: string, name: string, { sandbox, dataDir }: Reading): boolean =>
  URL.canParse(url) &&
  (new URL(url).host === new URL(sandbox).host || url === pathToFileURL(fileBankFolder(dataDir, name)).href)

function accessOf(
  entry: Entry,
  surroundings: Surroundings,
): Pick<Connection, 'settings' | 'url' | 'key' | 'callbackSecret'> {
  switch (entry.driver) {
    case 'http':
      return readHttp(entry, surroundings)
    case 'ecb':
      return readEcb(entry, surroundings)
    case 'increase':
      return readIncrease(entry, surroundings)
    case 'iso20022':
      return readIso20022(entry, surroundings)
    case 'fireblocks':
      return readFireblocks(entry, surroundings)
    case 'lists':
      return readLists(entry, surroundings)
    default:
      return readTwilio(entry, surroundings)
  }
}

/** Lists the currencies of a connection, or its coins with their networks; null for all of its rail. */
function currenciesOf(serves: Serving): readonly string[] | null {
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
