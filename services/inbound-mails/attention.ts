/** Attention: mails whose sender nobody has accepted yet, and mails without a bill. */
import { type Kind, decisionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { quoteName, uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const ids = { inbound_mail_id: uuid }
const Subject = itemSubject('inbound_mail', ids)

type Facts = { readonly sender: string | null; readonly subject: string | null; readonly bills: number }

function mailKind<Name extends 'unknown_sender' | 'mail_without_bill'>(what: {
  readonly kind: Name
  readonly title: string
  readonly says: (facts: Facts, mail: string) => string
}) {
  const { kind, title, says } = what
  const Action = itemAction(kind, ids)
  const standing = decisionFor('bills.create')
  const made: Kind<Facts, typeof Action, typeof Subject> = {
    kind,
    audience: 'organization',
    action: Action,
    subjects: [Subject],
    items: (reader) => sql`
      select m.id as obligation_id, m.inserted_at as raised_at, null::timestamptz as due_at, m.from_address as sender,
        m.subject_line as subject, (select count(distinct f.bill_id)::int from inbound_mail_files f where f.mail_id = m.id) as bills
      from inbound_mails m where m.organization_id = ${reader.organizationId} and m.status = ${kind}`,
    raisedAt: (reader, id) => sql`(
      select m.inserted_at from inbound_mails m where m.id = ${id} and m.organization_id = ${reader.organizationId})`,
    standing,
    describe: (reader, { id, facts }, viewer) => ({
      title,
      summary: says(facts, nameMail(facts)),
      ...standing(viewer),
      href: `/organizations/${reader.organizationId}/inbound-mails/${id}`,
      action: { kind, inbound_mail_id: id },
      subject: { type: 'inbound_mail', inbound_mail_id: id },
    }),
  }
  return made
}

function nameMail({ sender, subject }: Facts): string {
  const from = sender ? `A mail that says it is of ${quoteName(sender)}` : 'A mail without a sender'
  return subject ? `${from}, about ${quoteName(subject)},` : from
}

export const unknownSender = mailKind({
  kind: 'unknown_sender',
  title: 'Decide about the sender of a mail',
  says: ({ bills }, mail) =>
    `${mail} has brought ${bills === 1 ? 'a bill' : `${bills} bills`}. Nothing of it is paid until you accept the sender.`,
})

export const mailWithoutBill = mailKind({
  kind: 'mail_without_bill',
  title: 'Look at a mail without a bill',
  says: (_, mail) => `${mail} came to an address for bills, and has none that can be read.`,
})
