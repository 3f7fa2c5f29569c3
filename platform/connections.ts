/** Connections to partners by a file: which partner serves which money, at which address, with which secret. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { unusable } from './live.ts'

/** Names of connections. A name is for ever: rows, ledgers and callbacks carry it. */
const NAMES = ['bank', 'custodian', 'rates', 'messenger'] as const
export type ConnectionName = (typeof NAMES)[number]

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

const Connection = v.strictObject({
  name: v.picklist(NAMES, `must be ${NAMES.join(', ')}`),
  driver: v.literal('http', 'must be http'),
  serves: v.tuple([Serving]),
  url: v.pipe(v.string(), v.url('must be an address')),
  key: Secret,
  callback_secret: v.optional(Secret),
  closed: v.optional(v.boolean(), false),
})
type Connection = v.InferOutput<typeof Connection>

const Connections = v.pipe(
  v.array(Connection),
  v.check((all) => new Set(all.map(({ name }) => name)).size === all.length, 'each name stands once'),
  v.check(
    (all) => all.every(({ name, serves: [serves] }) => roleOf(serves) === name),
    'each name serves its own: bank the rail fiat, custodian the rail crypto, rates, messenger',
  ),
)

const roleOf = (serves: Connection['serves'][0]): ConnectionName =>
  'rates' in serves ? 'rates' : 'messages' in serves ? 'messenger' : serves.rail === 'fiat' ? 'bank' : 'custodian'

/** Connections of a file, as variables of the environment name them, and what each serves. */
export type ConnectionFile = {
  readonly variables: Readonly<Record<string, string>>
  readonly connections: Readonly<
    Partial<Record<ConnectionName, { readonly serves: readonly string[] | null; readonly closed: boolean }>>
  >
}

/** Reads the file of connections. Throws for what is no list of them; quotes no value. */
export function readConnections(path: string, env: NodeJS.ProcessEnv, live: boolean): ConnectionFile {
  const read = v.safeParse(Connections, jsonIn(path))
  if (!read.success) {
    throw unusable(
      read.issues.map(
        (issue) =>
          `PARTNERS_FILE: ${v.getDotPath(issue) ?? 'the list'}: ${issue.message.split(' but received')[0] ?? ''}`,
      ),
    )
  }
  const variables: Record<string, string> = {}
  for (const { name, url, key, callback_secret: secret } of read.output) {
    const prefix = name.toUpperCase()
    variables[`${prefix}_URL`] = url.replace(/(?<!\/)\/+$/, '')
    variables[`${prefix}_KEY`] = open(key, `${name}.key`, env, live)
    if (secret !== undefined)
      variables[`${prefix}_CALLBACK_SECRET`] = open(secret, `${name}.callback_secret`, env, live)
  }
  const connections = read.output.map(({ name, serves: [serves], closed }) => [
    name,
    { serves: currenciesOf(serves), closed },
  ])
  return { variables, connections: Object.fromEntries(connections) as ConnectionFile['connections'] } // by names of above
}

/** Lists the currencies of a connection, or its coins with their networks; null for all of its rail. */
function currenciesOf(serves: Connection['serves'][0]): readonly string[] | null {
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
