/** Languages of the pages: which there are, and which one a browser asks for. */
import { DE } from './de.ts'
import { EN, type Words } from './en.ts'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE }

export const wordsIn = (language: Language): Words => WORDS[language]

const isLanguage = (text: string | undefined): text is Language => LANGUAGES.some((one) => one === text)

/** Chooses the language: the one that was chosen here, else the first of `accept-language` that there is, else English. */
export function languageOf(chosen: string | undefined, accepted = ''): Language {
  if (isLanguage(chosen)) return chosen
  const asked = accepted.split(',').map((part) => part.trim().slice(0, 2).toLowerCase())
  return asked.find(isLanguage) ?? 'en'
}
