/** Settings of the drivers of providers: what a file of connections takes, and what live refuses. */
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type Connection, connectionsOf } from '../../platform/connections.ts'
import { SANDBOX_FIREBLOCKS, sandboxEntries } from '../../platform/drivers/sandbox.ts'
import { connectionFaults } from '../../platform/drivers/live.ts'
import { UnusableConfiguration } from '../../platform/live.ts'

const SANDBOX = 'http://localhost:3100'
const pem = { type: 'pkcs8', format: 'pem' } as const
const publicPem = { type: 'spki', format: 'pem' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: pem, publicKeyEncoding: publicPem })
const curve = generateKeyPairSync('ed25519', { privateKeyEncoding: pem, publicKeyEncoding: publicPem })
const env = {
  KEY: randomBytes(24).toString('base64url'),
  API_KEY: randomUUID(),
  SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  PRIVATE: rsa.privateKey,
  PUBLIC: rsa.publicKey,
  CURVE: curve.privateKey,
}

const increase = {
  name: 'usd',
  driver: 'increase',
  serves: [{ rail: 'fiat', currencies: ['USD'] }],
  key: { env: 'KEY' },
  callback_secret: { env: 'SECRET' },
  account: 'account_in71c4amph0vgo2qllky',
}
const files = {
  name: 'house-bank',
  driver: 'iso20022',
  serves: [{ rail: 'fiat' }],
  holder: 'Pay GmbH',
  accounts: [
    { currency: 'EUR', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
    { currency: 'CHF', iban: 'CH9300762011623852957', bic: 'UBSWCHZH80A' },
  ],
  transport: { sftp: 'sftp://pay@files.bank.test:2222', key: { env: 'KEY' }, host_key: `SHA256:${'a'.repeat(43)}` },
}
const fireblocks = {
  name: 'coins',
  driver: 'fireblocks',
  serves: [{ rail: 'crypto', coins: { 'USDC/ethereum': 'USDC' } }],
  key: { env: 'API_KEY' },
  private_key: { env: 'PRIVATE' },
  callback_key: { env: 'PUBLIC' },
  vault: '7',
}
const twilio = {
  name: 'phones',
  driver: 'twilio',
  serves: [{ messages: true }],
  account_sid: `AC${'0123456789abcdef'.repeat(2)}`,
  key: { env: 'KEY' },
  from: '+12025550123',
}

const read = (entries: readonly object[], live = true): readonly Connection[] =>
  connectionsOf('PARTNERS_FILE', entries, { env, live, sandbox: SANDBOX, dataDir: '/data' })

/** Says why live does not take a file; an empty text if it does. */
function refusal(entries: readonly object[]): string {
  try {
    return connectionFaults(read(entries), SANDBOX, true).join('\n')
  } catch (error) {
    if (!(error instanceof UnusableConfiguration)) throw error
    return error.message
  }
}

test('live takes all of them at once, each at its public address', () => {
  const all = [increase, files, fireblocks, twilio]
  expect(refusal(all)).toBe('')
  expect(read(all)).toMatchObject([
    { kind: 'fiat', serves: ['USD'], url: 'https://api.increase.com', key: env.KEY, callbackSecret: env.SECRET },
    {
      kind: 'fiat',
      serves: ['EUR', 'CHF'],
      url: 'sftp://pay@files.bank.test:2222',
      settings: {
        transport: { kind: 'sftp', user: 'pay', host: 'files.bank.test', port: 2222 },
        directories: { upload: 'in', download: 'out' },
        instant: [],
      },
    },
    {
      kind: 'crypto',
      serves: ['USDC/ethereum'],
      url: 'https://api.fireblocks.io',
      settings: { vault: '7', sweepFloors: {}, travelRuleFloors: {} },
    },
    { kind: 'messages', serves: null, url: 'https://api.twilio.com', settings: { from: '+12025550123' } },
  ])
})

test('a bank by files has instant payments in the currency of SEPA, if its entry says so', () => {
  expect(read([{ ...files, instant: true }])).toMatchObject([{ settings: { instant: ['EUR'] } }])
})

describe('a file is refused', () => {
  test.each([
    [
      'with dollars and euros at Increase',
      { ...increase, serves: [{ rail: 'fiat', currencies: ['USD', 'EUR'] }] },
      'USD alone',
    ],
    ['with all currencies at Increase', { ...increase, serves: [{ rail: 'fiat' }] }, 'USD alone'],
    ['with coins at Increase', { ...increase, serves: [{ rail: 'crypto' }] }, 'usd.serves'],
    ['without a secret of callbacks', { ...increase, callback_secret: undefined }, 'usd.callback_secret: must be {'],
    ['with an account number in place of an account', { ...increase, account: '987654321' }, 'must be as account_…'],
    ['with Increase in clear', { ...increase, url: 'http://increase.test' }, 'live asks for https'],
    [
      'with a wrong IBAN',
      { ...files, accounts: [{ ...files.accounts[0], iban: 'DE03120300000000202051' }] },
      'must be an IBAN',
    ],
    [
      'with two accounts of a currency',
      { ...files, accounts: [files.accounts[0], files.accounts[0]] },
      'one account for each',
    ],
    [
      'with a currency without an account',
      { ...files, serves: [{ rail: 'fiat', currencies: ['GBP'] }] },
      'without an account',
    ],
    [
      'with instant payments of no account in SEPA',
      { ...files, accounts: [files.accounts[1]], instant: true },
      'of SEPA alone',
    ],
    [
      'with a sweep of a coin that is not served',
      { ...fireblocks, sweep_above: { 'USDT/tron': '1.00' } },
      'coins that are served',
    ],
    [
      'with a floor that is no amount',
      { ...fireblocks, travel_rule_above: { 'USDC/ethereum': '1e3' } },
      'must be an amount',
    ],
    [
      'with a server that nothing identifies',
      { ...files, transport: { ...files.transport, host_key: undefined } },
      'transport',
    ],
    [
      'with a password in the address',
      { ...files, transport: { ...files.transport, sftp: 'sftp://a:b@bank.test' } },
      'transport',
    ],
    [
      'with a secret in the file',
      { ...files, transport: { ...files.transport, key: 'password-1' } },
      'live takes secrets by',
    ],
    [
      'with a coin that we do not know',
      { ...fireblocks, serves: [{ rail: 'crypto', coins: { 'DOGE/doge': 'DOGE' } }] },
      'a coin that we know',
    ],
    ['with a rail in place of coins', { ...fireblocks, serves: [{ rail: 'crypto' }] }, 'coins.serves'],
    ['with a key of another kind', { ...fireblocks, private_key: { env: 'CURVE' } }, 'must be a private RSA key'],
    ['with our private key as theirs', { ...fireblocks, callback_key: { env: 'KEY' } }, 'must be a public RSA key'],
    ['with a vault of letters', { ...fireblocks, vault: 'main' }, 'must be the number of a vault account'],
    ['with a number without its country', { ...twilio, from: '0151 23456' }, 'must be a number as +1…'],
  ])('%s', (_, entry, fault) => expect(refusal([entry])).toContain(fault))

  test('with one place of money under two names: what arrives would be booked twice', () => {
    for (const one of [increase, fireblocks, files])
      expect(refusal([one, { ...one, name: 'again' }])).toContain(`${one.name} and again have no address in common`)
    expect(refusal([increase, { ...increase, name: 'again', account: 'account_other' }])).toBe('')
  })
})

describe('the sandbox', () => {
  const entries = sandboxEntries(['increase', 'file-bank', 'fireblocks', 'ecb'], '/data')

  test('has its own of each, and knows them as stand-ins', () => {
    const connections = read(entries, false)
    expect(connections.map(({ name, standIn }) => [name, standIn])).toEqual(
      ['usd', 'bank', 'custodian', 'rates'].map((name) => [name, true]),
    )
    expect(connections[1]?.url).toBe(pathToFileURL('/data/file-bank/bank').href)
  })

  test('is refused in live, and so are its public keys', () => {
    const stolen = {
      ...env,
      API_KEY: SANDBOX_FIREBLOCKS.apiKey,
      PRIVATE: SANDBOX_FIREBLOCKS.ourKey,
      PUBLIC: SANDBOX_FIREBLOCKS.theirPublicKey,
    }
    const reading = { env: stolen, live: true, sandbox: SANDBOX, dataDir: '/data' }
    const faults = connectionFaults(connectionsOf('PARTNERS_FILE', [fireblocks], reading), SANDBOX, true)
    expect(faults).toEqual([
      'PARTNERS_FILE: coins.private_key: the key of the sandbox is refused in live',
      'PARTNERS_FILE: coins.callback_key: the key of the sandbox is refused in live',
    ])
    const folder = { ...files, name: 'bank', transport: { folder: '/data/file-bank/bank' } }
    expect(refusal([folder])).toContain('bank.url: the sandbox is refused in live')
  })
})
