/** A Chromium for tests: CHROMIUM_PATH, one that is installed, or the one that the package brings. */
import { spawnSync } from 'node:child_process'
import packaged from '@sparticuz/chromium'

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const installed = [process.env['CHROMIUM_PATH'] ?? '', ...USUAL].find(
  (path) => path !== '' && spawnSync(path, ['--version']).status === 0,
)

/** Path of the program. The packaged one is unpacked into the temporary folder at first. */
export const chromiumPath: string = installed ?? (await packaged.executablePath())
