import { spawnSync } from 'node:child_process'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** CHROMIUM_PATH, or the first one at a usual place that runs; undefined without one. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...USUAL].find(
  (path) => path !== '' && spawnSync(path, ['--version']).status === 0,
)
