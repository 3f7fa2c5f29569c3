import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { asSystem, read, sql } from '../../../db/postgres/sql.ts'
import { owner } from '../../support/database.ts'
import { APPEND_ONLY, NEVER_UPDATED } from '../../rules/never-updated.ts'

/** Equivalent to no row: only the functions of a table may read it. */
const PERMISSION_DENIED = '42501'

async function organizationsWithContacts(count: number): Promise<OrganizationId[]> {
  const userId = randomUUID()
  await owner`insert into people (id, email, password_hash) values (${userId}, ${`${userId}@example.com`}, '')`
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const id = randomUUID() as OrganizationId
      await owner`insert into organizations (id, name, created_by) values (${id}, ${`Tenant ${index}`}, ${userId})`
      await owner`insert into payment_contacts (id, organization_id, name, type, created_by)
        select gen_random_uuid(), ${id}, 'Contact', 'business', ${userId} from generate_series(1, 3)`
      return id
    }),
  )
}

const tables = await owner<{ name: string }[]>`
  select distinct c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and (a.attname = 'organization_id' and not a.attisdropped or c.relname = 'organizations')`
expect(tables.length).toBeGreaterThan(10)

test.each(tables)('$name: the application role sees no row while no organization is set', async ({ name }) => {
  await organizationsWithContacts(1)
  const rows = await sql`select 1 from ${sql(name)} limit 1`.catch((error: { code: string }) => {
    if (error.code !== PERMISSION_DENIED) throw error
    return []
  })
  expect(rows).toHaveLength(0)
  const [table] = await owner`select relrowsecurity, relforcerowsecurity from pg_class where relname = ${name}`
  expect(table).toEqual({ relrowsecurity: true, relforcerowsecurity: true })
})

test('read() sees the rows of its organization alone, whatever ran on the connection before, errors included', async () => {
  const ids = await organizationsWithContacts(4)
  const shapes = [
    () => sql`select organization_id from payment_contacts`,
    () => sql`select organization_id from payment_contacts order by inserted_at desc, id desc limit 2`,
    () => sql`select c.organization_id from payment_contacts c join organizations o on o.id = c.organization_id`,
    () => sql`with all_of_them as (select organization_id from payment_contacts) select * from all_of_them`,
    () => sql`select organization_id from payment_contacts where id in (select id from payment_contacts)`,
    () => sql`select organization_id, count(*) as n from payment_contacts group by 1`,
    () => sql`select o.id as organization_id from organizations o where exists (select from payment_contacts)`,
    () => sql`select organization_id from payment_contacts union all select id from organizations`,
    () => sql`select max(organization_id::text)::uuid as organization_id from payment_contacts`,
  ]
  const step = fc.record({ id: fc.constantFrom(...ids), query: fc.constantFrom(...shapes), fault: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await Promise.all(
        steps.map(async ({ id, query, fault }) => {
          if (fault) await read(id, sql`select 1 / (count(*) - count(*)) as x from payment_contacts`).catch(() => {})
          const rows = await read<{ organization_id: string }>(id, query())
          expect(rows.length).toBeGreaterThan(0)
          expect(new Set(rows.map((row) => row.organization_id))).toEqual(new Set([id]))
        }),
      )
    }),
    { numRuns: 20 },
  )
})

test('a row of another organization cannot be written, and one of our own cannot be given away', async () => {
  const [mine, theirs] = (await organizationsWithContacts(2)) as [OrganizationId, OrganizationId]
  const given = asSystem(mine, (tx) => tx`update payment_contacts set organization_id = ${theirs}`)
  await expect(given).rejects.toMatchObject({ code: PERMISSION_DENIED })
  const touched = await asSystem(
    mine,
    (tx) => tx`update payment_contacts set name = 'x' where organization_id = ${theirs} returning id`,
  )
  expect(touched).toHaveLength(0)
})

test.each(Object.entries(NEVER_UPDATED))('%s: what never changes cannot be updated', async (table, columns) => {
  for (const column of columns) {
    const change = sql`update ${sql(table)} set ${sql(column)} = ${sql(column)}`
    await expect(change, column).rejects.toMatchObject({ code: PERMISSION_DENIED })
  }
})

test.each(APPEND_ONLY)('%s: the application role cannot change anything', async (table) => {
  const columns = await owner<{ name: string }[]>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and attgenerated = ''`
  for (const { name } of columns) {
    const change = sql`update ${sql(table)} set ${sql(name)} = ${sql(name)}`
    await expect(change, name).rejects.toMatchObject({ code: PERMISSION_DENIED })
  }
})

test('locate() tells nothing to a person who is not a member', async () => {
  const [id] = await organizationsWithContacts(1)
  const rows = await sql`select * from locate('organization', ${id ?? null}, ${randomUUID()})`
  expect(rows).toHaveLength(0)
})
