/** What the process of an invoice finds in its row. */
import { readAttended, waitsForApproval } from '../approvals/look.ts'
import { type WaitingRow, joinApproval, waitingColumns } from '../approvals/requirements.ts'
import { type AskRow, askColumns } from '../asking.ts'
import { type InvoiceState, invoiceFlow } from '../../domain/flows/invoice.ts'
import { driven } from '../../domain/flows/flow.ts'
import { isGone } from '../../domain/flows/undriven/organization.ts'
import type { ApprovalId, InvoiceId } from '../../domain/ids.ts'
import { minuteOf } from '../../domain/instants.ts'
import { type Found, type ProcessRef, sayState } from '../../domain/process.ts'
import { type Tx, sql } from '../sql.ts'
import { inTurn } from '../turns.ts'
import { attendMails, mailInvoice } from './mails.ts'
import { remind } from './reminders.ts'

type Row = WaitingRow &
  AskRow & {
    readonly status: InvoiceState
    readonly approval_id: ApprovalId | null
    readonly number: string | null
    readonly due_date: string
    /** Its PDF, and its XML if it has one, are in storage. */
    readonly is_written: boolean
    /** It was mailed once, or there was no address to mail it to. */
    readonly is_mailed: boolean
    readonly organization_status: string
  }

type Standing = Omit<Found<InvoiceState>, 'status'>

const AT_REST = { driven: false, due_now: false, look_at: null, waits_for: '' } as const

/**
 * Where an invoice stands. Its approval is attended, or its customer mailed and reminded, if that is due; what is sent
 * is written as PDF before, also if it is paid by then.
 */
export async function findInvoiceState(tx: Tx, ref: ProcessRef): Promise<Found<InvoiceState> | undefined> {
  const id = ref.id as InvoiceId // the ref of an invoice's process
  const row = await readAttended(tx, { type: 'billing_invoice', id }, () => readRow(tx, id))
  if (!row) return undefined
  const { status } = row
  if (status === 'awaiting_approval') return { status, driven: true, ...(await waitsForApproval(tx, row)) }
  if (row.number === null || isGone(row.organization_status)) {
    return { status, ...AT_REST, driven: driven(invoiceFlow, status), says: sayState('invoice', status) }
  }
  const found = { status, ...(row.is_written ? await underDelivery(tx, id, row) : unwritten(row)) }
  return inTurn(tx, { flow: invoiceFlow, queue: 'documents', id }, found)
}

function unwritten({ number, due, ask_at: lookAt, asks, ask_note: note }: Row): Standing {
  const says = `Writes ${number} as PDF${asks > 0 ? `, again: ${note}` : ''}.`
  return { driven: true, due_now: due, look_at: lookAt, says, waits_for: 'Write the PDF again' }
}

/** Mails what is due, and says when the next mail is. */
async function underDelivery(tx: Tx, id: InvoiceId, row: Row): Promise<Standing> {
  const { status } = row
  const isOpen = driven(invoiceFlow, status)
  if (!row.is_mailed) await mailOnce(tx, id)
  const reminder = isOpen ? await remind(tx, id) : null
  const again = await attendMails(tx, id, { isOpen })
  const next = [reminder, again].filter((at) => at !== null).sort()[0] ?? null
  return {
    driven: isOpen || again !== null,
    due_now: false,
    look_at: next,
    says: saysOf(row, { isOpen, reminder, again }),
    waits_for: next !== null && next === reminder ? 'Reminder of the customer' : 'Send a mail again',
  }
}

type Waiting = { readonly isOpen: boolean; readonly reminder: string | null; readonly again: string | null }

function saysOf({ status, number, due_date: dueDate }: Row, { isOpen, reminder, again }: Waiting): string {
  const failed = again === null ? '' : ` A mail has failed: it is sent again at ${minuteOf(again)}.`
  if (!isOpen) return `${number} is ${status}.${failed}`
  const next = reminder === null ? 'no reminder is left' : `the customer is reminded at ${minuteOf(reminder)}`
  return `${number} is ${status}, and due on ${dueDate}. Waits for its payment; ${next}.${failed}`
}

/**
 * Once, to the addresses that its customer had when it was sent; another look that does the same at this moment finds
 * it done.
 */
async function mailOnce(tx: Tx, id: InvoiceId): Promise<void> {
  const [first] = await tx<{ mail_to: string[] }[]>`
    update invoices set mailed_at = business_now() where id = ${id} and mailed_at is null returning mail_to`
  if (first) await mailInvoice(tx, id, { kind: 'invoice', to: first.mail_to })
}

async function readRow(tx: Tx, id: InvoiceId): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select i.status, i.approval_request_id as approval_id, i.number, i.due_date, i.pdf_file_id is not null as is_written,
      i.mailed_at is not null as is_mailed, o.status as organization_status, ${askColumns(sql`i`)}, ${waitingColumns()}
    from invoices i join organizations o on o.id = i.organization_id
    ${joinApproval(sql`i.approval_request_id`)}
    where i.id = ${id}`
  return row
}
