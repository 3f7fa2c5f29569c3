/** State of a bill in a word: what it waits for, or why nothing is paid. */
import type { Markup } from '../../api/http/http.ts'
import type { Bill } from '../../domain/bills/bill.ts'
import { type Mood, badge } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

type State = keyof Words['bills']['states']

const MOODS: Readonly<Partial<Record<State, Mood>>> = {
  unread: 'bad',
  check: 'warn',
  account: 'bad',
  waits: 'warn',
  paid: 'good',
}

/** Names what a bill waits for. One with a payment is paid if it is open no more. */
function stateOf(bill: Bill, isOpen: boolean): State {
  const { status } = bill
  if (status === 'extracting') return 'reading'
  if (status === 'cancelled') return 'cancelled'
  if (status === 'payment_requested') return isOpen ? 'asked' : 'paid'
  if (bill.waits_for) return 'waits'
  if (bill.bank_details_differ) return 'account'
  if (bill.extraction_error && bill.amount === null) return 'unread'
  return bill.doubts.length > 0 || bill.amount === null || bill.currency === null ? 'check' : 'ready'
}

/** Shows the state of a bill. */
export function billBadge(bill: Bill, isOpen: boolean, { bills }: Words): Markup {
  const reason = bill.status === 'extracted' ? bill.not_payable : null
  if (reason) return badge(bills.notPayable[reason])
  const state = stateOf(bill, isOpen)
  return badge(bills.states[state], MOODS[state])
}
