import { test } from 'vitest'
import { payUnderKills } from '../../support/batches/kills.ts'

test('a worker that is killed in the middle of a page: another one pays it, and every row once', async () => {
  await payUnderKills({ rows: 700, paying: 1 })
}, 120_000)
