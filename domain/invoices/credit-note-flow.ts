import { flow } from '../flow.ts'

export const CREDIT_NOTE_STATES = ['draft', 'awaiting_approval', 'sent'] as const
export type CreditNoteState = (typeof CREDIT_NOTE_STATES)[number]

/** Flow of a credit note. A sent one rests once its documents are written and mailed. */
export const creditNoteFlow = flow({
  noun: 'credit_note',
  table: 'credit_notes',
  workflow: 'credit-note',
  summary: () => 'Credit note to a customer',
  states: CREDIT_NOTE_STATES,
  driven: ['awaiting_approval'],
  asksPeople: ['awaiting_approval'],
  events: {
    submit: { from: ['draft'], to: 'awaiting_approval', logs: 'submitted' },
    refuse: { from: ['awaiting_approval'], to: 'draft', logs: 'refused' },
    send: { from: ['draft', 'awaiting_approval'], to: 'sent', logs: 'sent' },
  },
})
