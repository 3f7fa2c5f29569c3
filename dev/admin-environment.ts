/** Environment of `npm run admin` and `deploy:current`, taken from the running `npm start`. Loaded first. */
import { findReady } from './ready.ts'

const { env } = process
const placeOf = (url: string) => (URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : undefined)

const ready = findReady()
if (ready) {
  env['DATABASE_URL'] ||= ready.database_url
  // other databases need other partners and another Temporal
  if (placeOf(env['DATABASE_URL']) === placeOf(ready.database_url)) {
    env['SANDBOX_PARTNERS_URL'] ||= ready.sandbox_partners_url
    env['PARTNERS_FILE'] ||= ready.partners_file ?? ''
    env['SANDBOX_PARTNERS'] ||= ready.sandbox_partners
    env['TEMPORAL_ADDRESS'] ||= ready.temporal_address
    env['TEMPORAL_UI_URL'] ||= ready.temporal_ui_url ?? ''
  }
}
