/** Steps by which an invoice or a credit note reaches its customer: mailed once, logged, and sent again. */
import { isGone } from '../../domain/organizations/flow.ts'
import type { CreditNoteId, InvoiceId } from '../../domain/ids.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import type { Reason } from '../../db/processes/views.ts'
import {
  type About,
  type Content,
  type EndedMail,
  type FailedMail,
  readFailedMails,
  resendMail,
  takeEndedMails,
} from './mailing.ts'

/** Parts of the delivery that each noun brings. */
type DeliveryParts<Id extends InvoiceId | CreditNoteId, Status extends string> = {
  readonly table: 'invoices' | 'credit_notes'
  readonly aboutOf: (id: Id) => About
  /** Sends the first mail, to the addresses that the customer had when it was sent. */
  readonly sendFirst: (tx: Tx, id: Id, to: readonly string[]) => Promise<void>
  /** Reads what a mail says now. */
  readonly readContents: (tx: Tx, id: Id) => Promise<(mail: FailedMail) => Content>
  /** Records the end of a mail in the log of the noun. */
  readonly recordEnd: (tx: Tx, id: Id, mail: EndedMail) => Promise<void>
  /** Gives up failed mails that the noun needs no more; returns their number. */
  readonly giveUpFailed?: (tx: Tx, id: Id, status: Status) => Promise<number>
}

type WrittenRow<Status extends string> = {
  readonly status: Status
  readonly mailed: boolean
  readonly mail_to: readonly string[]
}

/** Makes the steps of the delivery of a noun. */
export function deliverySteps<Id extends InvoiceId | CreditNoteId, Status extends string>(
  noun: DeliveryParts<Id, Status>,
) {
  const { table, aboutOf } = noun

  /** Locks a written row; undefined if there is none, or its organization is banned or deleted. */
  async function lockWritten(tx: Tx, id: Id): Promise<WrittenRow<Status> | undefined> {
    const [row] = await tx<(WrittenRow<Status> & { readonly organization_status: string })[]>`
      select d.status, d.mailed_at is not null as mailed, d.mail_to, o.status as organization_status
      from ${sql(table)} d join organizations o on o.id = d.organization_id
      where d.id = ${id} and d.pdf_file_id is not null for no key update of d`
    return row && !isGone(row.organization_status) ? row : undefined
  }

  /** Logs the ends of the latest tries of mails; false if there is nothing to log. */
  async function logEnded(tx: Tx, id: Id): Promise<boolean> {
    const ended = await takeEndedMails(tx, aboutOf(id))
    for (const mail of ended) await noun.recordEnd(tx, id, mail)
    return ended.length > 0
  }

  /** Mails it once, to the addresses that its customer had when it was sent. */
  async function mail(tx: Tx, id: Id): Promise<Reason> {
    const row = await lockWritten(tx, id)
    if (!row || row.mailed) return
    await tx`update ${sql(table)} set mailed_at = business_now() where id = ${id}`
    await noun.sendFirst(tx, id, row.mail_to)
    await logEnded(tx, id)
    return 'mailed'
  }

  /** Logs the ends of mails, and schedules the retry of failed ones. */
  async function log(tx: Tx, id: Id): Promise<Reason> {
    if ((await lockWritten(tx, id)) && (await logEnded(tx, id))) return 'mails logged'
  }

  /** Sends failed mails again whose pause is over, or gives them up. */
  async function resend(tx: Tx, id: Id): Promise<Reason> {
    const row = await lockWritten(tx, id)
    if (!row) return
    const givenUp = (await noun.giveUpFailed?.(tx, id, row.status)) ?? 0
    const due = await readFailedMails(tx, aboutOf(id))
    if (givenUp + due.length === 0) return
    if (due.length > 0) {
      const contentOf = await noun.readContents(tx, id)
      for (const failed of due) await resendMail(tx, failed, contentOf(failed))
    }
    await logEnded(tx, id)
    return 'mailed again'
  }

  return { lockWritten, logEnded, mail, log, resend }
}
