import { expect } from 'vitest'
import type { Answer } from '../api.ts'

/** The status of an answer, and the type of its error if it has one. */
export const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.error?.type]

/** The status of an answer, and the type and the details of its error. */
export const fullRefusal = (answer: Pick<Answer, 'status' | 'body'>) => [...refusal(answer), answer.body.error?.details]

/** Expects an error of this type, with these details among others. */
export function expectRefusal({ body }: Pick<Answer, 'body'>, type: string, details?: object): void {
  expect(body.error).toMatchObject({ type, ...(details && { details }) })
}
