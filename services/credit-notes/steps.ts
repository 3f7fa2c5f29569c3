/** Steps of the run of a credit note; activities/invoices/ writes the documents. */
import { creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import { isGone } from '../../domain/organizations/flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { logEnded, resendDueMails, sendCreditNoteMails } from './mails.ts'

/** Mails a credit note once, to the addresses that its customer had when it was sent. */
export async function mailCreditNote(tx: Tx, id: CreditNoteId): Promise<void> {
  const note = await lockWritten(tx, id)
  if (!note || note.mailed) return
  await tx`update credit_notes set mailed_at = business_now() where id = ${id}`
  await sendCreditNoteMails(tx, id, { kind: 'credit_note', to: note.mail_to })
  await logEnded(tx, id)
  wake(tx, creditNoteFlow, { ids: [id], why: 'mailed' })
}

/** Logs the ends of mails, and schedules the retry of failed ones. */
export async function logCreditNoteMails(tx: Tx, id: CreditNoteId): Promise<void> {
  if (!(await lockWritten(tx, id)) || !(await logEnded(tx, id))) return
  wake(tx, creditNoteFlow, { ids: [id], why: 'mails logged' })
}

/** Sends failed mails again whose pause is over. */
export async function resendCreditNoteMails(tx: Tx, id: CreditNoteId): Promise<void> {
  if (!(await lockWritten(tx, id)) || (await resendDueMails(tx, id)) === 0) return
  await logEnded(tx, id)
  wake(tx, creditNoteFlow, { ids: [id], why: 'mailed again' })
}

type Written = { readonly mailed: boolean; readonly mail_to: readonly string[] }

/** Locks a written credit note; undefined if there is none, or its organization is banned or deleted. */
async function lockWritten(tx: Tx, id: CreditNoteId): Promise<Written | undefined> {
  const [row] = await tx<(Written & { readonly organization_status: string })[]>`
    select n.mailed_at is not null as mailed, n.mail_to, o.status as organization_status
    from credit_notes n join organizations o on o.id = n.organization_id
    where n.id = ${id} and n.pdf_file_id is not null for no key update of n`
  return row && !isGone(row.organization_status) ? row : undefined
}

/** Wakes credit notes that a ban has halted before all was written or mailed. */
export const wakeHaltedCreditNotes = (tx: Tx): Promise<unknown> => tx`
  select from wake((
    select jsonb_agg(jsonb_build_object('id', n.id, 'workflow', ${creditNoteFlow.workflow}::text,
      'organization_id', n.organization_id, 'why', 'organization unbanned'))
    from credit_notes n where n.organization_id = ${tx.organizationId} and n.status = 'sent'
      and (n.mailed_at is null or exists (
        select from invoice_mails m where m.credit_note_id = n.id and (not m.logged or m.try_at is not null)))))`
