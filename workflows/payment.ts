/** A payment: people decide, its day comes, its partner pays it out. By service ID it settles with its approval. */
import type { PaymentId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { awaitApproval } from './approval.ts'
import { mover, ratesDesk, record, rows } from './proxies.ts'
import { Run, type Step } from './run.ts'

/** Drives a payment. A callback after its end starts a new run. */
export async function payment(ref: ProcessRef<PaymentId>): Promise<string> {
  const run = new Run(ref, record.viewPayment)
  for await (const payment of run.rows()) {
    switch (payment.status) {
      case 'awaiting_approval':
        if (payment.payee_check_due && payment.approval.due !== 'expiry') await run.step(mover(payment).checkPayee)
        else await awaitApproval(run, payment)
        break
      case 'scheduled':
        if (payment.execution_due) await run.step((payment.exchanges ? ratesDesk() : rows()).executeScheduled)
        else await run.wait('Execution date')
        break
      case 'submitted':
        if (payment.payee_refused) await run.step(record.failHeldPayee)
        else if (payment.payee_check_due) await run.step(mover(payment).checkPayee)
        else await ask(mover(payment).orderPayout)
        break
      case 'cancelling':
        await ask(mover(payment).cancelPayout)
        break
      case 'processing':
      case 'on_hold':
      case 'succeeded': // ended, but a callback came
      case 'failed':
      case 'reversed':
      case 'cancelled':
        await ask(mover(payment).pollPayout)
        break
      default:
        payment satisfies never
    }

    /** Polls the partner when due, or after a callback: the backoff is stored in the row. */
    async function ask(step: Step<PaymentId>): Promise<void> {
      if ('ask_due' in payment && payment.ask_due) await run.step(step)
      else await run.wait('Next poll of the partner')
    }
  }
  return run.status
}
