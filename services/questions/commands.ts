/** Questions and answers of people. Mails lead to them, and never hold their text. */
import { createHash } from 'node:crypto'
import { approvalEvents } from '../../domain/approvals/events.ts'
import { attachmentsIn } from '../../domain/attachments/attachment.ts'
import { refuse } from '../../domain/errors.ts'
import type { ApprovalId, QuestionId, UserId } from '../../domain/ids.ts'
import { aboutOrganization } from '../../domain/messages/footers.ts'
import type { Person } from '../../domain/people/actor.ts'
import { grants, type Standing } from '../../domain/permissions.ts'
import { type NewAnswer, QUESTIONS_MAX } from '../../domain/questions/question.ts'
import { quoteInMail } from '../../domain/text.ts'
import { linkApproval } from '../../platform/mail-links.ts'
import { type ApprovalRow, findApprovals, requirePending } from '../decisions/approvals.ts'
import { record } from '../events.ts'
import { sendMessage } from '../messages/messages.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import { findQuestion, listQuestions } from './questions.ts'

type NewQuestionRow = {
  readonly id: QuestionId
  readonly approval: ApprovalRow
  readonly text: string
  readonly to: UserId
}

/**
 * Asks a member about what waits for approval, and mails them a link. Refuses `approval_already_processed`,
 * `approval_expired`, and `unprocessable_entity` for a person who does not see the request, or one question too many.
 */
export async function askQuestion(tx: Tx, person: Person, { id, approval, text, to }: NewQuestionRow): Promise<void> {
  const { approval_id: approvalId } = approval
  await lockWaiting(tx, approval)
  const asked = await findMember(tx, to)
  const sees = asked && (await isSeenBy(tx, approvalId, to, asked))
  if (!sees) refuse('unprocessable_entity', { reason: 'not_visible_to_them' })
  const before = await listQuestions(within(tx), approvalId)
  if (before.length >= QUESTIONS_MAX) refuse('unprocessable_entity', { reason: 'too_many', most: QUESTIONS_MAX })
  await tx`
    insert into approval_questions (id, organization_id, approval_id, asked_by, to_user_id, text)
    values (${id}, ${tx.organizationId}, ${approvalId}, ${person.userId}, ${to}, ${text})`
  const payload = { question_id: id, to, sha256: hashOf(text) }
  await record(tx, approvalEvents.question_asked, { subjectId: approvalId, cause: `question:${id}`, payload })
  if (to !== person.userId) await mail(tx, asked, approvalId, 'You are asked about a request')
}

type NewAnswerRow = NewAnswer & { readonly id: string; readonly question: QuestionId; readonly approval: ApprovalRow }

/**
 * Answers a question, and mails a link to the person who asked. Refuses `forbidden` to others than the person who is
 * asked and the requester, `not_found` for a file that is none of the request, and as askQuestion() does.
 */
export async function answerQuestion(tx: Tx, person: Person, answer: NewAnswerRow): Promise<void> {
  const { id, text, approval, attachments } = answer
  const { approval_id: approvalId, requester } = approval
  await lockWaiting(tx, approval)
  const question = await findQuestion(within(tx), answer.question)
  if (![question.to.id, requester.id].includes(person.userId)) refuse('forbidden', { reason: 'not_asked' })
  if (question.answers.length >= QUESTIONS_MAX)
    refuse('unprocessable_entity', { reason: 'too_many', most: QUESTIONS_MAX })
  const files = attachmentsIn(JSON.parse(approval.subject_body)).map(({ file_id: fileId }) => fileId)
  if (attachments.some((fileId) => !files.includes(fileId))) refuse('not_found')
  await tx`
    insert into approval_answers (id, organization_id, question_id, answered_by, text, file_ids)
    values (${id}, ${tx.organizationId}, ${answer.question}, ${person.userId}, ${text}, ${attachments}::uuid[])`
  const payload = { question_id: answer.question, answer_id: id, sha256: hashOf(text) }
  await record(tx, approvalEvents.question_answered, { subjectId: approvalId, cause: `answer:${id}`, payload })
  const asker = await findMember(tx, question.asked_by.id)
  if (asker && question.asked_by.id !== person.userId) await mail(tx, asker, approvalId, 'Your question is answered')
}

/** Locks an approval that waits: its questions and answers are counted one after another. */
async function lockWaiting(tx: Tx, { approval_id: id, expired }: ApprovalRow): Promise<void> {
  const [found] = await tx<Pick<ApprovalRow, 'status'>[]>`
    select status from approvals where id = ${id} for no key update`
  requirePending({ status: found?.status ?? 'cancelled', expired })
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

type Member = Standing & { readonly email: string; readonly organization: string }

/** Finds a member with their address; undefined for others. */
async function findMember(tx: Tx, userId: string): Promise<Member | undefined> {
  const [member] = await tx<Member[]>`
    select p.email, m.role, m.permissions_removed as removed, o.name as organization
    from members m join people p on p.id = m.user_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${tx.organizationId} and m.user_id = ${userId}`
  return member
}

/** Tells if a member sees an approval: theirs, one that names them, or any if their role reviews. */
async function isSeenBy(tx: Tx, approvalId: ApprovalId, userId: UserId, { role, removed }: Standing): Promise<boolean> {
  const viewer = { userId, role, removed, principals: [], ownOnly: !grants(role, 'approvals.review') }
  return (await findApprovals(within(tx), [approvalId], viewer)).length > 0
}

async function mail(tx: Tx, { email, organization }: Member, approvalId: ApprovalId, what: string): Promise<void> {
  const name = quoteInMail(organization)
  await sendMessage(tx, {
    recipient: email,
    channel: 'email',
    mail: {
      subject: `${what} in ${name}`,
      paragraphs: [`${what}. The text is on the page of the request, which waits for approval.`],
      facts: [['Organization', name]],
      action: linkApproval(approvalId, 'See the request'),
      footer: aboutOrganization(organization),
    },
  })
}
