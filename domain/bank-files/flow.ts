/** States of a file to or from a bank; without schemas, as in payment.ts. */
import { type Flow, flow } from '../flow.ts'

/**
 * Statuses of files. To a bank: payments are collected, written, uploaded, acknowledged; `closed` once each payment has
 * ended. From a bank: `fetched`, then `read`; `duplicate` has the bytes of another.
 */
export const BANK_FILE_STATUSES = [
  'collecting',
  'written',
  'uploaded',
  'acknowledged',
  'on_hold',
  'rejected',
  'closed',
  'fetched',
  'read',
  'unreadable',
  'duplicate',
] as const
export type BankFileStatus = (typeof BANK_FILE_STATUSES)[number]

export const bankFileFlow = flow({
  noun: 'bank_file',
  table: 'bank_files',
  logged: false, // logs belong to organizations, a file to its bank
  workflow: 'bank-file',
  summary: () => 'File to or from a bank',
  states: BANK_FILE_STATUSES,
  driven: ['collecting', 'written', 'uploaded', 'acknowledged', 'on_hold', 'fetched'],
  events: {
    write: { from: ['collecting'], to: 'written', logs: 'written' },
    upload: { from: ['written'], to: 'uploaded', logs: 'uploaded' },
    acknowledge: { from: ['written', 'uploaded', 'on_hold'], to: 'acknowledged', logs: 'acknowledged' },
    hold: { from: ['collecting', 'written', 'uploaded'], to: 'on_hold', logs: 'held' },
    reject: { from: ['written', 'uploaded', 'acknowledged', 'on_hold'], to: 'rejected', logs: 'rejected' },
    close: { from: ['collecting', 'uploaded', 'acknowledged', 'on_hold'], to: 'closed', logs: 'closed' },
    read: { from: ['fetched'], to: 'read', logs: 'read' },
    give_up: { from: ['fetched'], to: 'unreadable', logs: 'given_up' },
    read_again: { from: ['read', 'unreadable'], to: 'fetched', logs: 'read_again' },
  },
}) satisfies Flow
