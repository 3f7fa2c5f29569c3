/** Activities of the naive payment; each is one transaction, which a retry repeats without effect. */
import postgres from 'postgres'
import type { NaivePayment } from './workflow.ts'

const sql = postgres(process.env['MIGRATION_DATABASE_URL'] ?? '')

export async function reserve({ id, from, to }: NaivePayment): Promise<void> {
  await sql.begin(async (tx) => {
    const made = await tx`
      insert into naive.payments (id, payer, payee, status) values (${id}, ${from}, ${to}, 'awaiting_approval')
      on conflict do nothing returning id`
    if (made.length > 0)
      await tx`update naive.accounts set available = available - 1, held = held + 1 where id = ${from}`
  })
}

export async function settle({ id, from, to }: NaivePayment): Promise<void> {
  await sql.begin(async (tx) => {
    const moved = await tx`
      update naive.payments set status = 'settled' where id = ${id} and status = 'awaiting_approval' returning id`
    if (moved.length === 0) return
    await tx`update naive.accounts set held = held - 1 where id = ${from}`
    await tx`update naive.accounts set available = available + 1 where id = ${to}`
    await tx`insert into naive.entries (payment_id, account_id, amount) values (${id}, ${from}, -1), (${id}, ${to}, 1)`
  })
}

export async function complete({ id }: NaivePayment): Promise<void> {
  await sql`update naive.payments set status = 'succeeded' where id = ${id}`
}
