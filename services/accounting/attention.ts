/** Attention for a refused connection with an accounting program. */
import { quoteName, uuid } from '../../domain/text.ts'
import { type Kind, actionFor, itemAction, itemSubject } from '../attention-kind.ts'
import { sql } from '../../db/postgres/sql.ts'

const Action = itemAction('reconnect_accounting', { connection_id: uuid })
const Subject = itemSubject('accounting_connection', { connection_id: uuid })

const standing = actionFor('integrations.connect')

/** Raised by a refused connection, until a person connects again or disconnects. */
export const reconnectAccounting: Kind<{ readonly tenant_name: string }, typeof Action, typeof Subject> = {
  kind: 'reconnect_accounting',
  audience: 'organization',
  action: Action,
  subjects: [Subject],
  items: (reader) => sql`
    select c.id as obligation_id, c.ended_at as raised_at, null::timestamptz as due_at, c.tenant_name
    from accounting_connections c
    where c.organization_id = ${reader.organizationId} and c.status = 'needs_reconnect'`,
  raisedAt: (reader, id) => sql`
    (select max(e.occurred_at) from events e
      where e.subject_id = ${id} and e.organization_id = ${reader.organizationId}
        and e.type = 'accounting_connection.refused')`,
  standing,
  describe: (reader, { id, facts }, viewer) => ({
    title: 'Connect Xero again',
    summary: `Xero does not take what is posted to ${quoteName(facts.tenant_name)} any more. Nothing is posted until somebody connects it again.`,
    ...standing(viewer),
    href: `/organizations/${reader.organizationId}/integrations`,
    action: { kind: 'reconnect_accounting', connection_id: id },
    subject: { type: 'accounting_connection', connection_id: id },
  }),
}
