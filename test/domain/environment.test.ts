/** Refused configurations: nonsense anywhere, and development settings in live. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { routes } from '../../api/routes.ts'
import { sandboxRoutes } from '../../sandbox/routes.ts'
import { openApiDocument } from '../../api/openapi/document.ts'

const random = (bytes: number) => randomBytes(bytes).toString('base64')
const key = `k1:${random(32)}`

const LIVE = {
  SERVICE_ENV: 'live',
  NODE_ENV: 'production',
  BUILD_ID: 'b1',
  PUBLIC_URL: 'https://api.bank.test',
  APP_URL: 'https://app.bank.test',
  DATABASE_URL: 'postgres://app:hunter2@db.bank.test:5432/service?sslmode=verify-full',
  ENCRYPTION_KEYS: key,
  EVENT_LOG_KEYS: `signing1:${random(32)}`,
  OPERATOR_TOKEN: random(24),
  SMTP_URL: 'smtp://bank:hunter2@relay.bank.test:587',
  MAIL_FROM: 'Bank <hello@bank.test>',
  BANK_URL: 'https://payouts.bank.test/v1',
  BANK_KEY: random(24),
  BANK_CALLBACK_SECRET: `whsec_${random(32)}`,
  CUSTODIAN_URL: 'https://custodian.test',
  CUSTODIAN_KEY: random(24),
  CUSTODIAN_CALLBACK_SECRET: `whsec_${random(32)}`,
  RATES_URL: 'https://desk.test',
  RATES_KEY: random(24),
}

afterEach(() => vi.unstubAllEnvs())

async function started(environment: Readonly<Record<string, string>>) {
  vi.resetModules()
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  return (await import('../../platform/config.ts')).config
}

/** The message of a failed start, which any reader of the log may see. */
async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
  const { message } = await started(environment).then(
    () => new Error('it starts'),
    (error: Error) => error,
  )
  expect(message).not.toContain('hunter2')
  return message
}

const APP = { ACCOUNTING_CLIENT_ID: 'APP1', ACCOUNTING_CLIENT_SECRET: random(24) }
const MODEL = { BILL_MODEL_PROVIDER: 'openai', BILL_MODEL_NAME: 'reader-1' }
const SANDBOX = { SANDBOX_PARTNERS_URL: 'http://sandbox.test:8443' }
const TYPED = `k1:${Buffer.alloc(32, 7).toString('base64')}`
const DEV_BYTES = '3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs='
const SANDBOX_SECRET = 'whsec_c2FuZGJveC1wYXJ0bmVyLWNhbGxiYWNrLXNlY3JldC0x'

const PARTNERS = ['BANK', 'CUSTODIAN', 'RATES'] as const
const COMBINATIONS = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => PARTNERS.filter((_, at) => bits & (1 << at)))

test.each(COMBINATIONS.map((named) => [named.join(', ') || 'nobody', named] as const))(
  'live with %s starts if that moves money; nobody stands in for the others',
  async (_, named) => {
    const left = Object.fromEntries(PARTNERS.filter((one) => !named.includes(one)).map((one) => [`${one}_URL`, '']))
    if (!named.includes('BANK') && !named.includes('CUSTODIAN')) {
      expect(await refusal({ ...LIVE, ...left })).toContain('BANK_URL or CUSTODIAN_URL is required')
      return
    }
    const { connections } = await started({ ...LIVE, ...left })
    expect(connections.map(({ name }) => name.toUpperCase())).toEqual(named)
  },
)

describe('a file of connections', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connections-'))
  const bank = {
    name: 'bank',
    driver: 'http',
    serves: [{ rail: 'fiat', currencies: ['EUR'] }],
    url: 'https://bank.test',
  }
  const secrets = { key: { env: 'OWN_KEY' }, callback_secret: { env: 'OWN_SECRET' } }
  const withoutUrls = Object.fromEntries(PARTNERS.map((one) => [`${one}_URL`, '']))
  const env = { ...LIVE, ...withoutUrls, OWN_KEY: random(24), OWN_SECRET: `whsec_${random(32)}` }
  const fileOf = (content: unknown): Record<string, string> => {
    const path = join(folder, `${randomUUID()}.json`)
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
    return { ...env, PARTNERS_FILE: path }
  }

  test('names who serves what, with secrets that stand elsewhere', async () => {
    const { connections, partners } = await started(fileOf([{ ...bank, ...secrets, closed: true }]))
    expect(partners).toMatchObject({ rates: null, messenger: null })
    expect(connections).toMatchObject([{ url: 'https://bank.test', key: env.OWN_KEY, serves: ['EUR'], closed: true }])
  })

  test('names reference rates, at the public address and without a key, beside a bank alone', async () => {
    const ecb = { name: 'ecb', driver: 'ecb', serves: [{ rates: true }], margin_bp: 40 }
    const { partners } = await started(fileOf([{ ...bank, ...secrets }, ecb]))
    expect(partners.rates).toMatchObject({
      name: 'ecb',
      url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
      key: '',
      settings: { driver: 'ecb', marginBp: 40 },
      standIn: false,
    })
    expect(await refusal(fileOf([ecb]))).toContain('the rail fiat or crypto is required')
    for (const [change, complaint] of [
      [{ margin_bp: -1 }, 'margin_bp'],
      [{ margin_bp: 1001 }, 'margin_bp'],
      [{ margin_bp: 0.5 }, 'margin_bp'],
      [{ serves: [{ rail: 'fiat' }] }, 'serves'],
      [{ url: 'http://rates.test' }, 'https'],
    ] as const) {
      expect(
        await refusal(
          fileOf([
            { ...bank, ...secrets },
            { ...ecb, ...change },
          ]),
        ),
      ).toContain(complaint)
    }
  })

  test.each([
    ['a text', 'no list', 'PARTNERS_FILE: must be JSON'],
    ['one connection', bank, 'PARTNERS_FILE: must be a list of connections'],
    ['a member that it does not know', [{ ...bank, ...secrets, keys_kept: 24 }], 'bank.keys_kept: is not known'],
    ['a connection without a name', [{ ...secrets, driver: 'http' }], 'connection 1.name: is required'],
    ['a connection without an address', [{ ...bank, ...secrets, url: undefined }], 'bank.url: is required'],
    [
      'a secret in the file',
      [{ ...bank, ...secrets, key: 'hunter2hunter2hunter2' }],
      'bank.key: live takes secrets by',
    ],
    ['a secret that is not there', [{ ...bank, ...secrets, key: { env: 'NONE' } }], 'bank.key: there is nothing'],
    [
      'another driver',
      [{ ...bank, ...secrets, driver: 'swift' }],
      'bank.driver: must be http, ecb, increase, iso20022, fireblocks, twilio or lists',
    ],
    [
      'a name that serves another rail',
      [{ ...bank, ...secrets, serves: [{ rates: true }] }],
      'these names serve their own',
    ],
    [
      'one name twice',
      [
        { ...bank, ...secrets },
        { ...bank, ...secrets },
      ],
      'each name stands once, but bank',
    ],
    [
      'one address twice, however it is written',
      [
        { ...bank, ...secrets },
        { ...bank, ...secrets, name: 'usd', url: 'HTTPS://Bank.test:443/' },
      ],
      'bank and usd have no address in common',
    ],
    [
      'a name of 32 characters',
      [{ ...bank, ...secrets, name: 'a'.repeat(32) }],
      'connection 1.name: must be as house-bank',
    ],
    ['a name with a path in it', [{ ...bank, ...secrets, name: 'a/b' }], 'connection 1.name: must be as house-bank'],
    ['a name of two lines', [{ ...bank, ...secrets, name: 'usd\n' }], 'connection 1.name: must be as house-bank'],
    [
      'a name that a clearing account has',
      [{ ...bank, ...secrets, name: 'bank:usd' }],
      'connection 1.name: must be as house-bank',
    ],
    ['the name of a task queue', [{ ...bank, ...secrets, name: 'heavy' }], 'heavy.name: a task queue has this name'],
    ['a bank that is called as the desk', [{ ...bank, ...secrets, name: 'rates' }], 'these names serve their own'],
    ['no address', [{ ...bank, ...secrets, url: 'bank' }], 'bank.url: must be an address'],
    ['an address in clear', [{ ...bank, ...secrets, url: 'http://bank.test' }], 'bank.url: live asks for https'],
    [
      'nobody who moves money',
      [{ ...bank, ...secrets, name: 'rates', serves: [{ rates: true }] }],
      'is required in live',
    ],
  ])('refuses %s', async (_, content, fault) => expect(await refusal(fileOf(content))).toContain(fault))

  test('refuses secrets in another form than those of variables, and quotes none', async () => {
    const hidden = 'no-secret-of-a-callback'
    const said = [
      await refusal({ ...fileOf([{ ...bank, ...secrets }]), OWN_SECRET: hidden }),
      await refusal({ ...fileOf([{ ...bank, ...secrets }]), OWN_KEY: 'a-short-one' }),
      await refusal(fileOf(`[{"name": "bank", "key": ${hidden}`)),
      await refusal({ ...env, PARTNERS_FILE: join(folder, 'none.json') }),
    ]
    expect(said).toEqual([
      expect.stringContaining('PARTNERS_FILE: bank.callback_secret: must be whsec_ and base64'),
      expect.stringContaining('PARTNERS_FILE: bank.key: must have at least 16 characters'),
      expect.stringContaining('PARTNERS_FILE: must be JSON'),
      expect.stringContaining('PARTNERS_FILE: there is no file that can be read'),
    ])
    expect(said.join('\n')).not.toMatch(/no-secret|a-short/)
    const both = await refusal({ ...fileOf([{ ...bank, ...secrets }]), OWN_KEY: 'a-short-one', OWN_SECRET: hidden })
    expect(both.match(/bank\.\w+: must/g)).toHaveLength(2)
  })

  test('refuses a partner beside it', async () =>
    expect(await refusal({ ...fileOf([{ ...bank, ...secrets }]), BANK_URL: 'https://b.test' })).toContain(
      'BANK_URL: PARTNERS_FILE names the partners',
    ))
})

describe('live starts', () => {
  const messenger = { MESSENGER_URL: 'https://messenger.test/', MESSENGER_KEY: random(24) }
  const model = { ...MODEL, BILL_MODEL_URL: 'https://model.test/v1/', BILL_MODEL_KEY: 'k' }

  test('as an installation configures it: what nobody named is not there, and no part of the sandbox stands in', async () => {
    const own = { live: true, host: '127.0.0.1', publicUrl: 'https://api.bank.test' }
    const partners = { messenger: null, mail: null }
    expect(await started(LIVE)).toMatchObject({ ...own, accounting: null, billModel: null, partners })
    expect((await started({ ...LIVE, ...model, BILL_MODEL_PROVIDER: '' })).billModel).toBeNull()
  })

  test('with Xero if its app is named, a language model if its provider is, and a messenger', async () => {
    const { accounting, billModel, partners } = await started({ ...LIVE, ...APP, ...model, ...messenger })
    const named = { loginUrl: 'https://login.xero.com', identityUrl: 'https://identity.xero.com', standIn: false }
    expect(accounting).toMatchObject({ ...named, clientId: 'APP1' })
    expect(billModel).toEqual({ url: 'https://model.test/v1', name: 'reader-1', key: 'k', timeoutMs: 20_000 })
    const door = { url: 'https://messenger.test', key: messenger.MESSENGER_KEY, standIn: false }
    expect(partners).toMatchObject({ messenger: door, mail: null })
  })

  test.each([
    ['with several keys, blanks around them', { ENCRYPTION_KEYS: ` ${key} , k2:${random(32)} ` }],
    ['with mails by a relay of its own machine', { SMTP_URL: 'smtp://localhost:25' }],
    ['with files in a bucket', { STORAGE_URL: 's3://bank-files?region=eu-central-1' }],
    ['with a bucket elsewhere', { STORAGE_URL: 's3://bank-files?region=eu&endpoint=https://s3.bank.test' }],
    ['with a database of its own machine', { DATABASE_URL: 'postgres://app@127.0.0.1:5433/service' }],
    ['with a database on a socket', { DATABASE_URL: 'postgres:///service?host=/run/postgresql' }],
    ['with a database in a container beside it', { DATABASE_URL: 'postgresql://app:p@postgres:5432/service' }],
    ['with an Android app', { WEBAUTHN_ORIGINS: 'android:apk-key-hash:abc,https://app.bank.test' }],
    ['without a web app', { APP_URL: '' }],
  ])('%s', async (_, environment) => expect(await started({ ...LIVE, ...environment })).toMatchObject({ live: true }))
})

test('live asks browsers for TLS alone, and its cookies are of this host, over TLS', async () => {
  await started(LIVE)
  const { COMMON_HEADERS } = await import('../../api/envelope.ts')
  expect(COMMON_HEADERS['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
  const { COOKIE, cookieName } = await import('../../pages/frame/viewer.ts')
  expect(cookieName('session')).toBe('__Host-session')
  expect(COOKIE).toEqual({ path: '/', secure: true, httpOnly: true, sameSite: 'Strict' })
})

describe('live refuses to start', () => {
  test.each([
    ['the development key', { ENCRYPTION_KEYS: `dev1:${DEV_BYTES}` }, 'ENCRYPTION_KEYS: the development key'],
    ['the same behind a blank', { ENCRYPTION_KEYS: ` dev1:${DEV_BYTES}` }, 'ENCRYPTION_KEYS: the development key'],
    ['the same under another id', { ENCRYPTION_KEYS: `prod:${DEV_BYTES}` }, 'ENCRYPTION_KEYS: the development key'],
    ['the same as a later key', { ENCRYPTION_KEYS: `${key}, old:${DEV_BYTES}` }, 'ENCRYPTION_KEYS: the development'],
    ['no key', { ENCRYPTION_KEYS: '' }, 'ENCRYPTION_KEYS: the development key'],
    ['a key of one byte', { ENCRYPTION_KEYS: TYPED }, 'no random bytes'],
    ['no key that signs heads', { EVENT_LOG_KEYS: '' }, 'EVENT_LOG_KEYS: the development key'],
    ['one of them that is typed', { EVENT_LOG_KEYS: TYPED }, 'no random bytes'],
    ['no operator token', { OPERATOR_TOKEN: '' }, 'OPERATOR_TOKEN is required in live'],
    ['one of blanks', { OPERATOR_TOKEN: ' '.repeat(20) }, 'OPERATOR_TOKEN is required in live'],
    ['one that is guessed', { OPERATOR_TOKEN: 'xxxxxxxxxxxxxxxxxxxx' }, 'OPERATOR_TOKEN: too easy to guess'],
    ['no build', { BUILD_ID: '' }, 'BUILD_ID is required in live'],
    ['cheap passwords', { PASSWORD_HASH_MEMORY_KIB: '19455' }, 'PASSWORD_HASH_MEMORY_KIB'],
    ['passwords hashed once', { PASSWORD_HASH_PASSES: '1' }, 'less than the default is refused'],
    ['no address of its own', { PUBLIC_URL: '' }, 'PUBLIC_URL is required in live'],
    ['one in clear', { PUBLIC_URL: 'http://api.bank.test' }, 'PUBLIC_URL: live asks for https'],
    ['one of this machine', { PUBLIC_URL: 'https://LOCALHOST.' }, 'PUBLIC_URL: live asks for https'],
    ['one of this machine by number', { PUBLIC_URL: 'https://[::ffff:127.0.0.1]:8443' }, 'PUBLIC_URL: live asks for'],
    ['one with a path', { PUBLIC_URL: 'https://api.bank.test/finance' }, 'PUBLIC_URL: must have no path'],
    ['one with a path and a slash', { PUBLIC_URL: 'https://api.bank.test/a/' }, 'PUBLIC_URL: must have no path'],
    ['one with a query', { PUBLIC_URL: 'https://api.bank.test/?a' }, 'PUBLIC_URL: must have no path'],
    ['one with a user', { PUBLIC_URL: 'https://a:hunter2@api.bank.test' }, 'PUBLIC_URL: must have no path'],
    ['links into a page in clear', { APP_URL: 'http://app.bank.test' }, 'APP_URL: live asks for https'],
    ['links that run', { APP_URL: 'javascript:alert(1)' }, 'APP_URL: must begin with http:// or https://'],
    ['passkeys of this machine', { WEBAUTHN_RP_ID: 'localhost' }, 'WEBAUTHN_RP_ID: this machine is refused'],
    ['passkeys from pages in clear', { WEBAUTHN_ORIGINS: 'http://app.bank.test' }, 'WEBAUTHN_ORIGINS: live asks for'],
    ['pages of anybody', { CORS_ORIGINS: 'https://app.bank.test,*' }, 'CORS_ORIGINS: live asks for https'],
    ['pages of this machine', { CORS_ORIGINS: 'https://localhost:5173' }, 'CORS_ORIGINS: live asks for https'],
    ['rows in clear', { DATABASE_URL: 'postgres://app:hunter2@db.bank.test/service' }, 'DATABASE_URL: sslmode='],
    ['or if need be', { DATABASE_URL: 'postgres://app@10.0.0.5/service?sslmode=prefer' }, 'DATABASE_URL: ssl'],
    [
      'a replica in clear',
      { DATABASE_REPLICA_URL: 'postgres://app@replica.bank.test/service' },
      'DATABASE_REPLICA_URL: ss',
    ],
    [
      'a replica for another user',
      { DATABASE_REPLICA_URL: 'postgres://boss@replica.bank.test/service?sslmode=verify-full' },
      'user of DATABASE_URL',
    ],
    ['rows for any server', { DATABASE_URL: 'postgres://app@10.0.0.5/service?sslmode=require' }, 'sslmode=verify-full'],
    [
      'a bucket in clear',
      { STORAGE_URL: 's3://box?region=eu&endpoint=http://s3.bank.test' },
      'STORAGE_URL: live asks for',
    ],
    [
      'a language model in clear',
      { ...MODEL, BILL_MODEL_URL: 'http://model.test/v1' },
      'BILL_MODEL_URL: live asks for',
    ],
    ['no mail server', { SMTP_URL: '' }, 'SMTP_URL is required in live'],
    ['mails in clear', { SMTP_URL: 'smtp://a:hunter2@relay.test?ignoreTLS=true' }, 'SMTP_URL: options in the address'],
    ['no sender', { MAIL_FROM: '' }, 'MAIL_FROM is required in live'],
    ['a sender on this machine', { MAIL_FROM: 'Bank <bank@localhost>' }, 'MAIL_FROM: a sender on this machine'],
    ['nobody who moves money', { BANK_URL: '', CUSTODIAN_URL: '' }, 'BANK_URL or CUSTODIAN_URL is required in live'],
    ['a bank in clear', { BANK_URL: 'http://bank.test' }, 'BANK_URL: live asks for https'],
    ['the bank of the sandbox', { BANK_URL: 'http://localhost:3100/bank' }, 'BANK_URL: the sandbox is refused'],
    ['that of one elsewhere', { ...SANDBOX, RATES_URL: 'https://SANDBOX.test:8443/r' }, 'RATES_URL: the sandbox is'],
    ['the key of the sandbox', { CUSTODIAN_KEY: '' }, 'CUSTODIAN_KEY: the key of the sandbox'],
    ['the same before a blank', { RATES_KEY: 'sandbox-partner-key ' }, 'RATES_KEY: the key of the sandbox'],
    ['a messenger in clear', { MESSENGER_URL: 'http://messenger.test' }, 'MESSENGER_URL: live asks for https'],
    ['a messenger without a key', { MESSENGER_URL: 'https://messenger.test' }, 'MESSENGER_KEY: the key of the sandbox'],
    ['accounting as it', { ...APP, ACCOUNTING_CLIENT_ID: 'sandbox_accounting_app' }, "CLIENT_ID: the sandbox's"],
    ['by its secret', { ...APP, ACCOUNTING_CLIENT_SECRET: 'sandbox-accounting-secret' }, "SECRET: the sandbox's"],
    ['by one that is guessed', { ...APP, ACCOUNTING_CLIENT_SECRET: '0'.repeat(32) }, 'SECRET: too easy to guess'],
    ['a key that is guessed', { BANK_KEY: '0000000000000000' }, 'BANK_KEY: too easy to guess'],
    ['callbacks as in the sandbox', { BANK_CALLBACK_SECRET: SANDBOX_SECRET }, "BANK_CALLBACK_SECRET: the sandbox's"],
    ['the same, padded', { CUSTODIAN_CALLBACK_SECRET: `${SANDBOX_SECRET}==` }, "CALLBACK_SECRET: the sandbox's"],
    ['callbacks that anybody signs', { BANK_CALLBACK_SECRET: `whsec_${'A'.repeat(43)}=` }, 'no random bytes'],
  ])('%s', async (_, environment, sentence) => expect(await refusal({ ...LIVE, ...environment })).toContain(sentence))

  test('and names all faults at once', async () => {
    const faults = (await refusal({ SERVICE_ENV: 'live' })).split('\n  ').slice(1)
    const names = ['ENCRYPTION_KEYS', 'OPERATOR_TOKEN', 'PUBLIC_URL', 'BANK_URL', 'SMTP_URL', 'MAIL_FROM', 'BUILD_ID']
    for (const name of names) expect(faults.join('\n')).toContain(name)
  })
})

test('an installation is live or a sandbox because somebody said so', async () => {
  const production = { NODE_ENV: 'production' }
  expect(await refusal(production)).toContain('SERVICE_ENV is required in production')
  expect(await started({ ...production, SERVICE_ENV: 'test' })).toMatchObject({ live: false })
})

describe('any environment refuses to start', () => {
  test.each([
    ['mails by another protocol', { SMTP_URL: 'https://bank:hunter2@relay.test' }, 'must begin with smtp://'],
    ['a language model without its address', { BILL_MODEL_PROVIDER: 'openai' }, 'BILL_MODEL_URL and BILL_MODEL_NAME'],
    ['a provider of another form', { BILL_MODEL_PROVIDER: 'hunter2' }, 'BILL_MODEL_PROVIDER: must be openai'],
    ['an app at Xero without its secret', { ACCOUNTING_CLIENT_ID: 'APP1' }, 'ACCOUNTING_CLIENT_SECRET are set both'],
    ['a bucket without its region', { STORAGE_URL: 's3://bank-files' }, 'STORAGE_URL: must be s3://'],
    ['a bucket with its secret', { STORAGE_URL: 's3://bank:hunter2@files?region=eu' }, 'STORAGE_URL: must be s3://'],
    ['a queue that there is not', { WORKER_QUEUES: 'main, others' }, 'must be of partners, bank, custodian, rates'],
    [
      'a day that no calendar has',
      { ADDRESS_REQUIRED_FROM: '2026-02-31' },
      'ADDRESS_REQUIRED_FROM: must be a day such',
    ],
    ['another word for onboarding', { ONBOARDING: 'yes' }, 'ONBOARDING: must be required, or unset'],
    ['a day of no year', { ADDRESS_REQUIRED_FROM: '0000-01-01' }, 'ADDRESS_REQUIRED_FROM: must be a day such as'],
    ['half a day', { ADDRESS_REQUIRED_FROM: '2026-11' }, 'ADDRESS_REQUIRED_FROM: must be a day such as'],
    ['half an address', { SMTP_URL: 'smtp://bank:hunter2@' }, 'SMTP_URL: must be an address'],
    ['a sender of several', { MAIL_FROM: 'hello@bank.test, other@bank.test' }, 'MAIL_FROM: must be one address'],
    ['another database', { DATABASE_URL: 'mysql://app:hunter2@db.test' }, 'DATABASE_URL: must begin with postgres://'],
    ['a partner over nothing', { BANK_URL: 'bank:hunter2@bank.test' }, 'BANK_URL: must begin with http'],
    ['links that run', { APP_URL: 'javascript:alert(1)' }, 'APP_URL: must begin with http:// or https://'],
    ['an address that nobody has', { HOST: 'http://0.0.0.0' }, 'HOST: must be an address of this machine'],
  ])('%s', async (_, environment, sentence) => expect(await refusal(environment)).toContain(sentence))
})

test.each([
  [{}, '127.0.0.1'],
  [{ HOST: '::' }, '::'],
])('development listens to this machine alone, unless HOST says otherwise: %j', async (given, host) =>
  expect((await started(given)).host).toBe(host),
)

test('live knows nothing of the sandbox: neither routes nor its document tell of it', () => {
  const isSandbox = ({ path }: { path: string }) => path.startsWith('/sandbox/')
  expect(sandboxRoutes.length).toBeGreaterThan(10)
  expect(sandboxRoutes.filter((route) => !isSandbox(route))).toEqual([])
  expect(routes.filter((route) => isSandbox(route) || route.credential === 'sandbox')).toEqual([])
  expect(JSON.stringify(openApiDocument(routes))).not.toMatch(/\/sandbox\/|x-sandbox-token|"Sandbox"/)
})
