/** A subscription: charged monthly; retried while money is missing, held while none moves. */
import type { SubscriptionId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { record } from './proxies.ts'
import { Run } from './run.ts'

export async function subscription(ref: ProcessRef<SubscriptionId>): Promise<string> {
  const run = new Run(ref, record.viewSubscription)
  for await (const subscription of run.rows()) {
    switch (subscription.due) {
      case 'charge':
        await run.step(record.chargeMonth) // a month unpaid at its last try ends the subscription
        break
      case 'hold':
        await run.step(record.holdRenewal)
        break
      case 'expiry':
        await run.step(record.expireSubscription)
        break
      case null:
        if (subscription.ending) await run.wait('End of the subscription')
        else if (subscription.failed_tries > 0) await run.wait('Next try to charge the month')
        else await run.wait('Next month of the subscription')
        break
      default:
        subscription.due satisfies never
    }
  }
  return run.status
}
