/** The list of partners that operators read: when each was heard, and what waits. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describePartners } from '../../../services/registries/operator-texts.ts'
import '../../support/api.ts'
import { owner } from '../../support/database.ts'

test('a partner that called is listed before its lists were read', async () => {
  expect(await describePartners()).toBe('no partner was heard yet')
  await owner`
    insert into partner_callbacks (partner, id, subject, subject_id, handled_at)
    values ('bank', '1', 'payment', ${randomUUID()}, business_now()), ('bank', '2', 'payment', ${randomUUID()}, null)`
  expect(await describePartners()).toMatch(
    /^1\nbank: lists were never read, called last at .+, 1 callbacks not handled$/,
  )
})
