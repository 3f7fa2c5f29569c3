/** English texts of a page, in UTC. */
import { formatsIn } from '../../../pages/frame/formats.ts'
import type { Texts } from '../../../pages/approvals/subjects/description.ts'
import { wordsIn } from '../../../pages/words/words.ts'

export const TEXTS: Texts = { words: wordsIn('en'), language: 'en', formats: formatsIn('en', 'UTC') }
