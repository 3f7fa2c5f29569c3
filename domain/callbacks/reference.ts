/** Names that partners give to accounts, transfers and pages. */
import * as v from 'valibot'
import { opaque } from '../text.ts'

const UNREADABLE = /[\p{Cc}\p{Surrogate}]/u

/** A name of the partner's for something: taken as it is, or not at all. */
export const Reference = v.pipe(
  opaque(1, 255),
  v.check((name) => !UNREADABLE.test(name), 'control'),
)
