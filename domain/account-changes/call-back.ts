/** Call-backs: a person asks the payee whether an account is theirs. */
import type * as v from 'valibot'
import { line, maybe, model, describe } from '../text.ts'

const [NAME_MAX, NOTE_MAX] = [255, 1000]

/** Body of POST /payment-destinations/{id}/confirm-by-callback. */
export const NewCallBack = model('NewAccountCallBack', {
  spoken_to: line(1, NAME_MAX),
  note: describe(maybe(line(1, NOTE_MAX)), 'What else is worth knowing of the call.'),
})
export type NewCallBack = v.InferOutput<typeof NewCallBack>
