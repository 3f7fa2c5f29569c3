/** Screening: the questions about a subject, their answers, and what follows for the subject. */
import * as v from 'valibot'
import type { Blocker } from '../errors.ts'
import type { ContactId } from '../ids.ts'
import type { Rail } from '../rails.ts'
import { LISTS } from './lists.ts'
import type { ScreeningQuestion } from './match.ts'

export const SCREENING_KINDS = ['entity', 'person', 'payee'] as const
export type ScreeningKind = (typeof SCREENING_KINDS)[number]

/** Subject of questions: an onboarding, or a payee. */
export type ScreeningSubject =
  | { readonly onboarding_id: string; readonly payment_contact_id?: never }
  | { readonly payment_contact_id: ContactId; readonly onboarding_id?: never }

export type AskedQuestion = ScreeningQuestion & { readonly kind: ScreeningKind }

/** State of a subject: the gravest of its questions; null if none was asked. */
export type ScreeningState = 'waiting' | 'held' | 'clear' | 'confirmed'

/** Listed name that may be meant. `list` is one of ours, or the name that an adapter gives it. */
export const ListedMatch = v.object({
  list: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  reference: v.pipe(v.string(), v.maxLength(300)),
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
  score: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100)),
  /** Sentence with the parts of the score; null without one. */
  why: v.nullable(v.pipe(v.string(), v.maxLength(1000))),
})
export type ListedMatch = v.InferOutput<typeof ListedMatch>

/** Answer about a name: the matches, best first, and which editions of lists were asked. */
export type ScreeningAnswer = { readonly editions: string; readonly matches: readonly ListedMatch[] }

/** Matches that are kept of a question. */
export const MATCHES_MAX = 20

/** Days for which an answer without a match holds for the same question by the same lists. */
export const CLEAR_DAYS = 30

export const isListCode = (text: string): text is (typeof LISTS)[number] => LISTS.some((list) => list === text)

/** A payee as checks of payments see it; null if nothing was asked. */
export type ScreenedPayee = { readonly rail: Rail; readonly payee_screening: ScreeningState | null }

const HELD: Blocker = { type: 'payee_held' }

/** Lists what blocks asking for a payment, and approving one that a partner pays: it is ordered once the check is over. */
export const holdBlockers = ({ payee_screening: state }: Pick<ScreenedPayee, 'payee_screening'>): Blocker[] =>
  state === 'held' || state === 'confirmed' ? [HELD] : []

/** Lists what blocks a payment that would be settled, or ordered, at once: one by service ID waits for the answer. */
export const settleBlockers = ({ rail, payee_screening: state }: ScreenedPayee): Blocker[] =>
  rail === 'svc_id' && state === 'waiting' ? [HELD] : holdBlockers({ payee_screening: state })

/** Tells if the order of a payment waits for its payee. */
export const isOrderHeld = (state: ScreeningState | null): boolean => state !== null && state !== 'clear'
