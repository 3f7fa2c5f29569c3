/** Defaults of development, and the weak configurations that live refuses. */
import ipaddr from 'ipaddr.js'

/** Public secrets of development. The stand-ins take this key and sign with this secret. */
export const DEVELOPMENT = {
  encryptionKey: 'dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=',
  eventLogKey: 'dev1:ZXZlbnQgbG9nIGRldmVsb3BtZW50IHNpZ25pbmcgISE=',
  partnerKey: 'sandbox-partner-key',
  callbackSecret: 'whsec_c2FuZGJveC1wYXJ0bmVyLWNhbGxiYWNrLXNlY3JldC0x',
  accountingApp: { clientId: 'sandbox_accounting_app', clientSecret: 'sandbox-accounting-secret' },
  sender: 'Business Finance Service <no-reply@localhost>',
} as const

/** Argon2id parameters of the OWASP Password Storage sheet: 19 MiB, two passes, one lane. */
export const PASSWORD_HASH = { memoryKib: 19_456, passes: 2 } as const

export type EncryptionKey = { readonly id: string; readonly secret: Buffer }

const KEY = /^([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)$/

/** Reads `id:base64,id:base64`; the first key seals, all open. Throws for another form. */
export function parseKeys(text: string, name = 'ENCRYPTION_KEYS'): EncryptionKey[] {
  const keys = text.split(',').map((part) => {
    const [, id, encoded] = KEY.exec(part.trim()) ?? []
    if (!id || !encoded) {
      throw unusable([`${name} must be id:base64 pairs of 32 bytes each, separated by commas`])
    }
    return { id, secret: Buffer.from(encoded, 'base64') }
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error(`${name}: each id names one key`)
  return keys
}

const PARTNERS = ['BANK', 'CUSTODIAN', 'RATES', 'MESSENGER'] as const
const CALLING_PARTNERS = ['BANK', 'CUSTODIAN'] as const

type Text =
  | 'PUBLIC_URL'
  | 'APP_URL'
  | 'WEBAUTHN_RP_ID'
  | 'OPERATOR_TOKEN'
  | 'SMTP_URL'
  | 'BILLS_MAIL_DOMAIN'
  | 'BILLS_MAIL_SECRET'
  | 'BILLS_MAIL_TLS_CERT_PATH'
  | 'BILLS_MAIL_TLS_KEY_PATH'
  | 'STORAGE_URL'
  | 'ACCOUNTING_CLIENT_ID'
  | 'ACCOUNTING_CLIENT_SECRET'
  | 'ACCOUNTING_LOGIN_URL'
  | 'BILL_MODEL_URL'
  | `${(typeof PARTNERS)[number]}_URL`
/** Variables that live checks, as they were read; unset ones have their default. */
export type LiveEnvironment = { readonly [Name in Text]?: string | undefined } & {
  readonly [Name in `${(typeof PARTNERS)[number]}_KEY` | `${(typeof CALLING_PARTNERS)[number]}_CALLBACK_SECRET`]: string
} & {
  readonly BUILD_ID: string
  readonly BILLS_MAIL_PORT?: number | undefined
  readonly DATABASE_URL: string
  readonly DATABASE_REPLICA_URL?: string | undefined
  readonly ENCRYPTION_KEYS: string
  readonly EVENT_LOG_KEYS: string
  readonly MAIL_FROM: string
  readonly SANDBOX_PARTNERS_URL: string
  readonly PASSWORD_HASH_MEMORY_KIB: number
  readonly PASSWORD_HASH_PASSES: number
  readonly WEBAUTHN_ORIGINS: readonly string[]
  readonly CORS_ORIGINS: readonly string[]
}

/** Lists why live does not start, connections apart; quotes no value. */
export const faultsOfLive = (env: LiveEnvironment): string[] => [
  ...secretFaults(env),
  ...addressFaults(env),
  ...mailFaults(env),
  ...billMailFaults(env),
  ...accountingFaults(env),
  ...faultsOf([
    [/[?&]endpoint=http(:|%3a)/i.test(env.STORAGE_URL ?? ''), 'STORAGE_URL: live asks for https'],
    [env.BILL_MODEL_URL !== undefined && !isHttps(env.BILL_MODEL_URL), 'BILL_MODEL_URL: live asks for https'],
    [env.BUILD_ID === 'dev', 'BUILD_ID is required in live'],
    [
      env.PASSWORD_HASH_MEMORY_KIB < PASSWORD_HASH.memoryKib || env.PASSWORD_HASH_PASSES < PASSWORD_HASH.passes,
      'PASSWORD_HASH_MEMORY_KIB, PASSWORD_HASH_PASSES: less than the default is refused in live',
    ],
  ]),
]

export const faultsOf = (checks: readonly (readonly [isWrong: boolean, fault: string])[]): string[] =>
  checks.flatMap(([isWrong, fault]) => (isWrong ? [fault] : []))

const KEYS = { ENCRYPTION_KEYS: DEVELOPMENT.encryptionKey, EVENT_LOG_KEYS: DEVELOPMENT.eventLogKey } as const

/** Checks keys by their bytes: a public key under another id is as public. */
function keyFaults(env: LiveEnvironment, name: keyof typeof KEYS): string[] {
  const secrets = parseKeys(env[name], name).map(({ secret }) => secret)
  const known = parseKeys(KEYS[name], name).map(({ secret }) => secret)
  const isKnown = secrets.some((secret) => known.some((one) => one.equals(secret)))
  return faultsOf([
    [isKnown, `${name}: the development key is refused in live`],
    [secrets.some(isMonotonous), `${name}: a key that is no random bytes is refused in live`],
  ])
}

function secretFaults(env: LiveEnvironment): string[] {
  const { OPERATOR_TOKEN: token } = env
  return [
    ...keyFaults(env, 'ENCRYPTION_KEYS'),
    ...keyFaults(env, 'EVENT_LOG_KEYS'),
    ...faultsOf([
      [token === undefined, 'OPERATOR_TOKEN is required in live'],
      [token !== undefined && isMonotonous(token), 'OPERATOR_TOKEN: too easy to guess for live'],
    ]),
  ]
}

/** Checks addresses: passkeys and sign-in tokens must not go to a machine of others. */
function addressFaults(env: LiveEnvironment): string[] {
  const { PUBLIC_URL: own, DATABASE_URL: database, DATABASE_REPLICA_URL: replica, WEBAUTHN_RP_ID: domain } = env
  const lists = ['WEBAUTHN_ORIGINS', 'CORS_ORIGINS'] as const
  const isSafe = (origin: string) => origin.startsWith('android:') || isPublic(origin)
  return faultsOf([
    [own === undefined, 'PUBLIC_URL is required in live'],
    [own !== undefined && !isPublic(own), `PUBLIC_URL: ${PUBLIC}`],
    [env.APP_URL !== undefined && !isPublic(env.APP_URL), `APP_URL: ${PUBLIC}`],
    [domain !== undefined && isThisHost(domain), 'WEBAUTHN_RP_ID: this machine is refused in live'],
    ...lists.map((name) => [!env[name].every(isSafe), `${name}: ${PUBLIC}`] as const),
    [leavesUnverified(database), 'DATABASE_URL: sslmode=verify-full is required in live'],
    ...replicaFaults(database, replica),
  ])
}

/** Checks the replica, which has the users of the primary: the one of `DATABASE_URL` is bound by row-level security. */
const replicaFaults = (database: string, replica: string | undefined) =>
  replica === undefined
    ? []
    : ([
        [leavesUnverified(replica), 'DATABASE_REPLICA_URL: sslmode=verify-full is required in live'],
        [userOf(replica) !== userOf(database), 'DATABASE_REPLICA_URL: live asks for the user of DATABASE_URL'],
      ] as const)

const userOf = (address: string): string => (URL.canParse(address) ? new URL(address).username : '')

const PUBLIC = 'live asks for https, and for another host than this machine'

const isPublic = (address: string): boolean => isHttps(address) && !isThisHost(new URL(address).hostname)

export const isHttps = (address: string): boolean => URL.canParse(address) && new URL(address).protocol === 'https:'

function isThisHost(host: string): boolean {
  const name = host.toLowerCase().replaceAll(/^\[|\]$|\.$/g, '')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ['loopback', 'unspecified'].includes(ipaddr.process(name).range())
}

/** Tells whether a host, with or without its port, is across a network: a name without a dot is a container beside this one. */
export function isElsewhere(authority: string): boolean {
  const host = authority.replace(/:\d+$/, '')
  return /[.:]/.test(host) && !isThisHost(host)
}

/** Tells whether rows cross a network in clear, or to a server that nothing identifies. */
function leavesUnverified(database: string): boolean {
  const [, authority = '', mode] = /^\w+:\/\/([^/?]*)(?:.*[?&]sslmode=([\w-]+))?/.exec(database) ?? []
  if (VERIFYING.includes(mode ?? '')) return false
  const hosts = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  return hosts.some(isElsewhere)
}

const VERIFYING = ['verify-ca', 'verify-full']

function accountingFaults({ ACCOUNTING_CLIENT_ID: id, ACCOUNTING_CLIENT_SECRET: secret }: LiveEnvironment): string[] {
  const { clientId, clientSecret } = DEVELOPMENT.accountingApp
  return faultsOf([
    [id === clientId, "ACCOUNTING_CLIENT_ID: the sandbox's is refused in live"],
    [secret === clientSecret, "ACCOUNTING_CLIENT_SECRET: the sandbox's is refused in live"],
    [secret !== undefined && isMonotonous(secret), 'ACCOUNTING_CLIENT_SECRET: too easy to guess for live'],
  ])
}

/** Checks the mail server: options after `?` could turn encryption off. */
function mailFaults({ SMTP_URL: server, MAIL_FROM: sender }: LiveEnvironment): string[] {
  const isLocalSender = sender !== DEVELOPMENT.sender && isThisHost(sender.replace(/^.*@|>$/g, ''))
  return faultsOf([
    [server === undefined, 'SMTP_URL is required in live: the mailbox of the sandbox delivers nothing'],
    [server?.includes('?') === true, 'SMTP_URL: options in the address are refused in live'],
    [sender === DEVELOPMENT.sender, 'MAIL_FROM is required in live'],
    [isLocalSender, 'MAIL_FROM: a sender on this machine is refused in live'],
  ])
}

/** Checks bills by mail: a server of ours encrypts what it takes, and a signature is no public one. */
function billMailFaults(env: LiveEnvironment): string[] {
  const { BILLS_MAIL_DOMAIN: domain, BILLS_MAIL_PORT: port, BILLS_MAIL_SECRET: secret } = env
  const lacksTls = env.BILLS_MAIL_TLS_CERT_PATH === undefined || env.BILLS_MAIL_TLS_KEY_PATH === undefined
  return faultsOf([
    [domain === undefined && (port ?? secret) !== undefined, 'BILLS_MAIL_DOMAIN is required to take bills by mail'],
    [port !== undefined && lacksTls, 'BILLS_MAIL_TLS_CERT_PATH, BILLS_MAIL_TLS_KEY_PATH: live asks for STARTTLS'],
    [secret === DEVELOPMENT.callbackSecret, "BILLS_MAIL_SECRET: the sandbox's is refused in live"],
  ])
}

/** Fewest different characters. Of 16 random hex digits fewer than six differ once in 100,000 times. */
const DIFFERENT_MIN = { characters: 6, bytes: 12 } as const

export const isMonotonous = (secret: string | Buffer): boolean =>
  new Set<unknown>(secret).size < (typeof secret === 'string' ? DIFFERENT_MIN.characters : DIFFERENT_MIN.bytes)

export class UnusableConfiguration extends Error {
  readonly faults: readonly string[]

  constructor(message: string, options?: ErrorOptions & { readonly faults?: readonly string[] }) {
    super(message, options)
    this.faults = options?.faults ?? [message]
  }
}

/** Makes the error of an unusable configuration; no fault quotes a value. */
export const unusable = (faults: readonly string[], options?: ErrorOptions): Error =>
  new UnusableConfiguration(`The configuration is not usable:\n  ${faults.join('\n  ')}`, { ...options, faults })
