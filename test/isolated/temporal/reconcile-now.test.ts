import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

test('an operator has the books audited and compared with every partner at once, and reads what came of it', async () => {
  expect(await administer(['reconcile'])).toMatch(
    /^bank: 0 records read, 0 differences.*\ncustodian: 0 records.*\nrates desk: 0 records.*\nbooks: \d+ organizations audited.*\nno finding is open$/,
  )
  const lost = v7()
  await owner`
    insert into sandbox_payouts (partner, id, body_hash, amount, currency, status, detail, own_reference)
    values ('bank', ${lost}, '', '5.00', 'EUR', 'settled', '', '')`
  const said = await administer(['reconcile'])
  expect(said).toContain('bank: 1 records read, 1 differences')
  expect(said).toContain('2 findings are open')
  expect(said).toContain('the database is behind')
  expect(await administer(['books', 'findings'])).toContain(`database_behind payment:${lost}`)
})
