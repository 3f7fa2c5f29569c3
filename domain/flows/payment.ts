/** States of a payment. Without schemas: each run evaluates the bundle, and schemas would be most of it. */
import { type Flow, flow } from './flow.ts'
import { labelOf } from '../rails.ts'

export const PAYMENT_STATUSES = [
  'awaiting_approval',
  'submitted',
  'processing',
  'on_hold',
  'cancelling',
  'succeeded',
  'failed',
  'reversed',
  'cancelled',
] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const paymentFlow = flow({
  noun: 'payment',
  table: 'payments',
  workflow: 'payment',
  summary: ({ rail }) => `Payment by ${labelOf(rail)}`,
  calledAtRest: true,
  states: PAYMENT_STATUSES,
  driven: ['awaiting_approval', 'submitted', 'processing', 'on_hold', 'cancelling'],
  asksPeople: ['awaiting_approval'],
  events: {
    submit: { from: ['awaiting_approval'], to: 'submitted', logs: 'submitted' },
    withdraw: { from: ['awaiting_approval'], to: 'cancelled', logs: 'cancelled' },
    accept: { from: ['submitted'], to: 'processing', logs: 'accepted' },
    hold: { from: ['submitted', 'processing'], to: 'on_hold', logs: 'held' },
    release: { from: ['on_hold'], to: 'processing', logs: 'released' },
    cancel: { from: ['submitted', 'processing'], to: 'cancelling', logs: 'cancel_requested' },
    confirm_cancel: { from: ['cancelling'], to: 'cancelled', logs: 'cancelled' },
    broadcast: { from: ['cancelling'], to: 'processing', logs: 'broadcast' },
    fail: { from: ['submitted', 'processing', 'on_hold'], to: 'failed', logs: 'failed' },
    settle: { from: ['processing'], to: 'succeeded', logs: 'settled' },
    reverse: { from: ['succeeded'], to: 'reversed', logs: 'reversed' },
  },
}) satisfies Flow
