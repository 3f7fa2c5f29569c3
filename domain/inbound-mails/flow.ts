import { flow } from '../flow.ts'

export const INBOUND_MAIL_STATUSES = [
  'received',
  'unknown_sender',
  'mail_without_bill',
  'accepted',
  'refused',
  'duplicate',
] as const
export type InboundMailStatus = (typeof INBOUND_MAIL_STATUSES)[number]

/** Flow of a mail that brings bills: it is read, and people decide where its sender is not known or it has no bill. */
export const inboundMailFlow = flow({
  noun: 'inbound_mail',
  table: 'inbound_mails',
  workflow: 'inbound-mail',
  summary: () => 'Mail that is read',
  states: INBOUND_MAIL_STATUSES,
  driven: ['received'],
  events: {
    take: { from: ['received'], to: 'accepted', logs: 'taken' },
    hold: { from: ['received'], to: 'unknown_sender', logs: 'held' },
    find_nothing: { from: ['received'], to: 'mail_without_bill', logs: 'found_empty' },
    repeat: { from: ['received'], to: 'duplicate', logs: 'repeated' },
    accept: { from: ['unknown_sender', 'mail_without_bill'], to: 'accepted', logs: 'accepted' },
    refuse: { from: ['unknown_sender', 'mail_without_bill'], to: 'refused', logs: 'refused' },
  },
})
