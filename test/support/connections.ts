/** Files of connections for tests: the stand-ins as partners that a file names. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 'sandbox-partner-key'
const SECRET = 'whsec_c2FuZGJveC1wYXJ0bmVyLWNhbGxiYWNrLXNlY3JldC0x'

/** Writes a file of connections, of our own protocol unless they name a driver. */
export function connect(named: Readonly<Record<string, object>>): void {
  const root = process.env['SANDBOX_PARTNERS_URL'] ?? ''
  const connections = Object.entries(named).map(([name, given]) => ({
    name,
    ...('driver' in given ? {} : { driver: 'http', url: `${root}/${name}`, key: KEY, callback_secret: SECRET }),
    ...given,
  }))
  const folder = process.env['DATA_DIR'] ?? ''
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'connections.json')
  writeFileSync(path, JSON.stringify(connections))
  process.env['PARTNERS_FILE'] = path
}

/** Second bank as an installation may call it: with a digit and a hyphen, and as long as a name can be. */
export const SECOND = 'us-2-with-a-name-of-31-letters-'

/** Connects two banks, of which the second serves dollars; all else is as without a file. */
export function connectDollars(): void {
  const secret = `whsec_${Buffer.from('usd'.repeat(11)).toString('base64')}`
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR'] }] },
    usd: { serves: [{ rail: 'fiat', currencies: ['USD'] }], key: 'the key of another', callback_secret: secret },
    custodian: { serves: [{ rail: 'crypto' }] },
    rates: { serves: [{ rates: true }] },
    messenger: { serves: [{ messages: true }] },
  })
}

/** Connects two banks and two custodians; the second one of each serves what the first one does not. */
export function connectTwo(): void {
  const secret = (text: string) => ({ callback_secret: `whsec_${Buffer.from(text.repeat(32)).toString('base64')}` })
  connect({
    bank: { serves: [{ rail: 'fiat', currencies: ['EUR', 'CHF'] }] },
    [SECOND]: { serves: [{ rail: 'fiat', currencies: ['USD', 'EUR'] }], key: 'the key of another', ...secret('u') },
    custodian: { serves: [{ rail: 'crypto', coins: { 'USDC/ethereum': 'USDC' } }] },
    trade: { serves: [{ rail: 'crypto', coins: { 'USDC/solana': 'USDC' } }], ...secret('t') },
    rates: { serves: [{ rates: true }] },
  })
}
