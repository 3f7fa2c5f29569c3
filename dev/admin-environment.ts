/**
 * Loaded first by `npm run admin` and `npm run deploy:current`: what the environment leaves open is that of the `npm
 * start` that runs, if one does.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { rootFolder } from './settings.ts'
import type { Ready } from './terminal.ts'

const { env } = process
const file = join(resolve(rootFolder, env['DATA_DIR'] || '.data'), 'dev.json')
const placeOf = (url: string) => (URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : undefined)

if (existsSync(file)) {
  // Written whole by `npm start`, with these members.
  const ready = JSON.parse(readFileSync(file, 'utf8')) as Ready
  env['DATABASE_URL'] ||= ready.database_url
  // its partners and its Temporal know nothing of the payments in another database
  if (placeOf(env['DATABASE_URL']) === placeOf(ready.database_url)) {
    env['SANDBOX_PARTNERS_URL'] ||= ready.sandbox_partners_url
    env['TEMPORAL_ADDRESS'] ||= ready.temporal_address
    env['TEMPORAL_UI_URL'] ||= ready.temporal_ui_url ?? ''
  }
}
