/** The logs of all organizations get longer: what was committed is chained, by every worker in turn. */
import { extendEventChain } from '../db/webhooks/chain.ts'
import { log } from '../platform/log.ts'
import { repeatEvery } from './rounds.ts'

const EVERY_MS = 250
const BATCH = 1000

/** Chains whatever was committed and is not chained yet. */
export async function extendChain(): Promise<void> {
  while ((await extendEventChain(BATCH)) === BATCH);
}

/** Does so four times a second until it is stopped: who follows a log is told soon. */
export const startChaining = (): { stop: () => Promise<void> } =>
  repeatEvery(EVERY_MS, () =>
    extendChain().catch((error: unknown) => log.error({ err: error }, 'the log was not extended')),
  )
