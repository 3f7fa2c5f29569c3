import type { Answer } from '../api.ts'

/** The status of an answer, and the type of its error if it has one. */
export const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body.error?.type]
