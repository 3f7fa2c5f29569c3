/** Settings of `npm start` from the environment; refuses nonsense by the variable's name. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { type TemporalAccess, temporalIn } from '../platform/temporal-access.ts'
import { freePort } from './machine/ports.ts'
import { CannotStart } from './terminal.ts'
import { writeWhole } from './machine/whole-files.ts'

export const rootFolder = dirname(dirname(fileURLToPath(import.meta.url)))

const { resolve: resolveModule } = createRequire(import.meta.url)
export const typescript = ['--import', pathToFileURL(resolveModule('tsx')).href]

export type OwnDatabase = { url: string; migrationUrl: string }

export type Settings = {
  dataDir: string
  logDir: string
  port: number
  sandboxPort: number
  postgresPort: number
  temporalPort: number
  temporalUiPort: number
  /** Null if the Temporal is the caller's own and its UI is unknown. */
  temporalUiUrl: string | null
  namespace: string
  ownDatabase: OwnDatabase | undefined
  ownTemporal: string | undefined
  temporalAccess: TemporalAccess
  watch: boolean
}

export const dataFolder = (env: NodeJS.ProcessEnv): string => resolve(rootFolder, env['DATA_DIR'] || '.data')

export async function readSettings(env: NodeJS.ProcessEnv, args: string[]): Promise<Settings> {
  const dataDir = dataFolder(env)
  const ownTemporal = env['TEMPORAL_ADDRESS'] || undefined
  const temporalUiPort = await portOf(env, 'TEMPORAL_UI_PORT', 8233)
  const settings = {
    dataDir,
    temporalAccess: temporalIn(env, false),
    logDir: join(dataDir, 'logs'),
    port: await portOf(env, 'PORT', 3000),
    sandboxPort: await portOf(env, 'SANDBOX_PORT', 3100),
    postgresPort: await portOf(env, 'PG_PORT', 5433),
    temporalPort: await portOf(env, 'TEMPORAL_PORT', 7233),
    temporalUiPort,
    temporalUiUrl: env['TEMPORAL_UI_URL'] || (ownTemporal ? null : `http://localhost:${temporalUiPort}`),
    namespace: env['TEMPORAL_NAMESPACE'] || 'default',
    ownDatabase: ownDatabase(env),
    ownTemporal,
    watch: args.includes('--watch'),
  }
  // root's Postgres runs as another user, who has to pass through
  makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
  makeFolder(settings.logDir, 0o700)
  return settings
}

/** Makes a folder that other users cannot read; an existing one keeps its rights. */
function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { recursive: true, mode })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CannotStart(`DATA_DIR: ${folder} cannot be made (${why}). Name a folder that this user may write.`)
  }
}

async function portOf(env: NodeJS.ProcessEnv, variable: string, fallback: number): Promise<number> {
  const text = env[variable] || String(fallback)
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new CannotStart(`${variable}: "${text}" is not a port (0 to 65535).`)
  }
  return Number(text) || freePort()
}

function ownDatabase(env: NodeJS.ProcessEnv): OwnDatabase | undefined {
  const [url, migrationUrl] = [env['DATABASE_URL'], env['MIGRATION_DATABASE_URL']]
  if (!url && !migrationUrl) return undefined
  if (url && migrationUrl) return { url, migrationUrl }
  throw new CannotStart(
    `${url ? 'MIGRATION_DATABASE_URL' : 'DATABASE_URL'} is missing: a database of your own needs both, DATABASE_URL for ` +
      `the service's role and MIGRATION_DATABASE_URL for the owner of its tables. Without both, one is embedded.`,
  )
}

export type Passwords = { owner: string; app: string }

/** Reads the passwords of the embedded Postgres, made at the first start. */
export function databasePasswords(dataDir: string): Passwords {
  const file = join(dataDir, 'passwords.json')
  // written below and nowhere else
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Passwords
  const made = { owner: randomBytes(18).toString('base64url'), app: randomBytes(18).toString('base64url') }
  writeWhole(file, made)
  return made
}

/** Reads how bills come by mail; without settings they do, handed in by the demo itself. */
export const mailSettings = (env: Readonly<Record<string, string | undefined>>) => ({
  BILLS_MAIL_DOMAIN: env['BILLS_MAIL_DOMAIN'] ?? 'bills.demo.example',
  BILLS_MAIL_SECRET: env['BILLS_MAIL_SECRET'] ?? 'whsec_ZGVtby1vZi1iaWxscy1ieS1tYWlsLW5vLXNlY3JldA==',
})
