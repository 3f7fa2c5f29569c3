/** Scheduled proof that the money of all organizations is there. */
import { ActivityFailure, setCurrentDetails } from '@temporalio/workflow'
import type { ReconciledPart } from '../activities/reconciliation.ts'
import type { FundsOutcome } from '../domain/funds/look.ts'
import type { ConnectionName } from '../domain/partner.ts'
import { proveAt, scheduleOn } from './proxies.ts'
import { pauseRound } from './run.ts'

/** Looks within twenty minutes: what was on its way has arrived by then. */
const LOOKS_MAX = 6
const FIRST_PAUSE_SECONDS = 10
const PAUSE_GROWS_BY = 3
/** Most parts of the lists of a connection in a look: without a whole list nothing is compared. */
const PARTS_MAX = 100

/** Proves the funds; answers how many proofs were signed in all, and how many balances were not equal at last. */
export async function proofOfFunds(): Promise<FundsOutcome> {
  const connections = await scheduleOn('rows').listFundsConnections()
  let signed = 0
  for (let look = 1; ; look += 1) {
    for (const connection of connections) await askConnection(connection)
    const isLast = look === LOOKS_MAX
    const done = await scheduleOn('rows').proveBalances({ isLast })
    signed += done.signed
    setCurrentDetails(`${signed} proofs signed, ${done.open} balances not equal.`)
    if (done.open === 0 || isLast) return { signed, open: done.open }
    await pauseRound(FIRST_PAUSE_SECONDS * PAUSE_GROWS_BY ** (look - 1), 'Next look at balances')
  }
}

/** Asks for balances, then reads the lists of movements: these tell what the balances count. */
async function askConnection(connection: ConnectionName): Promise<void> {
  const partner = proveAt(connection)
  let next: ReconciledPart['next'] = { partner: connection, steps: ['payouts', 'deposits'] }
  try {
    await partner.askBalances({ connection })
    for (let part = 0; next && part < PARTS_MAX; part += 1) {
      const { pause_seconds: pause, ...rest }: NonNullable<ReconciledPart['next']> = next
      if (pause) return // a list cannot be read now: the next look tries again
      next = (await partner.reconcilePartner(rest)).next
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error // one that is away delays no other: its currencies stay open
  }
}
