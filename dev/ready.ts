/** dev.json in the data folder: addresses and demo people of the running `npm start`. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Demo } from './demo/organization.ts'
import { dataFolder } from './settings.ts'

export type Ready = {
  api_url: string
  temporal_ui_url: string | null
  temporal_address: string
  database_url: string
  sandbox_partners_url: string
  /** The file of connections, at its place from the root; null without one. */
  partners_file: string | null
  /** Stand-ins that speak providers' protocols, as SANDBOX_PARTNERS names them; empty without any. */
  sandbox_partners: string
  demo: Demo
}

export const readyFileIn = (dataDir: string): string => join(dataDir, 'dev.json')

export function findReady(): Ready | undefined {
  const file = readyFileIn(dataFolder(process.env))
  // written whole by `npm start`, with these members
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Ready) : undefined
}

export function readReady(): Ready {
  const ready = findReady()
  if (ready) return ready
  console.error(
    `${readyFileIn(dataFolder(process.env))} is not there: run \`npm start\` in another terminal first, and name its ` +
      'folder in DATA_DIR if it has one of its own.',
  )
  return process.exit(1)
}
