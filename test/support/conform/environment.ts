/** Environment of a file that plays a provider of the conformance kit: set before anything reads it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROVIDERS } from '../../../dev/conform/providers.ts'
import type { Provider } from '../../../dev/conform/provider.ts'

/** Points the service at a provider of this driver, and makes it; call it before importing the kit. */
export function providerOf(driver: string): Provider {
  const entry = PROVIDERS[driver]
  if (!entry) throw new Error(`the kit has no provider ${driver}`)
  const port = Number(new URL(process.env['SANDBOX_PARTNERS_URL'] ?? '').port)
  process.env['PARTNER_TIMEOUT_MS'] = '300'
  const connections = entry.connections(port)
  if (connections) {
    const folder = process.env['DATA_DIR'] ?? ''
    mkdirSync(folder, { recursive: true })
    process.env['PARTNERS_FILE'] = join(folder, 'partners.json')
    writeFileSync(process.env['PARTNERS_FILE'], JSON.stringify(connections), { mode: 0o600 })
  }
  return entry.make(port)
}
