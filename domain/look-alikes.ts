/** Finds words that may imitate others: letters of several alphabets, in another shape, or that all look Latin. */
import { skeletonOf } from './skeleton.ts'

const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu', 'Hebrew', 'Arabic'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
)
const LATIN = /\p{Script=Latin}/u

/** Latin letters of phonetic alphabets, and small capitals: no name has them. */
const RARE = /[ɑɡɪʀʏᴀ-ᴢꜱꝛꞙꞟꬵꬽꭇꭈꭎꭒꭚᶃᶌẝỿ]/u

/** Letters beyond ASCII that are written as ASCII ones in another shape: ａ, 𝐚, ⓐ, ᴀ. */
const isShaped = (letter: string): boolean =>
  letter > '\x7f' && (RARE.test(letter) || /^[A-Za-z]$/.test(letter.normalize('NFKC')))

/** Letters that look like Latin ones as they stand, case and all. Greek small ones but two have a look of their own. */
const LIKE_LATIN = new Set('асеорхуіјѕԁӏһԛԝѵүԍАВСЕНІЈКМОРЅТХУӀԚԜѴҮԌονΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսհՕՍՏ')
const ALL_LIKE_LATIN = /[\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u
const looksLatin = (letter: string): boolean =>
  LIKE_LATIN.has(letter) || (ALL_LIKE_LATIN.test(letter) && /^[a-z]+$/.test(skeletonOf(letter)))

/** Letters from which on a word that looks Latin is one: ООО and ΟΤΕ are honest. */
const WORD_MIN = 4

/** Says what may deceive about a text; null if nothing does. An honest Вера is marked too: it can be read as Bepa. */
export function sayAlike(text: string): string | null {
  if (Array.from(text).some(isShaped)) return 'letters in another shape'
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  if (words.some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)) {
    return 'letters of several alphabets'
  }
  const foreign = words.map((word) => Array.from(word.normalize('NFC'))).filter((word) => !LATIN.test(word.join('')))
  const isPlain = foreign.flat().some((letter) => !looksLatin(letter)) // then people see which alphabet it is
  return !isPlain && foreign.some((word) => word.length >= WORD_MIN) ? 'letters that only look Latin' : null
}

/** Marks a text that may imitate another, for sentences without markup. */
export function markAlike(text: string): string {
  const said = sayAlike(text)
  return said === null ? text : `${text} (⚠ ${said})`
}

/** Mark that markAlike() has written behind a quotation. */
export const MARK = String.raw` \(⚠ [a-zA-Z ]+\)`
