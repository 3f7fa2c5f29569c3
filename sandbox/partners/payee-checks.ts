/** Verification of payee at the stand-in of the bank: names decide, unless the next answers were set. */
import * as v from 'valibot'
import { PAYEE_CHECK_FAULTS } from '../../domain/sandbox/sandbox.ts'
import { takeFault } from '../db/faults.ts'
import { type Ask, type Endpoint, type Reply, isRefused, ok, parse } from './http.ts'

const Question = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  account: v.record(v.string(), v.string()),
})

/** Holders whose answer is another one than `match`. */
const RESULTS = new Map([
  ['no match gmbh', 'no_match'],
  ['close match ltd', 'close_match'],
])

export const payeeChecks: Endpoint = {
  method: 'PUT',
  path: '/v1/payee-checks/{id}',
  faulty: 'payee_checks',
  answer: answerAbout,
}

async function answerAbout({ id, body }: Ask): Promise<Reply> {
  const question = parse(Question, body)
  if (isRefused(question)) return question.refused
  const { name } = question
  const set = await takeFault('payee_checks', PAYEE_CHECK_FAULTS)
  const result = set ?? RESULTS.get(name.trim().toLowerCase()) ?? 'match'
  return ok({ id, result, ...(result === 'close_match' && { name: nameOfHolder(name) }) })
}

/** The name under which the bank knows an account: close to what was asked. */
const nameOfHolder = (name: string): string => `${name.trim().replace(/ (?:ltd|gmbh|inc)\.?$/i, '')} Limited`
