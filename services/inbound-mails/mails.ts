/** Mails that brought bills, as they are read. */
import { refuse } from '../../domain/errors.ts'
import type { InboundMailId } from '../../domain/ids.ts'
import type { InboundMail, InboundMailFilters } from '../../domain/inbound-mails/inbound-mail.ts'
import type { Page } from '../../domain/pagination.ts'
import { pageOf } from '../../db/postgres/pagination.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

const selectMails = (): Fragment => sql`
  select inbound_mails.id, inbound_mails.organization_id, inbound_mails.mailbox_id as bill_mailbox_id,
    inbound_mails.status, inbound_mails.from_address, inbound_mails.from_name, inbound_mails.subject_line,
    inbound_mails.inserted_at as received_at, inbound_mails.byte_size, inbound_mails.authentication,
    inbound_mails.sender_is_known, inbound_mails.without_bill, inbound_mails.duplicate_of,
    inbound_mails.decided_by as decided_by_id,
    (select coalesce(json_agg(json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type,
        'byte_size', f.byte_size, 'sha256', f.sha256, 'outcome', f.outcome, 'bill_id', f.bill_id) order by f.position), '[]')
      from inbound_mail_files f where f.mail_id = inbound_mails.id) as files,
    inbound_mails.updated_at
  from inbound_mails`

/** Lists mails, newest first. */
export const listMails = (reader: Reader, { status, ...page }: InboundMailFilters): Promise<Page<InboundMail>> =>
  pageOf<InboundMail>(
    reader,
    'inbound_mails',
    page,
    sql`${selectMails()} where ${status ? sql`inbound_mails.status = ${status}` : sql`true`}`,
  )

/** Finds a mail. Refuses `not_found`. */
export async function findMail(reader: Reader, id: InboundMailId): Promise<InboundMail> {
  const mail = await first(
    reader<InboundMail>(sql`
      ${selectMails()} where inbound_mails.id = ${id} and inbound_mails.organization_id = ${reader.organizationId}`),
  )
  return mail ?? refuse('not_found')
}
