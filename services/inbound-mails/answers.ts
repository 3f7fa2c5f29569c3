/** Answers to mails: one to each that a person wrote and whose sender is accepted. It says what each file led to. */
import type { InboundMailId } from '../../domain/ids.ts'
import type { FileOutcome } from '../../domain/inbound-mails/inbound-mail.ts'
import { becauseEntered } from '../../domain/messages/footers.ts'
import { quoteInMail } from '../../domain/text.ts'
import { sendMessage } from '../messages/messages.ts'
import { countAnswer } from '../rate-limits.ts'
import type { Tx } from '../../db/postgres/sql.ts'

const SAID: Readonly<Record<FileOutcome, string>> = {
  bill: 'is being read as a bill',
  known_bill: 'had come before',
  beside_xml: 'is kept beside the electronic bill',
  no_bill: 'is no bill that can be read: send PDF, PNG, JPEG, WebP, TIFF or an electronic invoice in XML',
  too_large: 'is larger than 10 MB',
  too_many: 'was not looked at: there were too many files',
}

type Row = {
  readonly from_address: string
  readonly subject: string | null
  readonly organization: string
  readonly files: readonly { readonly filename: string; readonly outcome: FileOutcome }[]
}

/**
 * Answers an accepted mail whose sender the gateway has proved: any other address may be that of a victim. Programs,
 * lists and senders with too many answers get none.
 */
export async function answerMail(tx: Tx, id: InboundMailId): Promise<void> {
  const [mail] = await tx<Row[]>`
    select m.from_address, m.subject_line as subject, o.name as organization,
      (select json_agg(json_build_object('filename', f.filename, 'outcome', f.outcome) order by f.position)
        from inbound_mail_files f where f.mail_id = m.id) as files
    from inbound_mails m join organizations o on o.id = m.organization_id
    where m.id = ${id} and m.status = 'accepted' and m.is_answered and m.from_gateway
      and m.authentication ->> 'verdict' = 'pass'
      and exists (select from inbound_mail_files f where f.mail_id = m.id)`
  if (!mail) return
  const { from_address: recipient, subject, organization, files } = mail
  if (!(await countAnswer(tx, tx.organizationId, recipient))) return
  const name = quoteInMail(organization)
  await sendMessage(tx, {
    recipient,
    channel: 'email',
    mail: {
      subject: `Your mail to ${name} has arrived`,
      paragraphs: [`${name} has received your mail${subject ? ` ${quoteInMail(subject)}` : ''}.`],
      facts: files.map(({ filename, outcome }) => [quoteInMail(filename), SAID[outcome]] as const),
      footer: becauseEntered(`You receive this mail because this address sent bills to ${name}.`),
    },
  })
}
