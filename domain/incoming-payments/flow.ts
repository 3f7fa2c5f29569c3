import { flow } from '../flow.ts'

export const INCOMING_PAYMENT_STATES = ['matching', 'allocated', 'proposed', 'unrelated'] as const
export type IncomingPaymentState = (typeof INCOMING_PAYMENT_STATES)[number]

export const incomingPaymentFlow = flow({
  noun: 'incoming_payment',
  table: 'incoming_payments',
  logged: false, // the invoice's log says what it pays
  workflow: 'incoming-payment',
  summary: () => 'Which invoice incoming money pays',
  states: INCOMING_PAYMENT_STATES,
  driven: ['matching'],
  events: {
    allocate: { from: ['matching', 'proposed', 'unrelated'], to: 'allocated', logs: 'allocated' },
    propose: { from: ['matching', 'allocated', 'unrelated'], to: 'proposed', logs: 'proposed' },
    pass: { from: ['matching', 'allocated', 'proposed'], to: 'unrelated', logs: 'passed' },
  },
})
