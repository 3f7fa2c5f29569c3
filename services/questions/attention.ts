/** Attention: questions that a person has not answered yet, about what still waits. */
import { FOR_VIEWER, type Kind, itemAction, itemSubject } from '../attention-kind.ts'
import { uuid } from '../../domain/text.ts'
import { sql } from '../../db/postgres/sql.ts'

const ids = { question_id: uuid, approval_request_id: uuid }
const Action = itemAction('question', ids)
const Subject = itemSubject('question', ids)

type Facts = { approval_id: string; summary: string | null }

export const openQuestion: Kind<Facts, typeof Action, typeof Subject> = {
  kind: 'question',
  audience: 'viewer',
  action: Action,
  subjects: [Subject],
  items: (reader, { userId }) => sql`
    select q.id as obligation_id, q.inserted_at as raised_at, a.expires_at as due_at, q.approval_id, a.summary
    from approval_questions q join approvals a on a.id = q.approval_id
    where q.organization_id = ${reader.organizationId} and q.to_user_id = ${userId} and a.status = 'pending'
      and a.expires_at > business_now() and not exists (select from approval_answers w where w.question_id = q.id)`,
  raisedAt: (reader, id) => sql`(
    select q.inserted_at from approval_questions q where q.id = ${id} and q.organization_id = ${reader.organizationId})`,
  standing: () => FOR_VIEWER,
  describe: (reader, { id, facts }) => ({
    title: 'Answer a question about a request',
    summary: facts.summary ?? 'A request waits for approval',
    ...FOR_VIEWER,
    href: `/organizations/${reader.organizationId}/approvals/${facts.approval_id}`,
    action: { kind: 'question', question_id: id, approval_request_id: facts.approval_id },
    subject: { type: 'question', question_id: id, approval_request_id: facts.approval_id },
  }),
}
