/** `npm run histories`: walks the paths of payments whose payee the bank is asked about again. */
import { beforeAll, vi } from 'vitest'
import { PAYEE_CHECK_HOURS } from '../../domain/payee-checks/payee-check.ts'
import { approve, fund, organization, person } from '../support/api.ts'
import { HEADER, TERMS, imported, newBatch } from '../support/batches/imports.ts'
import { owner } from '../support/database.ts'
import { wait } from '../support/identity/identity.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { fault, usePartners } from '../support/partners/partners.ts'
import { checksOf, payeeNamed } from '../support/payee-checks/payees.ts'
import { become, outgoing } from '../support/payments/payouts.ts'
import { waits } from '../support/runs/runs.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-payees-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })

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

/** A payment that waits for approval, and the bank's next answer about its payee after a day. */
async function askedAgain(answer: 'match' | 'no_match') {
  const payer = await payeeNamed(PRIVATE.firstName)
  const payment = await outgoing(payer)
  await fault('payee_checks', answer)
  await waits(payment)
  await wait((PAYEE_CHECK_HOURS + 1) * 3600)
  await until('the bank to be asked again', async () => (await checksOf(payment)).length === 2)
  return { payer, payment }
}

recordPaths({
  'payment-payee-changed': async () => {
    const { payer, payment } = await askedAgain('no_match')
    await become(payer, payment, 'cancelled')
    return runOf('payment', payment.id)
  },
  'payment-payee-asked-again': async () => {
    const { payer, payment } = await askedAgain('match')
    await approve(payer.boss, payment)
    await become(payer, payment, 'succeeded')
    return runOf('payment', payment.id)
  },
  'payment-failed-for-its-payee': async () => {
    const payer = await payeeNamed(PRIVATE.firstName)
    const payment = await outgoing(payer)
    await owner`insert into late_payees (id) values (${payment.id})`
    await fault('payee_checks', 'no_match')
    await approve(payer.boss, payment)
    await become(payer, payment, 'failed')
    return runOf('payment', payment.id)
  },
  'payment-batch-payees-asked': async () => {
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
