/** Steps of the run of a credit note; activities/write-invoice.ts writes the documents. */
import { type CreditNoteState, creditNoteFlow } from '../../domain/invoices/credit-note-flow.ts'
import type { CreditNoteId } from '../../domain/ids.ts'
import type { Tx } from '../../db/postgres/sql.ts'
import { deliverySteps } from '../invoice-delivery/steps.ts'
import { contentOf, recordEnd, sendCreditNoteMails } from './mails.ts'

const steps = deliverySteps<CreditNoteId, CreditNoteState>({
  table: 'credit_notes',
  aboutOf: (id) => ({ credit_note_id: id }),
  sendFirst: (tx, id, to) => sendCreditNoteMails(tx, id, { kind: 'credit_note', to }),
  readContents: async (tx, id) => {
    const content = await contentOf(tx, id)
    return () => content
  },
  recordEnd,
})
export const { mail: mailCreditNote, log: logCreditNoteMails, resend: resendCreditNoteMails } = steps

/** Wakes credit notes that a ban has halted before all was written or mailed. */
export const wakeHaltedCreditNotes = (tx: Tx): Promise<unknown> => tx`
  select from wake((
    select jsonb_agg(jsonb_build_object('id', n.id, 'workflow', ${creditNoteFlow.workflow}::text,
      'organization_id', n.organization_id, 'why', 'organization unbanned'))
    from credit_notes n where n.organization_id = ${tx.organizationId} and n.status = 'sent'
      and (n.mailed_at is null or exists (
        select from invoice_mails m where m.credit_note_id = n.id and (not m.logged or m.try_at is not null)))))`
