/** Finds names that may imitate others: words of several alphabets, Latin letters in another shape. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Hebrew', 'Arabic'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
)

/** Letters beyond ASCII that are written as ASCII ones in another shape: ａ, 𝐚, ⓐ. */
const isShaped = (letter: string): boolean => letter > '\x7f' && /^[A-Za-z]$/.test(letter.normalize('NFKC'))

/** Tells if a name may imitate another: an approver looks twice. */
export function mayImitate(name: string): boolean {
  if (Array.from(name).some(isShaped)) return true
  const words = name.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)
}
