/** A deposit: announced by its partner; credited, held until its sender is named, or sent back. */
import type { DepositId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { mover, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a deposit; ends as `announced` if the callback led to no deposit of this run. */
export async function deposit(ref: ProcessRef<DepositId>): Promise<string> {
  const run = new Run(ref, record.viewDeposit)
  for await (const deposit of run.rows()) {
    const { bookAnnouncedDeposit, askAboutDeposit, sendDepositBack } = mover(deposit)
    switch (deposit.status) {
      case 'announced':
        await run.step(bookAnnouncedDeposit)
        break
      case 'held':
        if (deposit.calls_to_take_in) await run.step(record.takeInCalls)
        else if (deposit.return_due) await run.step(record.startReturn)
        else if (deposit.ask_due) await run.step(deposit.returning ? sendDepositBack : askAboutDeposit)
        else await run.wait(deposit.asking ? 'Next poll of the partner' : 'Return of the deposit')
        break
      case 'credited': // a callback came while it was being booked
      case 'returned':
        await run.step(record.takeInCalls)
        break
      default:
        deposit satisfies never
    }
  }
  return run.status
}
