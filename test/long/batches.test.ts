import { test } from 'vitest'
import { payUnderKills } from '../support/batch-kills.ts'

test('a batch of 50,000 rows whose worker is killed five times is paid whole, every row once', async () => {
  await payUnderKills({ rows: 50_000, kills: 5 })
})
