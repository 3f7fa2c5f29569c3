/** The environment, parsed once. The process refuses to start on nonsense and says which variable is at fault. */
import * as v from 'valibot'
import { DEFAULT_FEES, type FeeTable, parseFees } from './model/money/fees.ts'
import { GENERAL_RATE_LIMITS, RATE_LIMITS } from './model/rate-limit.ts'

const developmentKey = 'dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs='
/** What the stand-ins of the partners take and sign with. */
const sandboxKey = 'sandbox-partner-key'
const sandboxCallbackSecret = 'whsec_c2FuZGJveC1wYXJ0bmVyLWNhbGxiYWNrLXNlY3JldC0x'
const testSender = 'Business Finance Service <no-reply@localhost>'

/** OWASP Password Storage: argon2id with 19 MiB, two passes, one lane. */
const PASSWORD_HASH = { memoryKib: 19_456, passes: 2 }

const number = (pattern: RegExp, complaint: string) => (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.regex(pattern, complaint),
    v.transform(Number),
    v.minValue(min),
    v.maxValue(max),
  )
const integer = number(/^\d+$/, 'must be a whole number')
const seconds = number(/^\d+(\.\d{1,3})?$/, 'must be a number with at most three decimals')
const list = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)
/** As browsers send it: no path, not even a slash; or the hash of an Android app's key. */
const isOrigin = (text: string): boolean =>
  text.startsWith('android:apk-key-hash:') || (URL.canParse(text) && new URL(text).origin === text)
const callbackSecret = v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64'))
const secret = v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters')))

const Environment = v.object({
  SERVICE_ENV: v.optional(v.picklist(['test', 'live']), 'test'),
  NODE_ENV: v.optional(v.string(), 'development'),
  PORT: integer(3000, 0, 65535),
  PUBLIC_URL: v.optional(v.pipe(v.string(), v.url())),
  DATABASE_URL: v.pipe(v.string('is required'), v.startsWith('postgres')),
  DATABASE_POOL_SIZE: integer(10, 1, 200),
  TEMPORAL_ADDRESS: v.optional(v.string(), 'localhost:7233'),
  TEMPORAL_NAMESPACE: v.optional(v.string(), 'default'),
  TEMPORAL_UI_URL: v.optional(v.pipe(v.string(), v.url())),
  TASK_QUEUE_PREFIX: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]*$/)), ''),
  WORKER_METRICS_PORT: integer(0, 0, 65535),
  BUILD_ID: v.optional(v.pipe(v.string(), v.minLength(1)), 'dev'),
  ENCRYPTION_KEYS: v.optional(v.string(), developmentKey),
  PASSWORD_HASH_MEMORY_KIB: integer(PASSWORD_HASH.memoryKib, 8, 4_194_304),
  PASSWORD_HASH_PASSES: integer(PASSWORD_HASH.passes, 1, 100),
  REQUEST_DEADLINE_MS: integer(10_000, 100, 120_000),
  API_PROCESSES: integer(1, 1, 1000),
  RATE_LIMIT_PER_MINUTE: v.optional(integer(0, 0, 1_000_000)),
  RATE_LIMIT_ADDRESS_PER_MINUTE: v.optional(integer(0, 0, 1_000_000)),
  TRUSTED_PROXY_HOPS: integer(0, 0, 10),
  CORS_ORIGINS: list,
  APP_URL: v.optional(v.pipe(v.string(), v.url())),
  WEBAUTHN_RP_ID: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+$/, 'must be a domain'))),
  WEBAUTHN_ORIGINS: v.pipe(list, v.everyItem(isOrigin, 'must be origins, such as https://app.example.com')),
  // The address may hold a password, so no message quotes it.
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.regex(/^smtps?:\/\/./, 'must begin with smtp:// or smtps://'), v.url('must be an address')),
  ),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^[^@<>\n]*<?[^@<>\s]+@[^@<>\s]+>?$/, 'must be one address')),
    testSender,
  ),
  SIGN_IN_LIMIT_PER_MINUTE: v.optional(integer(0, 0, 1_000_000)),
  SIGN_IN_ADDRESS_LIMIT_PER_MINUTE: v.optional(integer(0, 0, 1_000_000)),
  CODE_LIMIT_PER_MINUTE: v.optional(integer(0, 0, 1_000_000)),
  WRONG_CODE_LIMIT_PER_HOUR: v.optional(integer(0, 0, 1_000_000)),
  CODES_SENT_LIMIT_PER_HOUR: v.optional(integer(0, 0, 1_000_000)),
  INVITATION_LIMIT_PER_HOUR: v.optional(integer(0, 0, 1_000_000)),
  MAIL_LIMIT_PER_HOUR: v.optional(integer(0, 0, 1_000_000)),
  SANDBOX_PARTNERS_URL: v.optional(v.pipe(v.string(), v.url()), 'http://localhost:3100'),
  BANK_URL: v.optional(v.pipe(v.string(), v.url())),
  BANK_KEY: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters')), sandboxKey),
  BANK_CALLBACK_SECRET: v.optional(callbackSecret, sandboxCallbackSecret),
  CUSTODIAN_URL: v.optional(v.pipe(v.string(), v.url())),
  CUSTODIAN_KEY: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters')), sandboxKey),
  CUSTODIAN_CALLBACK_SECRET: v.optional(callbackSecret, sandboxCallbackSecret),
  RATES_URL: v.optional(v.pipe(v.string(), v.url())),
  RATES_KEY: v.optional(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters')), sandboxKey),
  ANNOUNCE_PATIENCE_MS: integer(500, 0, 60_000),
  PARTNER_TIMEOUT_MS: integer(10_000, 10, 60_000),
  PARTNER_POLL_SECONDS: seconds(30, 0.01, 3600),
  FEES: v.optional(v.string()),
  AUDIT_EVERY_MINUTES: integer(60, 1, 1440),
  TRAVEL_RULE_THRESHOLD_USD: integer(1000, 0, 1_000_000_000),
  SANDBOX_SETTLE_MS: integer(500, 0, 3_600_000),
  SANDBOX_TOKEN: secret,
  OPERATOR_TOKEN: secret,
  LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})

/** One encryption key: its id stands in front of everything it sealed, so that keys can rotate. */
export type EncryptionKey = { id: string; secret: Buffer }

/** `id:base64,id:base64`; the first key seals, all of them open. */
function parseKeys(text: string): EncryptionKey[] {
  const keys = text.split(',').map((part) => {
    const [, id, encoded] = /^\s*([a-z0-9]{1,16}):([A-Za-z0-9+/]{43}=)\s*$/.exec(part) ?? []
    if (!id || !encoded) {
      throw new Error('ENCRYPTION_KEYS must be id:base64 pairs of 32 bytes each, separated by commas')
    }
    return { id, secret: Buffer.from(encoded, 'base64') }
  })
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('ENCRYPTION_KEYS: each id names one key')
  return keys
}

function parseEnvironment(environment: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = v.safeParse(Environment, set)
  if (!parsed.success) {
    const faults = parsed.issues.map((issue) => `${v.getDotPath(issue) ?? 'environment'}: ${issue.message}`)
    throw new Error(`The configuration is not usable:\n  ${faults.join('\n  ')}`)
  }
  const env = parsed.output
  const live = env.SERVICE_ENV === 'live'
  if (live) refuseUnsafeLive(env)
  const wide = live ? 1 : 10 // limits are ten times as wide in test
  const general = GENERAL_RATE_LIMITS
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  return Object.freeze({
    live,
    production: env.NODE_ENV === 'production',
    port: env.PORT,
    publicUrl,
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    temporalAddress: env.TEMPORAL_ADDRESS,
    temporalNamespace: env.TEMPORAL_NAMESPACE,
    temporalUiUrl: env.TEMPORAL_UI_URL,
    taskQueuePrefix: env.TASK_QUEUE_PREFIX,
    workerMetricsPort: env.WORKER_METRICS_PORT,
    buildId: env.BUILD_ID,
    encryptionKeys: parseKeys(env.ENCRYPTION_KEYS),
    passwordHash: { memoryKib: env.PASSWORD_HASH_MEMORY_KIB, passes: env.PASSWORD_HASH_PASSES },
    requestDeadlineMs: env.REQUEST_DEADLINE_MS,
    rateLimitPerMinute: Math.ceil((env.RATE_LIMIT_PER_MINUTE || general.credential.points * wide) / env.API_PROCESSES),
    rateLimitAddressPerMinute: Math.ceil(
      (env.RATE_LIMIT_ADDRESS_PER_MINUTE || general.address.points * wide) / env.API_PROCESSES,
    ),
    signInLimitPerMinute: env.SIGN_IN_LIMIT_PER_MINUTE || RATE_LIMITS.sign_in.points * wide,
    signInAddressLimitPerMinute: env.SIGN_IN_ADDRESS_LIMIT_PER_MINUTE || RATE_LIMITS.sign_in_network.points * wide,
    codeLimitPerMinute: env.CODE_LIMIT_PER_MINUTE || RATE_LIMITS.codes.points * wide,
    wrongCodeLimitPerHour: env.WRONG_CODE_LIMIT_PER_HOUR || RATE_LIMITS.codes_of_person.points * wide,
    codesSentLimitPerHour: env.CODES_SENT_LIMIT_PER_HOUR || RATE_LIMITS.codes_sent.points * wide,
    invitationLimitPerHour: env.INVITATION_LIMIT_PER_HOUR || RATE_LIMITS.invitations.points * wide,
    mailLimitPerHour: env.MAIL_LIMIT_PER_HOUR || RATE_LIMITS.mails.points * wide,
    appUrl: env.APP_URL?.replace(/\/+$/, ''),
    webauthnRpId: env.WEBAUTHN_RP_ID ?? new URL(publicUrl).hostname,
    webauthnOrigins: env.WEBAUTHN_ORIGINS.length > 0 ? env.WEBAUTHN_ORIGINS : [new URL(publicUrl).origin],
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    trustedProxyHops: env.TRUSTED_PROXY_HOPS,
    corsOrigins: env.CORS_ORIGINS,
    sandboxPartnersUrl: env.SANDBOX_PARTNERS_URL,
    partners: {
      bank: partner(env.BANK_URL ?? `${env.SANDBOX_PARTNERS_URL}/bank`, env.BANK_KEY, env.BANK_CALLBACK_SECRET),
      custodian: partner(
        env.CUSTODIAN_URL ?? `${env.SANDBOX_PARTNERS_URL}/custodian`,
        env.CUSTODIAN_KEY,
        env.CUSTODIAN_CALLBACK_SECRET,
      ),
      rates: partner(env.RATES_URL ?? `${env.SANDBOX_PARTNERS_URL}/rates`, env.RATES_KEY, null),
    },
    announcePatienceMs: env.ANNOUNCE_PATIENCE_MS,
    partnerTimeoutMs: env.PARTNER_TIMEOUT_MS,
    partnerPollSeconds: env.PARTNER_POLL_SECONDS,
    fees: feesIn(env.FEES),
    auditEveryMinutes: env.AUDIT_EVERY_MINUTES,
    travelRuleThresholdUsd: env.TRAVEL_RULE_THRESHOLD_USD,
    sandboxSettleMs: env.SANDBOX_SETTLE_MS,
    sandboxToken: env.SANDBOX_TOKEN,
    operatorToken: env.OPERATOR_TOKEN,
    logLevel: env.LOG_LEVEL,
  })
}

/** What is configured replaces the whole table. */
function feesIn(text: string | undefined): FeeTable {
  if (text === undefined) return DEFAULT_FEES
  try {
    return parseFees(text)
  } catch (error) {
    throw new Error(`FEES: ${error instanceof Error ? error.message : 'not a table of fees'}`, { cause: error })
  }
}

/** `live` never runs on a default secret, and not before real partners are configured. */
function refuseUnsafeLive(env: v.InferOutput<typeof Environment>): void {
  if (env.ENCRYPTION_KEYS === developmentKey) throw new Error('ENCRYPTION_KEYS: the development key is refused in live')
  if (!env.OPERATOR_TOKEN) throw new Error('OPERATOR_TOKEN is required in live')
  if (env.BUILD_ID === 'dev') throw new Error('BUILD_ID is required in live')
  if (env.PASSWORD_HASH_MEMORY_KIB < PASSWORD_HASH.memoryKib || env.PASSWORD_HASH_PASSES < PASSWORD_HASH.passes) {
    throw new Error('PASSWORD_HASH_MEMORY_KIB, PASSWORD_HASH_PASSES: less than the default is refused in live')
  }
  if (!env.SMTP_URL) throw new Error('SMTP_URL is required in live: the mailbox of the sandbox delivers nothing')
  if (env.MAIL_FROM === testSender) throw new Error('MAIL_FROM is required in live')
  for (const name of ['BANK', 'CUSTODIAN', 'RATES'] as const) {
    if (!env[`${name}_URL`]) throw new Error(`${name}_URL is required in live, which refuses a sandbox partner`)
    if (env[`${name}_KEY`] === sandboxKey) throw new Error(`${name}_KEY: the key of the sandbox is refused in live`)
  }
  for (const name of ['BANK_CALLBACK_SECRET', 'CUSTODIAN_CALLBACK_SECRET'] as const) {
    if (env[name] === sandboxCallbackSecret) throw new Error(`${name}: the sandbox's is refused in live`)
  }
}

/** How one party outside is reached, and what its callbacks are signed with. */
export type PartnerAccess = { readonly url: string; readonly key: string; readonly callbackSecret: string | null }
const partner = (url: string, key: string, callbackSecret: string | null): PartnerAccess => ({
  url: url.replace(/\/+$/, ''),
  key,
  callbackSecret,
})

export const config = parseEnvironment(process.env)
