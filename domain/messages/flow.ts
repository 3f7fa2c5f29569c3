/** States of a message; without schemas, as in payment.ts. */
import { type Flow, flow } from '../flow.ts'

/**
 * Statuses of a message. `mailbox`: shown in the sandbox mailbox, the only recipient in test. `queued`: a workflow
 * delivers it. `discarded`: written for its cost alone, never delivered or shown.
 */
export const MESSAGE_STATUSES = ['mailbox', 'queued', 'sent', 'failed', 'discarded'] as const

export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const messageFlow = flow({
  noun: 'message',
  table: 'messages',
  logged: false, // logs belong to organizations, a message to its recipient
  workflow: 'delivery',
  summary: () => 'Delivery of a message',
  states: MESSAGE_STATUSES,
  driven: ['queued'],
  events: {
    send: { from: ['queued'], to: 'sent', logs: 'sent' },
    keep: { from: ['queued'], to: 'mailbox', logs: 'kept' },
    fail: { from: ['queued'], to: 'failed', logs: 'failed' },
  },
}) satisfies Flow
