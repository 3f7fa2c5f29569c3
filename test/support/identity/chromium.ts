/** The Chromium of this machine, if there is one. */
import { spawnSync } from 'node:child_process'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** CHROMIUM_PATH, or the first at a usual place that runs; undefined if none does. */
export const chromiumPath = [process.env['CHROMIUM_PATH'] ?? '', ...USUAL].find(
  (path) => path !== '' && spawnSync(path, ['--version']).status === 0,
)
