/** Questions about what waits for approval, as they are read. */
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, QuestionId } from '../../domain/ids.ts'
import type { Question } from '../../domain/questions/question.ts'
import { fullName, instantText } from '../../db/postgres/fragments.ts'
import { type Fragment, type Reader, first, sql } from '../../db/postgres/sql.ts'

const personOf = (id: Fragment): Fragment => sql`(
  select json_build_object('id', p.id, 'name', ${fullName(sql`p`)}) from people p where p.id = ${id})`

const selectQuestions = ({ organizationId }: Reader, where: Fragment): Fragment => sql`
  select q.id, q.approval_id, ${personOf(sql`q.asked_by`)} as asked_by, ${personOf(sql`q.to_user_id`)} as "to", q.text as question_text,
    q.inserted_at as asked_at,
    (select coalesce(json_agg(json_build_object('id', a.id, 'answered_by', ${personOf(sql`a.answered_by`)},
        'answer_text', a.text, 'attachments', a.file_ids, 'answered_at', ${instantText(sql`a.inserted_at`)})
        order by a.inserted_at, a.id), '[]')
      from approval_answers a where a.question_id = q.id) as answers
  from approval_questions q where q.organization_id = ${organizationId} and ${where}`

/** Lists the questions about an approval with their answers, oldest first. */
export const listQuestions = (reader: Reader, approvalId: ApprovalId): Promise<Question[]> =>
  reader<Question>(sql`
    ${selectQuestions(reader, sql`approval_id = ${approvalId}`)} order by asked_at, id`)

/** Finds a question with its answers. Refuses `not_found`. */
export async function findQuestion(reader: Reader, id: QuestionId): Promise<Question> {
  const question = await first(reader<Question>(selectQuestions(reader, sql`id = ${id}`)))
  return question ?? refuse('not_found')
}
