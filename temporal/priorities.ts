/** Priorities of runs, which their activities inherit: how soon a task is taken, and in turn with whom. */
import type { Priority } from '@temporalio/common'
import type { PROCESSES } from '../domain/registries/flows.ts'
import type { OrganizationId } from '../domain/ids.ts'

/** Keys of the server: a lower one is taken first. */
const URGENCY = { awaited: 1, usual: 3, background: 5 } as const

/** Processes whose outcome a person waits for, and those that nobody watches; all others are usual. */
const URGENCIES: Partial<Record<keyof typeof PROCESSES, (typeof URGENCY)[keyof typeof URGENCY]>> = {
  payment: URGENCY.awaited,
  paymentContact: URGENCY.awaited,
  delivery: URGENCY.awaited,
  invitation: URGENCY.awaited,
  bill: URGENCY.awaited,
  export: URGENCY.background,
  accountingSync: URGENCY.background,
}

/** Makes the priority of a process. Fairness: a queue takes from each organization in turn. */
export const priorityOf = (type: keyof typeof PROCESSES, organizationId: OrganizationId | null): Priority => ({
  priorityKey: URGENCIES[type] ?? URGENCY.usual,
  fairnessKey: organizationId ?? SERVICE,
})

/** Fairness key of what belongs to no organization. */
const SERVICE = 'service'
