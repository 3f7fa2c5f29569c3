/** The states of a message, apart from its schemas: workflows import them (see payment-flow.ts). */
import { type Flow, flow } from './flow.ts'

/**
 * `mailbox`: the sandbox mailbox shows it, because there is no other recipient in test. `queued`: a workflow hands it
 * to the mail server or the messenger. `discarded`: written for its cost alone, delivered and shown to nobody.
 */
export const MESSAGE_STATUSES = ['mailbox', 'queued', 'sent', 'failed', 'discarded'] as const

export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

export const messageFlow = flow({
  noun: 'message',
  table: 'messages',
  logged: false, // the log is of organizations, and a message is of its recipient
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
