/** `npm run histories`: walks the paths of batches, of payments on a date and of questions about payees. */
import { beforeAll, expect, vi } from 'vitest'
import type { OrganizationId } from '../../domain/ids.ts'
import { moveOrganization } from '../support/organizations/status.ts'
import { type TestOrganization, type TestPerson, approve, fund, organization, person } from '../support/api.ts'
import { IBAN, approved, cancel, draftOf, ended, payees, submit, submitted } from '../support/batches/batches.ts'
import { owner } from '../support/database.ts'
import { closeGate, installGates } from '../support/faults/gates.ts'
import { advance } from '../support/identity/identity.ts'
import { HEADER, TERMS, imported, newBatch } from '../support/batches/imports.ts'
import { checksOf, payeeNamed } from '../support/payee-checks/payees.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { advance as advancePayout, become, outgoing, payerBy } from '../support/payments/payouts.ts'
import { businessDay, moveToHour, moveToLastHour, scheduled } from '../support/payments/schedules.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { reconcile } from '../support/partners/reconcile.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-batches-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })
beforeAll(() => installGates({ settle: { on: 'update on payment_batches', when: 'new.rows_begun > old.rows_begun' } }))

const MINUTE = 60

async function scene() {
  const boss = await person({ name: PRIVATE.firstName })
  const payer = await organization(boss, PRIVATE.payer)
  for (const currency of ['USD', 'EUR']) await fund(payer.id, '100.00', currency)
  const [svc] = (await payees(1)) as [TestOrganization]
  const rows = [
    { svc, amount: PRIVATE.amount },
    { iban: IBAN, amount: '1.00' },
  ]
  return { boss, payer, rows, byServiceId: rows.slice(0, 1) }
}

const run = (batch: { id: string }) => runOf('payment-batch', batch.id)

async function waiting() {
  const at = await scene()
  const batch = await submitted(at.boss, at.payer.id, at.rows)
  await waits(batch)
  return { ...at, batch }
}

/** An approved batch that begins nothing before `work` is done: its organization is held until then. */
async function held(work: (at: { boss: TestPerson; payer: TestOrganization; id: string }) => Promise<unknown>) {
  const { boss, payer, byServiceId } = await scene()
  const batch = await submitted(boss, payer.id, byServiceId)
  await owner.begin(async (tx) => {
    await tx`select from organizations where id = ${payer.id} for no key update`
    expect((await approve(boss, batch)).status).toBe(200)
    await work({ boss, payer, id: batch.id })
    await tx`update organizations set status = 'paused' where id = ${payer.id}`
  })
  return { payer, batch }
}

/** Lets the bank take all payments of a batch and pay them at one moment. */
async function settle({ id }: { id: string }): Promise<void> {
  const taken = await until('the bank to have them all', async () => {
    const rows = await owner<{ id: string; status: string; begun: number; total: number }[]>`
      select p.id, p.status, b.rows_begun as begun, b.rows_total as total from payments p
      join payment_batches b on b.id = p.payment_batch_id where b.id = ${id} and p.rail = 'fiat'`
    const all = rows.every(({ status, begun, total }) => status === 'processing' && begun === total)
    return rows.length > 0 && all && rows
  })
  const answers = await Promise.all(taken.map((payment) => advancePayout(payment, 'succeeded')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
}

recordPaths({
  async 'payment-batch-expired'() {
    const { batch } = await waiting()
    await owner`update approvals set expires_at = business_now() where id = ${batch.approval_request_id}`
    await reconcile()
    return run(batch)
  },
  async 'payment-batch-paused-then-banned'() {
    const { payer, batch } = await held(async () => {})
    await waits(batch)
    await moveOrganization(payer.id as OrganizationId, 'ban')
    await advance(2 * MINUTE)
    return run(batch)
  },
  async 'payment-batch-cancelled-midway'() {
    const { batch } = await held(({ boss, id }) => cancel(boss, id))
    return run(batch)
  },
  async 'payment-batch-cancelled-at-its-last-page'() {
    const { boss, payer, batch } = await waiting()
    await fault('bank', 'manual') // keeps its payments open beyond the page
    const gate = await closeGate('settle', payer.id)
    expect((await approve(boss, batch)).status).toBe(200)
    await gate.waiting()
    const cancelled = cancel(boss, batch.id)
    await gate.open()
    expect((await cancelled).body.status).toBe('cancelling')
    await settle(batch)
    return run(batch)
  },
  /** Path: the run of a payment that is returned after the end. */
  async 'payment-batch-returned'() {
    const { boss, payer } = await scene()
    await fault('bank', 'manual', 1)
    const batch = await approved(boss, payer.id, [{ iban: IBAN, amount: '1.00' }])
    await settle(batch)
    await run(batch).result()
    const [payment] = await owner<{ id: string }[]>`select id from payments where payment_batch_id = ${batch.id}`
    await advancePayout({ id: payment?.id ?? '' }, 'reversed')
    const isRecounted = () => owner`select from payment_batches where id = ${batch.id} and rows_failed = 1`
    await until('it to be counted again', async () => (await isRecounted())[0])
    return run(batch)
  },
})

/** Waits until the run of a row has looked at its latest change, and waits for its day. */
const isSeen = (id: string) =>
  until('its run to have seen that', async () => {
    const [process] = await owner`select unseen_since from processes where id = ${id}`
    return process && !process['unseen_since']
  })

/** An approved batch that pays 4.00 on its day, from these funds. */
async function batchOnDay(funds: string) {
  const boss = await person({ authenticator: true, name: PRIVATE.firstName })
  const [payer, payee] = [await organization(boss, PRIVATE.payee), await organization(await person(), 'Payee')]
  await fund(payer.id, funds)
  const draft = await draftOf(boss, payer.id, [{ svc: payee, amount: '4.00' }])
  const day = await businessDay()
  const { body: batch } = await submit(boss, draft, { execute_on: day })
  await approve(boss, batch)
  await isSeen(batch.id)
  return { payer, batch, day }
}

recordPaths({
  async 'payment-scheduled-then-paid'() {
    const at = await payerBy('fiat')
    const day = await businessDay()
    const made = await scheduled(at, day)
    await isSeen(made.id)
    await moveToHour(day, 6)
    await become(at, made, 'succeeded')
    return runOf('payment', made.id)
  },
  async 'payment-scheduled-then-given-up'() {
    const at = await payerBy('fiat', '10.00')
    const day = await businessDay()
    const made = await scheduled(at, day)
    await moveToLastHour(made, day)
    await become(at, made, 'failed')
    return runOf('payment', made.id)
  },
  async 'payment-batch-scheduled'() {
    const { batch, day } = await batchOnDay('10.00')
    await moveToHour(day, 6)
    await ended(batch.id)
    return run(batch)
  },
  async 'payment-batch-put-off-then-paid'() {
    const { payer, batch, day } = await batchOnDay('1.00')
    await moveToHour(day, 6)
    await until('it to be put off', async () => {
      const [row] = await owner`select from payment_schedules where id = ${batch.approval_request_id} and refused <> ''`
      return row
    })
    await isSeen(batch.id)
    await fund(payer.id, '10.00')
    await moveToHour(day, 10)
    await ended(batch.id)
    return run(batch)
  },
  async 'payment-batch-day-given-up'() {
    const { payer, batch, day } = await batchOnDay('10.00')
    await moveOrganization(payer.id as OrganizationId, 'pause')
    await moveToHour(day, 17)
    await ended(batch.id)
    return run(batch)
  },
})

beforeAll(async () => {
  await owner.unsafe(`
    create table late_payees (id uuid primary key);
    create function ask_late_payees() returns trigger language plpgsql as $$ begin
      if exists (select from late_payees l where l.id = new.id) then
        new.payee_check_due_at := business_now() - interval '1 second';
      end if;
      return new;
    end $$;
    alter function ask_late_payees() security definer;
    create trigger late_payees before update on payments for each row
      when (old.status = 'awaiting_approval' and new.status = 'submitted') execute function ask_late_payees();`)
})

recordPaths({
  async 'payment-payee-asked-again'() {
    const payer = await payeeNamed(PRIVATE.firstName)
    const payment = await outgoing(payer)
    await fault('payee_checks', 'match')
    await advance(25 * 60 * MINUTE)
    await owner`update sessions set last_used_at = business_now(), signed_in_at = business_now()`
    await until('the bank to be asked again', async () => (await checksOf(payment)).length === 2)
    await approve(payer.boss, payment)
    await become(payer, payment, 'succeeded')
    return runOf('payment', payment.id)
  },
  async 'payment-failed-for-its-payee'() {
    const payer = await payeeNamed(PRIVATE.firstName)
    const payment = await outgoing(payer)
    await owner`insert into late_payees (id) values (${payment.id})`
    await fault('payee_checks', 'no_match')
    await approve(payer.boss, payment)
    await become(payer, payment, 'failed')
    return runOf('payment', payment.id)
  },
  async 'payment-batch-payees-asked'() {
    const boss = await person({ name: PRIVATE.firstName })
    const payer = await organization(boss, PRIVATE.payer)
    await fund(payer.id, '100.00', 'EUR')
    const id = await newBatch(boss, payer.id)
    await imported(boss, id, `${HEADER}\n,,Payee,DE89370400440532013000,1.00,EUR,${TERMS}`)
    await until('the bank to be asked', async () => {
      const [row] = await owner`select payees_unasked from payment_batches where id = ${id}`
      return row?.['payees_unasked'] === false
    })
    return runOf('payment-batch', id)
  },
})
