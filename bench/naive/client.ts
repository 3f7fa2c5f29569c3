/** Client of the naive payment: starts its workflow, approves it, and waits until it has ended. */
import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { owner } from '../owner.ts'
import { approve, naivePayment } from './workflow.ts'

/** Creates the tables of naive payments, with accounts of payers and of one payee. */
export async function makeNaiveAccounts(payers: number): Promise<void> {
  await owner`create schema naive`
  await owner`
    create table naive.accounts (id int primary key, available numeric not null, held numeric not null default 0)`
  await owner`
    create table naive.payments (id uuid primary key, payer int not null references naive.accounts,
      payee int not null references naive.accounts, status text not null)`
  await owner`
    create table naive.entries (payment_id uuid not null references naive.payments,
      account_id int not null references naive.accounts, amount numeric not null)`
  await owner`insert into naive.accounts (id, available) select i, 1000000 from generate_series(0, ${payers}) i`
}

/** Pays by the naive workflow, to account 0. */
export async function payNaively(client: Client, from: number): Promise<void> {
  const payment = { id: randomUUID(), from, to: 0 }
  const started = await client.workflow.start(naivePayment, {
    workflowId: `naive-${payment.id}`,
    taskQueue: 'naive',
    args: [payment],
  })
  await started.signal(approve)
  await started.result()
}
