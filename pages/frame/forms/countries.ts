/** Countries as choices of a form. */
import { COUNTRIES } from '../../../domain/country.ts'
import type { Language } from '../../words/words.ts'
import type { Choice } from '../parts.ts'

/** Lists countries by their names in a language. Not by the operation, whose answer has all languages: 1.1 MB. */
export function countryChoices(language: Language): Choice[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return [...COUNTRIES]
    .map((code): Choice => [code, names.of(code) ?? code])
    .toSorted(([, one], [, other]) => one.localeCompare(other, language))
}
