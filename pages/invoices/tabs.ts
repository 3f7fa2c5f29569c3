/** Parts that pages of invoices share: their places, and what they say of a state. */
import type { Markup } from '../../api/http/http.ts'
import type { InvoiceState } from '../../domain/invoices/flow.ts'
import { type CompanyShell, may } from '../frame/company.ts'
import { type Mood, badge, tabs } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

type Part = 'invoices' | 'credit-notes' | 'customers' | 'deposits'

/** Leads to what belongs to invoices: the viewer sees those parts that they may read. */
export function invoiceTabs(here: Part, shell: CompanyShell, { invoices }: Words): Markup {
  const at = `/o/${shell.company.id}`
  const parts = [
    ['invoices', `${at}/invoices`, invoices.heading, may(shell, 'billing_invoices.list_own')],
    ['credit-notes', `${at}/invoices/credit-notes`, invoices.notes.heading, may(shell, 'billing_invoices.list_own')],
    ['customers', `${at}/invoices/customers`, invoices.customers.heading, may(shell, 'billing_contacts.list')],
    ['deposits', `${at}/deposits`, invoices.deposits.heading, may(shell, 'transactions.list_own')],
  ] as const
  return tabs(
    invoices.parts,
    parts.flatMap(([part, path, text, isSeen]) => (isSeen ? [{ path, text, here: part === here }] : [])),
  )
}

const MOODS: Readonly<Partial<Record<InvoiceState | 'overdue', Mood>>> = { paid: 'good', overdue: 'bad' }

type Standing = { readonly state: InvoiceState; readonly is_overdue: boolean }

/** Shows the state of an invoice in a word; one that is late says so. */
export function stateBadge({ state, is_overdue: late }: Standing, { invoices }: Words): Markup {
  const shown = late && state !== 'paid' ? 'overdue' : state
  return badge(invoices.states[shown], MOODS[shown])
}
