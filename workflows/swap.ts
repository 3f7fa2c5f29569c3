/**
 * A swap after it was executed: our own position is closed at the rates desk, however long that takes. The
 * organization's part was over before.
 */
import type { swapFlow } from '../db/model/flows/swap.ts'
import type { ProcessRef } from '../db/model/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the swap ended in. */
export const swap = (ref: ProcessRef) =>
  drive<typeof swapFlow>(ref, record.lookAtSwap, { executed: partner().coverSwap })
