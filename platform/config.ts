/** Configuration from the environment, parsed once; a fault stops the start, and names the variable. */
import { camelCased } from './camel-case.ts'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { DEVELOPMENT, PASSWORD_HASH, faultsOfLive, parseKeys, unusable } from './live.ts'
import { isOnCalendar } from '../domain/instants.ts'
import { DEFAULT_FEES, type FeeTable, parseFees } from '../domain/money/fees.ts'
import { GENERAL_RATE_LIMITS, RATE_LIMITS } from '../domain/rate-limit.ts'
import { BillMail } from './bill-mail.ts'
import { readConnections } from './connections.ts'
import { callbackSecret, longSecret } from './drivers/entry.ts'
import { connectionFaults } from './drivers/live.ts'
import { SandboxPartners } from './drivers/sandbox.ts'
import { list, nameServers } from './lists.ts'
import { accountingIn, billModelIn, connectionsIn, partnersIn } from './partner-access.ts'
import { queuesIn, workerQueuesIn } from './queues.ts'
import { readConfiguration } from './survey.ts'
import { temporalIn } from './temporal-access.ts'

const number = (pattern: RegExp, complaint: string) => (fallback: number, min: number, max: number) =>
  v.pipe(
    v.optional(v.string(), String(fallback)),
    v.regex(pattern, complaint),
    v.transform(Number),
    v.minValue(min),
    v.maxValue(max),
  )
const integer = number(/^\d+$/, 'must be a whole number')
const percent = number(/^\d+(\.\d{1,2})?$/, 'must be a number with at most two decimals')
const seconds = number(/^\d+(\.\d{1,3})?$/, 'must be a number with at most three decimals')
/** Tells whether it is an origin as browsers send it, or the key hash of an Android app. */
const isOrigin = (text: string): boolean =>
  text.startsWith('android:apk-key-hash:') || (URL.canParse(text) && new URL(text).origin === text)
/** Tells if an address has a host, and nothing behind it. */
const isBare = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^/?#@]+$/i.test(text)
const secret = v.optional(longSecret)
/** Address without slashes at its end. */
const address = v.pipe(
  v.string(),
  v.url('must be an address'),
  v.regex(/^https?:\/\//i, 'must begin with http:// or https://'),
  v.transform((text) => text.replace(/(?<!\/)\/+$/, '')),
)
/** Address of a service that owns its whole origin: pages, cookies and `/.well-known` are at the root. */
const origin = v.pipe(address, v.check(isBare, 'must have no path, query or user: pages are at the root of the host'))
const database = (missing?: string) =>
  v.pipe(v.string(missing), v.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://'))
/** Makes the schema of a limit, ten times as wide in test. */
const limit = ({ points }: { readonly points: number }) =>
  v.pipe(
    integer(0, 0, 1_000_000),
    v.transform((set) => (live: boolean) => set || points * (live ? 1 : 10)),
  )

const BUCKET_ADDRESS = 'must be s3://bucket?region=eu-central-1, with &endpoint=https://… if it is not at AWS'
const isBucket = (text: string): boolean =>
  URL.canParse(text) &&
  /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\?/.test(text) &&
  v.is(
    v.strictObject({ region: v.string(), endpoint: v.optional(address) }),
    Object.fromEntries(new URL(text).searchParams),
  )

export type Bucket = { readonly name: string; readonly region: string; readonly endpoint: string | null }

function bucketIn(text: string | undefined): Bucket | null {
  if (text === undefined) return null
  const { hostname: name, searchParams } = new URL(text)
  return { name, region: searchParams.get('region') ?? '', endpoint: searchParams.get('endpoint') }
}

const SETTINGS = v.object({
  // This machine alone by default; a container opens to its neighbours, an installation to its proxy.
  HOST: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]+$/, 'must be an address of this machine')), '127.0.0.1'),
  PORT: integer(3000, 0, 65535),
  DATABASE_URL: database('is required'),
  DATABASE_REPLICA_URL: v.optional(database()),
  DATABASE_POOL_SIZE: integer(10, 1, 200),
  // read by temporalIn(), as Temporal's own tools do
  TEMPORAL_ADDRESS: v.optional(v.string()),
  TEMPORAL_TLS: v.optional(v.picklist(['true', 'false', '1', '0'], 'must be true or false')),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: v.optional(v.string()),
  TEMPORAL_TLS_SERVER_NAME: v.optional(v.string()),
  TEMPORAL_TLS_CLIENT_CERT_PATH: v.optional(v.string()),
  TEMPORAL_TLS_CLIENT_KEY_PATH: v.optional(v.string()),
  TEMPORAL_API_KEY: v.optional(v.string()),
  TEMPORAL_NAMESPACE: v.optional(v.string(), 'default'),
  TEMPORAL_UI_URL: v.optional(address),
  TASK_QUEUE_PREFIX: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9-]*$/)), ''),
  WORKER_METRICS_PORT: integer(0, 0, 65535),
  WORKER_HEALTH_PORT: integer(0, 0, 65535),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(address),
  BUILD_ID: v.optional(v.pipe(v.string(), v.minLength(1)), 'dev'),
  REQUEST_DEADLINE_MS: integer(10_000, 100, 120_000),
  CONNECTIONS_MAX: integer(5000, 10, 100_000),
  TRUSTED_PROXY_HOPS: integer(0, 0, 10),
  SERVICE_NAME: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(40)), 'Business Finance Service'),
  SERVICE_LOGO: v.optional(v.pipe(v.string(), v.regex(/\.(?:svg|png)$/, 'must be a file .svg or .png'))),
  CORS_ORIGINS: list,
  DNS_SERVERS: nameServers,
  // The address may hold a password, so no message quotes it.
  SMTP_URL: v.optional(
    v.pipe(v.string(), v.regex(/^smtps?:\/\/./, 'must begin with smtp:// or smtps://'), v.url('must be an address')),
  ),
  MAIL_FROM: v.optional(
    v.pipe(v.string(), v.regex(/^[^@<>\n]*<?[^@<>\s]+@[^@<>\s]+>?$/, 'must be one address')),
    DEVELOPMENT.sender,
  ),
  ...BillMail,
  SANDBOX_PARTNERS_URL: v.optional(address, 'http://localhost:3100'),
  ANNOUNCE_PATIENCE_MS: integer(500, 0, 60_000),
  PARTNER_TIMEOUT_MS: integer(10_000, 10, 60_000),
  PARTNER_POLL_SECONDS: seconds(30, 0.01, 3600),
  AUDIT_EVERY_MINUTES: integer(60, 1, 1440),
  ACCOUNTING_SYNC_EVERY_MINUTES: integer(60, 1, 1440),
  ONBOARDING: v.optional(v.picklist(['required'], 'must be required, or unset')),
  KYB_REVIEW_DAYS: integer(30, 1, 365),
  KYB_REVIEW_MONTHS: integer(12, 1, 120),
  KYB_RETENTION_YEARS: integer(5, 1, 30),
  ATTACHMENT_RETENTION_YEARS: integer(10, 1, 100),
  ADDRESS_REQUIRED_FROM: v.optional(v.pipe(v.string(), v.check(isOnCalendar, 'must be a day such as 2026-11-15'))),
  TRAVEL_RULE_THRESHOLD_USD: integer(1000, 0, 1_000_000_000),
  FX_POSITION_LIMIT_USD: integer(1_000_000, 0, 1_000_000_000_000),
  SCHEDULE_TOLERANCE: percent(0, 0, 100),
  SANDBOX_SETTLE_MS: integer(500, 0, 3_600_000),
  FACTOR_RESET_HOURS: integer(24, 1, 720),
  EVENT_RETENTION_DAYS: integer(0, 0, 36_500),
  UPLOAD_JOURNAL_DAYS: integer(90, 7, 3650),
  EVENT_STREAMS_MAX: integer(200, 1, 10_000),
  EVENT_HEARTBEAT_MS: integer(15_000, 100, 60_000),
  SANDBOX_TOKEN: secret,
  OPERATOR_TOKEN: secret,
  LOG_LEVEL: v.optional(v.picklist(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})

/** Rate limits; unset or 0 is the default. */
const LIMITS = v.object({
  RATE_LIMIT_PER_MINUTE: limit(GENERAL_RATE_LIMITS.credential),
  RATE_LIMIT_ORGANIZATION_PER_MINUTE: limit(GENERAL_RATE_LIMITS.organization),
  RATE_LIMIT_ADDRESS_PER_MINUTE: limit(GENERAL_RATE_LIMITS.address),
  SIGN_IN_LIMIT_PER_MINUTE: limit(RATE_LIMITS.sign_in),
  SIGN_IN_ADDRESS_LIMIT_PER_MINUTE: limit(RATE_LIMITS.sign_in_network),
  PROVIDER_SIGN_IN_LIMIT_PER_MINUTE: limit(RATE_LIMITS.provider_sign_ins),
  CODE_LIMIT_PER_MINUTE: limit(RATE_LIMITS.codes),
  WRONG_CODE_LIMIT_PER_HOUR: limit(RATE_LIMITS.codes_of_person),
  CODES_SENT_LIMIT_PER_HOUR: limit(RATE_LIMITS.codes_sent),
  INVITATION_LIMIT_PER_HOUR: limit(RATE_LIMITS.invitations),
  PICTURE_LIMIT_PER_HOUR: limit(RATE_LIMITS.pictures),
  EXPORT_LIMIT_PER_HOUR: limit(RATE_LIMITS.exports),
  UPLOAD_LIMIT_PER_HOUR: limit(RATE_LIMITS.uploads),
  BILL_LIMIT_PER_HOUR: limit(RATE_LIMITS.bills),
  CONSENT_LIMIT_PER_HOUR: limit(RATE_LIMITS.consents),
  CLIENT_LIMIT_PER_HOUR: limit(RATE_LIMITS.clients),
  EXTRACTION_LIMIT_PER_HOUR: limit(RATE_LIMITS.extractions),
  IMPORT_LIMIT_PER_HOUR: limit(RATE_LIMITS.imports),
  REHEARSAL_LIMIT_PER_HOUR: limit(RATE_LIMITS.rehearsals),
  PAYEE_CHECK_LIMIT_PER_HOUR: limit(RATE_LIMITS.payee_checks),
  PAYEE_QUESTION_LIMIT_PER_HOUR: limit(RATE_LIMITS.payee_questions),
  PAYEE_ROW_LIMIT_PER_DAY: limit(RATE_LIMITS.payee_rows),
  PAGE_LIMIT_PER_MINUTE: limit(RATE_LIMITS.public_pages),
  FIRST_CUSTOMER_MAIL_LIMIT_PER_DAY: limit(RATE_LIMITS.first_customer_mails),
  CUSTOMER_MAIL_LIMIT_PER_DAY: limit(RATE_LIMITS.customer_mails),
  MAILS_TO_CUSTOMER_LIMIT_PER_DAY: limit(RATE_LIMITS.mails_to_customer),
  MAIL_LIMIT_PER_HOUR: limit(RATE_LIMITS.mails),
  BILLS_MAIL_NETWORK_LIMIT_PER_HOUR: limit(RATE_LIMITS.mails_of_network),
  BILLS_MAIL_MAILBOX_LIMIT_PER_HOUR: limit(RATE_LIMITS.mails_of_mailbox),
  BILLS_MAIL_ORGANIZATION_LIMIT_PER_HOUR: limit(RATE_LIMITS.mails_of_organization),
  BILLS_MAIL_ANSWER_LIMIT_PER_DAY: limit(RATE_LIMITS.mail_answers),
})

const SOURCES = v.object({
  SERVICE_ENV: v.optional(v.picklist(['test', 'live']), 'test'),
  NODE_ENV: v.optional(v.string(), 'development'),
  PUBLIC_URL: v.optional(origin),
  ENCRYPTION_KEYS: v.optional(v.string(), DEVELOPMENT.encryptionKey),
  EVENT_LOG_KEYS: v.optional(v.string(), DEVELOPMENT.eventLogKey),
  PASSWORD_HASH_MEMORY_KIB: integer(PASSWORD_HASH.memoryKib, 8, 4_194_304),
  PASSWORD_HASH_PASSES: integer(PASSWORD_HASH.passes, 1, 100),
  API_PROCESSES: integer(1, 1, 1000),
  APP_URL: v.optional(address),
  WEBAUTHN_RP_ID: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9.-]+$/, 'must be a domain'))),
  WEBAUTHN_ORIGINS: v.pipe(list, v.everyItem(isOrigin, 'must be origins, such as https://app.example.com')),
  PARTNERS_FILE: v.optional(v.string()), // read by readConnections()
  BANK_URL: v.optional(address),
  BANK_KEY: v.optional(longSecret, DEVELOPMENT.partnerKey),
  BANK_CALLBACK_SECRET: v.optional(callbackSecret, DEVELOPMENT.callbackSecret),
  CUSTODIAN_URL: v.optional(address),
  CUSTODIAN_KEY: v.optional(longSecret, DEVELOPMENT.partnerKey),
  CUSTODIAN_CALLBACK_SECRET: v.optional(callbackSecret, DEVELOPMENT.callbackSecret),
  RATES_URL: v.optional(address),
  RATES_KEY: v.optional(longSecret, DEVELOPMENT.partnerKey),
  MESSENGER_URL: v.optional(address),
  MESSENGER_KEY: v.optional(longSecret, DEVELOPMENT.partnerKey),
  ACCOUNTING_CLIENT_ID: v.optional(v.pipe(v.string(), v.regex(/^\w{1,64}$/, 'must be the id of an app'))),
  ACCOUNTING_CLIENT_SECRET: secret,
  ACCOUNTING_LOGIN_URL: v.optional(address),
  BILL_MODEL_PROVIDER: v.optional(v.picklist(['openai'], 'must be openai')),
  BILL_MODEL_URL: v.optional(address),
  BILL_MODEL_NAME: v.optional(v.pipe(v.string(), v.regex(/^[\w.:/-]{1,64}$/, 'must be the name of a model'))),
  BILL_MODEL_KEY: v.optional(v.string()),
  BILL_MODEL_TIMEOUT_MS: integer(20_000, 100, 45_000),
  FEES: v.optional(v.string()),
  DATA_DIR: v.optional(v.string(), '.data'),
  STORAGE_URL: v.optional(v.pipe(v.string(), v.check(isBucket, BUCKET_ADDRESS))),
  WORKER_QUEUES: list,
  SANDBOX_PARTNERS: v.pipe(list, SandboxPartners),
})

const Environment = v.object({ settings: SETTINGS, limits: LIMITS, sources: SOURCES })
type Environment = v.InferOutput<typeof Environment>

/** Reads the configuration; without `judges` also one that live refuses. */
function parseEnvironment(environment: NodeJS.ProcessEnv, { judges }: { readonly judges: boolean }) {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  )
  const named = Object.keys(given).filter((name) => /^(?:BANK|CUSTODIAN|RATES|MESSENGER)_URL$/.test(name))
  const file = given['PARTNERS_FILE']
  if (file && named.length > 0) throw unusable(named.map((name) => `${name}: PARTNERS_FILE names the partners`))
  const parsed = v.safeParse(Environment, { settings: given, limits: given, sources: given })
  if (!parsed.success) {
    throw unusable(
      parsed.issues.map((issue) => {
        const name = v.getDotPath(issue)?.split('.').at(-1) ?? 'environment'
        return issue.type === 'object' ? `${name} is required` : `${name}: ${issue.message}`
      }),
    )
  }
  const { settings, limits, sources } = parsed.output
  const live = sources.SERVICE_ENV === 'live'
  const production = sources.NODE_ENV === 'production'
  // Without it production would be a sandbox, open to strangers.
  if (judges && production && !given['SERVICE_ENV']) throw unusable(['SERVICE_ENV is required in production'])
  const env = { ...settings, ...sources }
  const sandbox = settings.SANDBOX_PARTNERS_URL
  const connections = file
    ? readConnections(file, { env: environment, live: live && judges, sandbox, dataDir: sources.DATA_DIR })
    : connectionsIn(env, live)
  const faults =
    live && judges ? [...faultsOfLive(env), ...connectionFaults(connections, sandbox, file !== undefined)] : []
  if (faults.length > 0) throw unusable(faults)
  const queues = queuesIn(connections)
  const publicUrl = sources.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  return Object.freeze({
    ...camelCased(settings),
    ...limitsIn(limits, live, sources.API_PROCESSES),
    live,
    production,
    publicUrl,
    encryptionKeys: parseKeys(sources.ENCRYPTION_KEYS),
    eventLogKeys: parseKeys(sources.EVENT_LOG_KEYS, 'EVENT_LOG_KEYS'),
    passwordHash: { memoryKib: sources.PASSWORD_HASH_MEMORY_KIB, passes: sources.PASSWORD_HASH_PASSES },
    appUrl: sources.APP_URL ?? publicUrl,
    webauthnRpId: sources.WEBAUTHN_RP_ID ?? new URL(publicUrl).hostname,
    webauthnOrigins: sources.WEBAUTHN_ORIGINS.length > 0 ? sources.WEBAUTHN_ORIGINS : [new URL(publicUrl).origin],
    temporal: temporalIn(given, live && judges),
    connections,
    partners: partnersIn(env, live, connections),
    accounting: accountingIn(env, live),
    billModel: billModelIn(sources),
    fees: feesIn(sources.FEES),
    storage: { folder: resolve(sources.DATA_DIR, 'files'), bucket: bucketIn(sources.STORAGE_URL) },
    queues,
    workerQueues: workerQueuesIn(sources.WORKER_QUEUES, queues),
  })
}

/** Divides the general limits among processes, which count in memory. */
function limitsIn(limits: Environment['limits'], live: boolean, processes: number) {
  const set = Object.entries(limits).map(([name, pointsIn]) => [name, pointsIn(live)] as const)
  // each name has its number again
  const all = camelCased(Object.fromEntries(set) as Record<keyof typeof limits, number>)
  return {
    ...all,
    rateLimitPerMinute: Math.ceil(all.rateLimitPerMinute / processes),
    rateLimitOrganizationPerMinute: Math.ceil(all.rateLimitOrganizationPerMinute / processes),
    rateLimitAddressPerMinute: Math.ceil(all.rateLimitAddressPerMinute / processes),
  }
}

function feesIn(text: string | undefined): FeeTable {
  if (text === undefined) return DEFAULT_FEES
  try {
    return parseFees(text)
  } catch (error) {
    throw unusable([`FEES: ${error instanceof Error ? error.message : 'not a table of fees'}`], { cause: error })
  }
}

const read = readConfiguration(parseEnvironment, process.env)
export const { config } = read
/** Faults that live refuses, in a survey; any other program has ended with them. */
export const { faults: configurationFaults } = read
