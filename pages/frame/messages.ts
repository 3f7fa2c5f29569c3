/** Words for refusals, as people on a page need them. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { isReason } from '../../domain/errors.ts'
import { REASONS } from '../../domain/reasons.ts'
import { minuteOf } from '../../domain/instants.ts'
import { refusalWords } from '../words/refusals/refusals.ts'
import type { Words } from '../words/en.ts'
import type { Language } from '../words/words.ts'
import { notice } from './parts.ts'
import type { RefusalView } from './viewer.ts'

/** Fault of one value of a form, as `invalid_request` declares it. */
export type Fault = { readonly path: string; readonly message: string }

/** A refusal with its language: one of an operation has that of its viewer. */
type SpokenRefusal = {
  readonly type: string
  readonly message: string
  readonly details?: RefusalView['details'] | undefined
  readonly language?: Language
}

/** Reasons by their sentence: what blocks a preview has its sentence, and no details. */
const REASON_SAID: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).map(([reason, said]) => [said, reason]),
)

/** Says a refusal in a sentence; of a form, with what is wrong in which field. */
export function messageOf({ type, message, details, language = 'en' }: SpokenRefusal): string {
  const words = refusalWords(language)
  const reason = details?.['reason'] ?? REASON_SAID.get(message)
  const until = details?.['until']
  if (reason === 'mailbox_only' && typeof until === 'string') return words.mailbox(minuteOf(until))
  if (isReason(reason)) return words.reasons[reason]
  const wrong = type === 'invalid_request' ? faultsOf({ details, language }) : []
  if (wrong.length > 0)
    return words.notTaken(wrong.map(({ path, message: said }) => `${words.field(path)} ${said}`).join('; '))
  const said = (words.types as Readonly<Record<string, string>>)[type] ?? message
  const address = type.startsWith('ip_') ? details?.['address'] : undefined
  return typeof address === 'string' ? said + words.seenFrom(address) : said
}

/** Lists the faults of single values in the language of the viewer. */
export function faultsOf({ details, language = 'en' }: Pick<SpokenRefusal, 'details' | 'language'>): readonly Fault[] {
  const faults = (details?.['errors'] ?? []) as readonly Fault[] // as `invalid_request` declares
  return faults.map(({ path, message }) => ({ path, message: refusalWords(language).fault(message) }))
}

type Speaker = { readonly words: Words; readonly language: Language }

/** Shows what blocks a payment; what is missing of the company leads to its verification. */
export function blocker(
  one: { readonly type: string; readonly message: string },
  companyId: string,
  speaker: Speaker,
): Markup {
  const { words, language } = speaker
  const said = messageOf({ ...one, language })
  if (one.type !== 'onboarding_incomplete') return notice('fault', said)
  const { heading } = words.company.onboarding
  return notice('fault', html`${said} <a href="/o/${companyId}/company/onboarding">${heading}</a>`)
}
