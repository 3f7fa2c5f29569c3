/** View of the delivery of an invoice or a credit note: what is written, mailed, logged and sent again. */
import { minuteOf } from '../../domain/instants.ts'
import { type AskRow, askColumns } from '../../db/processes/asking.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'
import { type TurnRow, WAITS_FOR_TURN, turnColumns } from '../../db/processes/turns.ts'

export type Delivery = {
  /** True if its PDF, and its XML if it has one, are in storage. */
  readonly documents_written: boolean
  /** True if other documents of its organization are written first. */
  readonly waits_for_turn: boolean
  /** True if its documents are due to be written, in the turn of its organization. */
  readonly write_due: boolean
  /** True if it was mailed once, or had no address to mail it to. */
  readonly mailed: boolean
  /** True if mails have ended that are not logged yet. */
  readonly mails_to_log: boolean
  /** True if a failed mail is due again, or to be given up: a reminder of a paid invoice. */
  readonly failed_mail_due: boolean
}

export type DeliveryRow = AskRow & TurnRow & Omit<Delivery, 'write_due'> & { readonly retry_at: string | null }

/** Selects a DeliveryRow of the row; joinMails() joins its mails. */
export const deliveryColumns = (row: Fragment, mails: Fragment): Fragment => sql`
  ${row}.pdf_file_id is not null as documents_written, ${askColumns(row)},
  ${turnColumns('documents', row, sql`${row}.pdf_file_id is null`)}, ${row}.mailed_at is not null as mailed,
  ${mails}.mails_to_log, ${mails}.failed_mail_due, ${mails}.retry_at`

/** Joins the mails of a row, by a condition on mails `m`; another tells which failed ones are given up. */
export const joinMails = (isOfRow: Fragment, isGivenUp: Fragment = sql`false`): Fragment => sql`
  cross join lateral (
    select coalesce(bool_or(m.status <> 'queued' and not m.logged), false) as mails_to_log,
      coalesce(bool_or(m.status = 'failed' and m.try_at is not null and (m.try_at <= business_now() or ${isGivenUp})),
        false) as failed_mail_due,
      min(m.try_at) filter (where m.status = 'failed') as retry_at
    from invoice_mails m where ${isOfRow}) mails`

/** Views the delivery; `step_due` if a step of it is. */
export function viewDelivery(row: DeliveryRow): { readonly delivery: Delivery; readonly step_due: boolean } {
  const { documents_written, waits_for_turn, mailed, mails_to_log, failed_mail_due } = row
  const write_due = !documents_written && !waits_for_turn && row.due
  return {
    delivery: { documents_written, waits_for_turn, write_due, mailed, mails_to_log, failed_mail_due },
    step_due: documents_written ? !mailed || mails_to_log || failed_mail_due : write_due,
  }
}

/** Chooses the time of the next look at documents that are not written. */
export const nextTryOf = ({ waits_for_turn: waits, turn_backstop: backstop, ask_at: at }: DeliveryRow): string | null =>
  waits ? backstop : at

/** Tells if nothing is left to write, mail or log. */
export const isDelivered = (row: DeliveryRow): boolean =>
  row.documents_written && row.mailed && !row.mails_to_log && !row.failed_mail_due && row.retry_at === null

/** Says what an unwritten document waits for. */
export const sayUnwritten = (number: string, row: DeliveryRow): string =>
  row.waits_for_turn ? WAITS_FOR_TURN : `Writes ${number} as PDF${row.asks > 0 ? `, again: ${row.ask_note}` : ''}.`

/** Says when a failed mail is sent again; nothing if none is. */
export const sayRetry = ({ retry_at: again }: DeliveryRow): string =>
  again === null ? '' : ` A mail has failed: it is sent again at ${minuteOf(again)}.`
