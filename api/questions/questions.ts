/** Questions about what waits for approval, instead of rejections. */
import { pageOf, onePage } from '../../domain/pagination.ts'
import { NewAnswer, NewQuestion, Question } from '../../domain/questions/question.ts'
import type { ApprovalId, QuestionId } from '../../domain/ids.ts'
import { answerQuestion, askQuestion } from '../../services/questions/commands.ts'
import { findQuestion, listQuestions } from '../../services/questions/questions.ts'
import { readApproval } from '../approvals/approvals.ts'
import { operations } from '../http/operation.ts'
import type { Context } from '../http/route.ts'

const { command, query } = operations('Approvals')

const OVER = ['approval_expired', 'approval_already_processed', 'unprocessable_entity'] as const
const OF_APPROVAL = '/organizations/{organization_id}/approvals/{approval_id}/questions'
const ONE = '/organizations/{organization_id}/questions/{question_id}'

type OnQuestion = Context<'person' | 'org' | 'read', { readonly params: { readonly question_id: QuestionId } }>

/** Finds the question of the path with its approval, for those who see that. Refuses `not_found`. */
async function readQuestion(context: OnQuestion) {
  const question = await findQuestion(context.read, context.params.question_id)
  const params = { approval_id: question.approval_id as ApprovalId } // as it was written
  return { question, approval: await readApproval({ ...context, params }) }
}

export const questions = [
  command('post', OF_APPROVAL, 'askQuestion')
    .says('Ask about a request', 'The requester, or another member who sees it, is mailed a link. It decides nothing.')
    .of('organization')
    .can('organization.read')
    .takes(NewQuestion)
    .refuses(...OVER)
    .creates(Question, ({ read, claim }) => findQuestion(read, claim.id))
    .prepares(async (context) => ({ approval: await readApproval(context) }))
    .does(({ tx, person, claim, approval, body }) => askQuestion(tx, person, { ...body, id: claim.id, approval })),
  query(OF_APPROVAL, 'listQuestions')
    .says('List the questions about a request, oldest first', 'Each with its answers.')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(pageOf(Question))
    .does(async (context) => {
      await readApproval(context)
      return onePage(await listQuestions(context.read, context.params.approval_id))
    }),
  query(ONE, 'getQuestion')
    .says('Read a question with its answers')
    .of('organization')
    .delegates('read')
    .can('organization.read')
    .answers(Question)
    .does(async (context) => (await readQuestion(context)).question),
  command('post', `${ONE}/answers`, 'answerQuestion')
    .says('Answer a question', 'The person who is asked may, and the requester. Who asked is mailed a link.')
    .of('organization')
    .delegates('prepare')
    .can('organization.read')
    .takes(NewAnswer)
    .refuses(...OVER)
    .creates(Question, ({ read, params }) => findQuestion(read, params.question_id))
    .prepares(async (context) => ({ approval: (await readQuestion(context)).approval }))
    .does(({ tx, person, claim, params, approval, body }) =>
      answerQuestion(tx, person, { ...body, id: claim.id, question: params.question_id, approval }),
    ),
]
