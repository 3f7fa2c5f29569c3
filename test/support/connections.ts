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
