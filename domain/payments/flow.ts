/** States of a payment. Without schemas: each run evaluates the bundle, and schemas would be most of it. */
import { type Flow, publicStateOf, flow } from '../flow.ts'
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

/** States of the row. `scheduled` is an inner one, between approval and `submitted`: no money is held yet. */
const PAYMENT_STATES = [...PAYMENT_STATUSES, 'scheduled'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const paymentFlow = flow({
  noun: 'payment',
  table: 'payments',
  workflow: 'payment',
  summary: ({ rail }) => `Payment by ${labelOf(rail)}`,
  calledAtRest: true,
  states: PAYMENT_STATES,
  answers: { scheduled: 'submitted' },
  driven: ['awaiting_approval', 'scheduled', 'submitted', 'processing', 'on_hold', 'cancelling'],
  asksPeople: ['awaiting_approval'],
  events: {
    schedule: { from: ['awaiting_approval'], to: 'scheduled', logs: 'scheduled' },
    unschedule: { from: ['scheduled'], to: 'cancelled', logs: 'unscheduled' },
    submit: { from: ['awaiting_approval', 'scheduled'], to: 'submitted', logs: 'submitted' },
    withdraw: { from: ['awaiting_approval'], to: 'cancelled', logs: 'cancelled' },
    accept: { from: ['submitted'], to: 'processing', logs: 'accepted' },
    hold: { from: ['submitted', 'processing'], to: 'on_hold', logs: 'held' },
    fall_back: { from: ['submitted', 'processing', 'on_hold'], to: 'submitted', logs: 'fell_back' },
    release: { from: ['on_hold'], to: 'processing', logs: 'released' },
    cancel: { from: ['submitted', 'processing'], to: 'cancelling', logs: 'cancel_requested' },
    confirm_cancel: { from: ['cancelling'], to: 'cancelled', logs: 'cancelled' },
    broadcast: { from: ['cancelling'], to: 'processing', logs: 'broadcast' },
    miss: { from: ['scheduled'], to: 'failed', logs: 'failed' },
    fail: { from: ['submitted', 'processing', 'on_hold'], to: 'failed', logs: 'failed' },
    settle: { from: ['processing'], to: 'succeeded', logs: 'settled' },
    reverse: { from: ['succeeded'], to: 'reversed', logs: 'reversed' },
  },
}) satisfies Flow

/** Returns the status that a payment is answered with. */
export const paymentStatusOf = (state: PaymentState): PaymentStatus =>
  publicStateOf(paymentFlow, state) as PaymentStatus

/** Lists the states of rows that are answered with a status. */
export const statesAnsweredAs = (status: PaymentStatus): PaymentState[] =>
  PAYMENT_STATES.filter((state) => paymentStatusOf(state) === status)
