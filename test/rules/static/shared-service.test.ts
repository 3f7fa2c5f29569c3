/** Tests that share a service are independent of the order of files. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SHARED } from '../../../vitest.config.ts'

/**
 * Signs that a file changes or reads more than its own organizations: environment, modules, tables, market, suspense,
 * audits.
 */
const OF_ALL =
  /\bvi\.|process\.env\[[^\]]+\] \??\??=|business_clock|create (table|function|trigger)|sandbox\/(market|rates)|whole: true|\bsuspense\b|support\/([a-z-]+\/)?(reconcile|faults|gates|processes)\.ts|\b(serviceFindings|runScheduled)\b/

test.each(SHARED)('%s leaves alone what all share', (file) => {
  expect(readFileSync(file, 'utf8')).not.toMatch(OF_ALL)
})
