/** Alerts as Prometheus reads them: their syntax, and when they fire. Skipped without `promtool`. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })

const isMissing = promtool('--version').error !== undefined
const where = isMissing ? ' (skipped: promtool is missing; Debian has it in the package prometheus)' : ''

test.skipIf(isMissing).each([
  ['check', 'ops/alerts.yml'],
  ['test', 'ops/alerts.test.yml'],
])(`promtool %s rules %s finds no fault${where}`, (action, file) => {
  const { status, stdout, stderr } = promtool(action, 'rules', file)
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
})
