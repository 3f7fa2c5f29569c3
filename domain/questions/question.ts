/** Questions about what waits for approval. They decide nothing, and nothing waits for an answer. */
import * as v from 'valibot'
import { id } from '../ids.ts'
import { describe, model, nullableText, text, timestamp, uuid } from '../text.ts'

const TEXT_MAX = 2000
/** Most questions about one request, and answers to one question. */
export const QUESTIONS_MAX = 50
const FILES_MAX = 10

export const NewQuestion = model('NewQuestion', {
  text: describe(text(1, TEXT_MAX), 'Question, as plain text.'),
  to: describe(id<'user'>(), 'Id of the member who is asked; they must see the request.'),
})

export const NewAnswer = model('NewAnswer', {
  text: describe(text(1, TEXT_MAX), 'Answer, as plain text.'),
  attachments: describe(
    v.optional(v.pipe(v.array(id<'file'>()), v.maxLength(FILES_MAX)), []),
    'Ids of files of the request that the answer is about.',
  ),
})
export type NewAnswer = v.InferOutput<typeof NewAnswer>

const QuestionPerson = model('QuestionPerson', { id: uuid, name: nullableText })

export const Answer = model('QuestionAnswer', {
  id: uuid,
  answered_by: describe(QuestionPerson, 'Person who answered.'),
  answer_text: describe(v.string(), 'Answer as it was written.'),
  attachments: describe(v.array(uuid), 'Ids of files of the request.'),
  answered_at: describe(timestamp, 'Instant of the answer.'),
})

export const Question = model('Question', {
  id: uuid,
  approval_id: uuid,
  asked_by: describe(QuestionPerson, 'Person who asked.'),
  to: describe(QuestionPerson, 'Person who was asked.'),
  question_text: describe(v.string(), 'Question as it was written.'),
  asked_at: describe(timestamp, 'Instant of the question.'),
  answers: describe(v.array(Answer), 'Answers, oldest first.'),
})
export type Question = v.InferInput<typeof Question>
