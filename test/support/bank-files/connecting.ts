/** A bank by files among the connections of a test. It imports nothing of the service, which reads its settings once. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../connections.ts'

export const OWN_IBAN = 'DE75500105175400000000'
const HOLDER = 'Business Finance Service'

/** Folder of the bank. */
export const folder = () => join(process.env['DATA_DIR'] ?? '', 'a-bank')

/** Connects a bank by files, with a folder on disk; call it before modules of the service are imported. */
export function connectFileBank(more: object = {}): void {
  for (const name of ['in', 'out', 'taken']) mkdirSync(join(folder(), name), { recursive: true })
  connect({
    bank: {
      driver: 'iso20022',
      serves: [{ rail: 'fiat' }],
      holder: HOLDER,
      accounts: [{ currency: 'EUR', iban: OWN_IBAN, bic: 'INGDDEFFXXX' }],
      transport: { folder: folder() },
      poll_minutes: 1,
      flush_minutes: 0.01,
      ...more,
    },
    rates: { serves: [{ rates: true }] },
  })
}

/** Connects the stand-in of a bank by files, which usePartners() starts. */
export const connectStandIn = (): void =>
  connectFileBank({ transport: { folder: join(process.env['DATA_DIR'] ?? '', 'file-bank', 'bank') } })
