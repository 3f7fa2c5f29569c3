import { extendEventChain } from '../services/webhooks/chain.ts'
import { log } from '../platform/log.ts'
import { repeatEvery } from './rounds.ts'

const EVERY_MS = 250
const BATCH = 1000

export async function extendChain(): Promise<void> {
  while ((await extendEventChain(BATCH)) >= BATCH);
}

/** Extends the chain four times a second until it is stopped. */
export const startChaining = (): { stop: () => Promise<void> } =>
  repeatEvery(EVERY_MS, () =>
    extendChain().catch((error: unknown) => log.error({ err: error }, 'the event log was not extended')),
  )
