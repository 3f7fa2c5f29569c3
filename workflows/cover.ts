/** A cover: a trade at the rates desk closes our position of one exchange. */
import type { CoverId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { ratesDesk, record } from './proxies.ts'
import { Run } from './run.ts'

/** Drives a cover. The organization's swap or payment is over before. */
export async function cover(ref: ProcessRef<CoverId>): Promise<string> {
  const { tradeCover } = ratesDesk()
  const run = new Run(ref, record.viewCover)
  for await (const cover of run.rows()) {
    if (cover.trade_due) await run.step(tradeCover)
    else await run.wait('Next try at the rates desk')
  }
  return run.status
}
