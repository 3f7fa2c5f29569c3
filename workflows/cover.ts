/**
 * What an exchange opened in our own position is closed at the rates desk, however long that takes. The organization's
 * part, a swap or a payment, was over before.
 */
import type { coverFlow } from '../domain/flows/cover.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { partner, record } from './proxies.ts'

/** Answers the state that the cover ended in. */
export const cover = (ref: ProcessRef) =>
  drive<typeof coverFlow>(ref, record.lookAtCover, { open: partner().coverPosition })
