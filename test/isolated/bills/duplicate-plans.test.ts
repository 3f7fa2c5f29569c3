/** A second copy is found by reading few rows, whatever number of bills a supplier has. */
import { expect, test } from 'vitest'
import { findDuplicates } from '../../../services/bills/duplicates.ts'
import type { BillId, OrganizationId } from '../../../domain/ids.ts'
import { type Fragment, inSnapshot, sql } from '../../../db/postgres/sql.ts'
import { organization, person } from '../../support/api.ts'
import { detail, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'

const ROWS = 20_000
/** Row budget of the bill, its copies, and bills of its day. */
const MOST = 200

test('bills of one supplier with other numbers are not read, with statistics or without', async () => {
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Payer')
  const first = await typedBill(boss, id)
  await owner`
    insert into bills (id, organization_id, status, amount, currency, bill_number, supplier_name, supplier_tax_id,
      issue_date, created_by, tax_key, name_key, number_key, tax_number, plain_name, keys_of)
    select gen_random_uuid(), organization_id, status, amount, currency, 'X-' || n, supplier_name, supplier_tax_id,
      date '2000-01-01' + n % 2000, created_by, tax_key, name_key, 'x' || n, tax_number, plain_name, keys_of
    from bills, generate_series(1, ${ROWS}::int) n where id = ${first.id}`
  const copy = await typedBill(boss, id, { supplier_tax_id: '136695976' })
  const rows = () =>
    inSnapshot(id as OrganizationId, async (read) => {
      const count = async (of: Fragment) => Number((await read<{ n: string }>(of))[0]?.n)
      const seen = sql`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as n from pg_stat_xact_user_tables`
      const before = await count(seen)
      expect(await findDuplicates(read, copy.id as BillId)).toEqual([{ bill_id: first.id, reason: 'same_number' }])
      return (await count(seen)) - before
    })
  await owner`analyze bills`
  expect(await rows()).toBeLessThan(MOST)
  expect((await detail(boss, first.id)).duplicates).toEqual([{ bill_id: copy.id, reason: 'same_number' }])
})
