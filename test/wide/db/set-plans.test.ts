/**
 * Statements about all rows of a batch handle each of them a few times, and no others. The planner may expect anything:
 * of tables that were just filled, that grew while they were analyzed, and that are large.
 */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readTable } from '../../../documents/batches/read-table.ts'
import type { BatchId, OrganizationId, UserId } from '../../../domain/ids.ts'
import { type Tx, asSystem } from '../../../db/postgres/sql.ts'
import { insertStaged, stage } from '../../../services/batches/staging.ts'
import { judge } from '../../../services/batches/verdicts.ts'
import { HEADER, toAccount, toContact, toHandle } from '../../support/batches/imports.ts'
import { owner } from '../../support/database.ts'

delete process.env['ROWS_SEEN'] // rows of others are made up for their number

const ROWS = 1000
/** Rows that a part of a plan may handle: two keys of each row's account, found and compared. */
const MOST = 5 * ROWS
const OTHERS = 30_000

type Node = {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Node[]
} & { readonly [removed in `Rows Removed by ${'Filter' | 'Join Filter' | 'Index Recheck'}`]?: number }

/** Counts the rows that a part of a plan found and left out, and names it. */
function* handledIn(node: Node): Generator<{ part: string; rows: number }> {
  const {
    'Actual Rows': found,
    'Rows Removed by Filter': filtered = 0,
    'Rows Removed by Join Filter': apart = 0,
  } = node
  yield { part: node['Node Type'], rows: (found + filtered + apart) * node['Actual Loops'] }
  for (const one of node.Plans ?? []) yield* handledIn(one)
}

const CHANGES = /^\s*(?:with|insert|update|select account_of)/

/** Explains each statement that writes, and notes the parts of its plan with too many rows. */
function explain(tx: Tx, excess: string[]): Tx {
  return new Proxy(tx, {
    apply(target, _, [strings, ...given]: [TemplateStringsArray, ...never[]]) {
      const statement = target(strings, ...given)
      if (!CHANGES.test(strings[0] ?? '')) return statement
      return (async () => {
        const [row] = await target`explain (analyze, timing off, format json) ${statement}`
        for (const { part, rows } of handledIn(row?.['QUERY PLAN'][0].Plan)) {
          if (rows > MOST) excess.push(`${part} handled ${rows} rows: ${strings[0]?.trim().slice(0, 60)}`)
        }
        return []
      })()
    },
  })
}

type Payer = { readonly id: OrganizationId; readonly user: UserId; readonly contacts: readonly string[] }

/** Makes an organization with some contacts, which have a bank account each. */
async function payerWith(contacts: number): Promise<Payer> {
  const [id, user] = [randomUUID() as OrganizationId, randomUUID() as UserId] // of rows written next
  const rows = await owner.begin(async (tx) => {
    await tx`set local session_replication_role = 'replica'` // without foreign keys and triggers
    await tx`insert into organizations (id, name, svc_id, created_by) values (${id}, 'Payer', ${`s-${id.slice(0, 13)}`}, ${user})`
    await tx`insert into people (id, email, password_hash) values (${user}, ${`${user}@example.com`}, '')`
    const made = await tx<{ id: string }[]>`
      insert into payment_contacts (id, organization_id, name, type, created_by)
      select gen_random_uuid(), ${id}, 'Contact', 'business', ${user} from generate_series(1, ${contacts}) returning id`
    await tx`
      insert into payment_destinations (organization_id, payment_contact_id, type, currency, sealed, fingerprint, account_id,
        holder_key, created_by)
      select ${id}, id, 'bank', 'EUR', '', sha256(id::text::bytea), gen_random_uuid(), 'contact', ${user}
      from payment_contacts where organization_id = ${id}`
    await tx`
      insert into payee_accounts (organization_id, key, account_id)
      select organization_id, fingerprint, account_id from payment_destinations where organization_id = ${id}`
    return made
  })
  return { id, user, contacts: rows.map((row) => row.id) }
}

function iban(account: number): string {
  const bban = `12030000${String(account).padStart(10, '0')}`
  return `DE${String(98n - (BigInt(`${bban}131400`) % 97n)).padStart(2, '0')}${bban}`
}

/** Imports rows to new accounts, to contacts and to a service ID, and judges them again; answers what was too much. */
async function importAndJudge({ id, user, contacts }: Payer): Promise<string[]> {
  const excess: string[] = []
  const batch = randomUUID() as BatchId
  await owner`insert into payment_batches (id, organization_id, name, created_by) values (${batch}, ${id}, 'Pay', ${user})`
  const lines = Array.from({ length: ROWS }, (_, row) =>
    row % 5 === 0 ? toHandle('nobody') : row % 5 === 1 ? toContact(contacts[row] ?? '', 'EUR') : toAccount(iban(row)),
  )
  await asSystem(id, async (tx) => {
    await stage(tx, readTable(Buffer.from([HEADER, ...lines].join('\n')), false))
    await insertStaged(explain(tx, excess), batch)
    await judge(explain(tx, excess), batch)
  })
  const [made] = await owner`
    select count(*)::int as rows, count(*) filter (where status = 'valid')::int as valid, count(distinct account_id)::int as accounts
    from payment_batch_rows where payment_batch_id = ${batch}`
  expect(made).toEqual({ rows: ROWS, valid: 0.8 * ROWS, accounts: 0.8 * ROWS })
  return excess
}

test('an import and a verdict read no more than their rows, in an organization that has nothing', async () => {
  expect(await importAndJudge(await payerWith(ROWS))).toEqual([])
})

test('an import and a verdict read no more than their rows, in an organization that has very much', async () => {
  const payer = await payerWith(OTHERS)
  expect(await importAndJudge(payer)).toEqual([])
  await owner`analyze`
  expect(await importAndJudge(payer)).toEqual([])
})

test('an import and a verdict read no more than their rows, if tables were analyzed before what fills them was there', async () => {
  await payerWith(1)
  await owner`vacuum analyze`
  expect(await importAndJudge(await payerWith(OTHERS))).toEqual([])
})
