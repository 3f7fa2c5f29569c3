/** A cover: an exchange opened our own position, and a trade at the rates desk closes it, however long that takes. */
import type { CoverId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { partner, record } from './proxies.ts'
import { Run } from './run.ts'

/** Returns the status that the cover ended in. The organization's part, a swap or a payment, was over before. */
export async function cover(ref: ProcessRef<CoverId>): Promise<string> {
  const { tradeCover } = partner()
  const run = new Run(ref, record.viewCover)
  for await (const cover of run.rows()) {
    if (cover.trade_due) await run.step(tradeCover)
    else await run.wait('The rates desk is asked again')
  }
  return run.status
}
