/**
 * T15: the database is restored to an hour ago, Temporal is not: every row is driven again, and nothing is paid twice.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, startServers, startWorker } from '../support/processes.ts'

await startServers() // before anything reads the environment
const { approve } = await import('../support/api.ts')
const { fault, usePartners } = await import('../support/partners/partners.ts')
const { become, outgoing, payerBy, sent } = await import('../support/payments/payouts.ts')
const { owner } = await import('../support/database.ts')
const { reconcile } = await import('../support/partners/reconcile.ts')
const { until } = await import('../support/until.ts')

/** Tables of the service; the stand-in partners have their own databases. */
const RESTORED = `payments approvals approval_decisions approval_waits idempotency_claims events
  ledger_accounts ledger_transfers ledger_entries transactions payment_quotes covers processes step_ups partner_callbacks`.split(
  /\s+/,
)

usePartners()
let worker: Child
beforeAll(async () => {
  worker = await startWorker()
})
afterAll(() => worker.stop())

const quietly = (work: (tx: typeof owner) => Promise<unknown>) =>
  owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica` // as a restore does, past every trigger
    await work(tx as unknown as typeof owner)
  })

test('a payment that was sent and settled since is sent again under its id, and settles once', async () => {
  const payer = await payerBy('fiat')
  const [before, submitted] = [await outgoing(payer, '10.00'), await outgoing(payer, '20.00')]
  await fault('bank', 'down', 1000)
  expect((await approve(payer.boss, submitted)).status).toBe(200)
  await quietly(async (tx) => {
    for (const table of RESTORED) await tx.unsafe(`create table backup_${table} as table ${table}`)
  })
  await owner`delete from sandbox_faults`
  expect((await approve(payer.boss, before)).status).toBe(200)
  await become(payer, before, 'succeeded')
  await become(payer, submitted, 'succeeded')
  const paid = () => owner`select id, status, version from sandbox_payouts order by id`
  const once = await paid()
  expect(once).toHaveLength(2)

  await worker.stop()
  await quietly(async (tx) => {
    for (const table of RESTORED) {
      const [row] = await tx`
        select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
        where table_name = ${table} and is_generated = 'NEVER'`
      const names = String(row?.['names'])
      await tx.unsafe(`delete from ${table};
        insert into ${table} (${names}) overriding system value select ${names} from backup_${table}`)
    }
  })
  worker = await startWorker()
  await until('both to be driven again', async () => {
    await reconcile()
    const rows = await owner`select status from payments where id = ${submitted.id}`
    return rows[0]?.['status'] === 'succeeded'
  })
  expect([...(await paid())]).toEqual([...once])
  expect((await become(payer, before, 'awaiting_approval')).status).toBe('awaiting_approval')
  // the partner has it already: after the new approval its status is recorded, and nothing is paid twice
  expect((await approve(payer.boss, before)).status).toBe(200)
  await become(payer, before, 'succeeded')
  expect([...(await paid())]).toEqual([...once])
  expect((await sent(payer, '1.00')).id).toBeDefined()
})
