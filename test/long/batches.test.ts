import { test } from 'vitest'
import { payUnderKills } from '../support/batches/kills.ts'

test('a file of 50,000 rows whose worker is killed five times is imported and paid whole, every row once', async () => {
  await payUnderKills({ rows: 50_000, importing: 1, paying: 4 })
}, 900_000)
