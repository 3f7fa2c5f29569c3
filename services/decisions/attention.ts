/** Attention: requests of a person that were sent back, and that no other request has followed yet. */
import { ApprovalSubject } from '../approvals/attention.ts'
import { awaitsFollower } from '../approvals/requests.ts'
import { FOR_VIEWER, type Kind, itemAction } from '../attention-kind.ts'
import { uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const Action = itemAction('sent_back', { approval_request_id: uuid })

type Facts = { summary: string | null }

/** Days after which a request that was not asked for again is taken for given up. */
const GIVEN_UP_DAYS = 30
export const sentBack: Kind<Facts, typeof Action, typeof ApprovalSubject> = {
  kind: 'sent_back',
  audience: 'viewer',
  action: Action,
  subjects: [ApprovalSubject],
  items: (reader, { userId }) => sql`
    select a.id as obligation_id, a.processed_at as raised_at, null::timestamptz as due_at, a.summary
    from approvals a
    where a.organization_id = ${reader.organizationId} and ${awaitsFollower(sql`a`, userId)}
      and a.processed_at > business_now() - make_interval(days => ${GIVEN_UP_DAYS})
      and not exists (select from payments p join bills b on b.id = p.bill_id
        where p.id = a.target_id and b.status <> 'extracted')`,
  raisedAt: (reader, id) => sql`(
    select a.processed_at from approvals a where a.id = ${id} and a.organization_id = ${reader.organizationId})`,
  standing: () => FOR_VIEWER,
  describe: (reader, { id, facts }) => ({
    title: 'Change what was sent back, and ask again',
    summary: facts.summary ?? 'A request was sent back',
    ...FOR_VIEWER,
    href: `/organizations/${reader.organizationId}/approvals/${id}`,
    action: { kind: 'sent_back', approval_request_id: id },
    subject: { type: 'approval', approval_request_id: id },
  }),
}
