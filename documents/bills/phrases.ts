/** Patterns of whole words in folded text of any script. */
import { fold } from './text/labels/fold.ts'

/** Tells apart the end of a word from its middle, in any script. */
const [BEFORE, BEHIND] = [String.raw`(?<![\p{L}\p{N}])`, String.raw`(?![\p{L}\p{N}])`]

/** Splits a list of phrases, which are patterns without capitals: parted by `, ` or lines. `\w` is of any script. */
const phrasesIn = (lists: readonly string[]): string[] =>
  lists
    .flatMap((list) => fold(list).split(/,\s+|,?\n\s*/))
    .map((phrase) => phrase.trim().replaceAll(String.raw`\w`, String.raw`[\p{L}\d_]`))
    .filter((phrase) => phrase !== '')

/** Matches one of these phrases as whole words, anywhere in folded text. */
export const oneOf = (...lists: readonly string[]): RegExp =>
  new RegExp(`${BEFORE}(?:${phrasesIn(lists).join('|')})${BEHIND}`, 'u')

/** Matches folded text that is one of these phrases, and nothing else. */
export const exactly = (...lists: readonly string[]): RegExp => new RegExp(`^(?:${phrasesIn(lists).join('|')})$`, 'u')

/** Finds the longest phrase of a list at the beginning of folded text; undefined if it begins with none. */
export type Beginning = (text: string) => string | undefined

/** Makes the finder of these phrases. */
export function beginning(...lists: readonly string[]): Beginning {
  const phrases = phrasesIn(lists)
  const any = new RegExp(`^(?:${phrases.join('|')})${BEHIND}`, 'u')
  let each: readonly RegExp[] | undefined // made at the first hit: there are hundreds, and most processes read no bill
  return (text) => {
    if (!any.test(text)) return undefined
    each ??= phrases.map((phrase) => new RegExp(`^(?:${phrase})${BEHIND}`, 'u'))
    const found = each.flatMap((phrase) => phrase.exec(text)?.[0] ?? [])
    return found.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
  }
}
