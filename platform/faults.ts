/** Injected faults of storage and mail in test: none, unless the process injects the sandbox's. */
import type postgres from 'postgres'
import type { Fault, Faulty } from '../domain/sandbox/sandbox.ts'

type Faults = {
  /** Tells whether the partner has any of these faults now; uses none up. Reads on the given connection. */
  readonly has: (partner: Faulty, faults: readonly Fault[], runner?: postgres.ISql) => Promise<boolean>
  /** Uses up one hit of the first of these faults that the partner has. */
  readonly take: (partner: Faulty, faults: readonly Fault[]) => Promise<Fault | undefined>
}

let injected: Faults = { has: async () => false, take: async () => undefined }

export const injectFaults = (faults: Faults): void => {
  injected = faults
}

export const hasFault: Faults['has'] = (...asked) => injected.has(...asked)
export const takeFault: Faults['take'] = (...asked) => injected.take(...asked)
