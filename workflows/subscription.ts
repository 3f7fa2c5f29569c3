/** A subscription: it is paid month by month, for as long as it lasts. */
import type { subscriptionFlow } from '../domain/flows/subscription.ts'
import type { ProcessRef } from '../domain/process.ts'
import { drive } from './drive.ts'
import { record } from './proxies.ts'

/** Answers `expired`. The look pays the month that is due. */
export const subscription = (ref: ProcessRef) =>
  drive<typeof subscriptionFlow>(ref, record.lookAtSubscription, { active: 'waits' })
