/** SIGKILL to the worker between a partner and the books: a deposit is booked once, and returned once. */
import { beforeAll, expect, test } from 'vitest'
import { owner } from '../../support/database.ts'
import {
  arriveCrypto,
  arriveSilently,
  booksOf,
  calledAbout,
  deposit,
  depositAt,
  depositor,
  openAccount,
} from '../../support/deposits/deposits.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { reconcile } from '../../support/partners/reconcile.ts'
import { until } from '../../support/until.ts'

usePartners()
let worker: Child
let returning: Awaited<ReturnType<typeof returned>>
let booking: Awaited<ReturnType<typeof booked>>

/** One worker is killed in both steps, so that its death is noticed at once. */
beforeAll(async () => {
  await installGates({
    create: { on: 'insert on deposits' },
    settle: { on: 'update on deposits', when: "new.status = 'returned'" },
  })
  worker = await startWorker()
  ;[returning, booking] = await Promise.all([returned(), booked()])
  await worker.kill()
  await Promise.all([returning.gate.open(), booking.gate.open()])
  expect((await deposit(returning.boss, returning.made.id)).status).toBe('held')
  worker = await startWorker()
})

/** A deposit returned by its partner, which waits at the gate before that is recorded. */
async function returned() {
  const { boss, id } = await depositor()
  const made = await arriveCrypto(id, '1000')
  const gate = await closeGate('settle', id)
  await owner`update deposits set release_by = business_now() where id = ${made.id}`
  await reconcile()
  await gate.waiting()
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  return { boss, id, made, gate }
}

/** Money confirmed by its partner, which waits at the gate before it is booked. */
async function booked() {
  const { boss, id } = await depositor()
  const { account } = await openAccount(boss, id, 'EUR')
  const gate = await closeGate('create', id)
  const partnerDepositId = await arriveSilently('bank', account, '12', 'EUR')
  await calledAbout('bank', partnerDepositId)
  await gate.waiting()
  return { boss, id, partnerDepositId, gate }
}

test('after the return at the partner and before its record: it is returned once, in the books too', async () => {
  const { boss, id, made } = returning
  await until('the return to be recorded', async () => (await deposit(boss, made.id)).status === 'returned')
  expect(await depositAt('custodian', made.id)).toMatchObject({ status: 'returned', version: 2 })
  expect(await booksOf(boss, id)).toEqual({ balance: '0', ok: true, suspense: '0' })
})

test('after the partner was asked and before the money is booked: it is booked once', async () => {
  const { boss, id, partnerDepositId } = booking
  await until('the money to be booked', async () => (await booksOf(boss, id, 'EUR')).balance === '12.00')
  await calledAbout('bank', partnerDepositId)
  expect(await booksOf(boss, id, 'EUR')).toMatchObject({ balance: '12.00', ok: true })
})

test('money that goes back after the partner was asked and before it is booked goes back in the books too', async () => {
  const { boss, id } = await depositor()
  const { account } = await openAccount(boss, id, 'USDC')
  const gate = await closeGate('create', id)
  const partnerDepositId = await arriveSilently('custodian', account, '1000', 'USDC')
  await calledAbout('custodian', partnerDepositId)
  await gate.waiting()
  await owner`update sandbox_deposits set status = 'returned', version = 2, return_reason = 'a mistake'
    where id = ${partnerDepositId}`
  await calledAbout('custodian', partnerDepositId)
  await gate.open()
  const statuses = async () =>
    (await owner`select status from deposits where organization_id = ${id}`).map((d) => d['status'])
  await until('the money to go back', async () => (await statuses()).includes('returned'))
  expect(await booksOf(boss, id)).toEqual({ balance: '0', ok: true, suspense: '0' })
  expect(
    await owner`select id from partner_callbacks where subject_id = ${partnerDepositId} and handled_at is null`,
  ).toEqual([])
})
