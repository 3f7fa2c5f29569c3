/** Stand-in that compares names with a list of its own: one that begins with `Listed` may be on it. */
import * as v from 'valibot'
import { type Ask, type Endpoint, type Reply, isRefused, ok, parse } from './http.ts'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(1000))
const Question = v.object({
  id: text,
  kind: text,
  of: v.picklist(['entity', 'person']),
  name: text,
  country: v.nullable(text),
  born: v.nullable(text),
})

const LISTED = /^listed\b/i
const EDITIONS = 'sandbox 1'

export const screeningEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '/v1/screenings', answer: ({ body }) => Promise.resolve(answerAbout(body)) },
]

function answerAbout(body: Ask['body']): Reply {
  const question = parse(Question, body)
  if (isRefused(question)) return question.refused
  const { id, name } = question
  if (!LISTED.test(name.trim())) return ok({ id, result: 'clear', editions: EDITIONS })
  const match = { list: 'sandbox', reference: 'S-1', name: 'Listed Trading', score: 95, why: 'It begins with Listed.' }
  return ok({ id, result: 'possible', editions: EDITIONS, matches: [match] })
}
