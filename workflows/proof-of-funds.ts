/** Scheduled proof that the money of all organizations is there. */
import { ActivityFailure, setCurrentDetails } from '@temporalio/workflow'
import type { ReconciledPart } from '../activities/reconciliation.ts'
import type { FundsOutcome } from '../domain/funds/look.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { reconcileAt, scheduleOn } from './proxies.ts'
import { pauseRound } from './run.ts'

/** Pauses between looks: what is on its way has arrived after half an hour. */
const PAUSES_SECONDS = [10, 60, 240, 600, 900]
/** Most parts of the lists of a connection in a look: without a whole list nothing is compared. */
const PARTS_MAX = 100

/** Proves the funds; answers how many proofs were signed in all, and how many balances were not equal at last. */
export async function proofOfFunds(): Promise<FundsOutcome> {
  const connections = await scheduleOn('rows').listFundsConnections()
  let signed = 0
  for (let look = 0; ; look += 1) {
    await Promise.all(connections.map(askConnection))
    const pause = PAUSES_SECONDS[look]
    const done = await scheduleOn('rows').proveBalances({ isLast: pause === undefined })
    signed += done.signed
    setCurrentDetails(`${signed} proofs signed, ${done.open} balances not equal.`)
    if (done.open === 0 || pause === undefined) return { signed, open: done.open }
    await pauseRound(pause, 'Next look at what is on its way')
  }
}

/** Asks for balances, then reads the lists of movements: these tell what the balances count. */
async function askConnection(connection: ConnectionName): Promise<void> {
  const partner = reconcileAt(connection)
  await partner.askBalances({ connection })
  let next: ReconciledPart['next'] = { partner: connection, steps: ['payouts', 'deposits'] }
  try {
    for (let part = 0; next && part < PARTS_MAX; part += 1) {
      const { pause_seconds: pause, ...rest }: NonNullable<ReconciledPart['next']> = next
      if (pause) return // a list cannot be read now: the next look tries again
      next = (await partner.reconcilePartner(rest)).next
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error // lists that are refused are findings of their own
  }
}
