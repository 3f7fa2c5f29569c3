/** Text on a terminal: what others wrote must not move its cursor, hide a line or turn its direction. */

/** Control characters, and those that change the direction of text or are not seen. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/** Replaces what could act on a terminal, also line breaks. */
export const makeSafe = (text: string): string => text.replaceAll(UNSAFE, '\ufffd')

const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu'].map(
  (script) => new RegExp(String.raw`\p{Script=${script}}`, 'u'),
)

/** Marks a text with letters of several alphabets in one word: it may imitate another. */
export function markAlike(text: string): string {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const isMixed = words.some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)
  return isMixed && !text.includes('⚠') ? `⚠ ${text}` : text
}

/** Replaces what could act on a terminal in a text of several lines. */
export const makeLinesSafe = (text: string): string => text.split('\n').map(makeSafe).join('\n')

/** Escapes what could act on a terminal in JSON; its value stays the same. */
export const escapeJson = (json: string): string =>
  json.replaceAll(UNSAFE, (one) => (/[\n\t]/.test(one) ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`))

/** Shortens a text to a width in characters. */
export const shorten = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Writes a name of the API as an option: `payout_reason` becomes `payout-reason`. */
export const toOption = (name: string): string => name.replaceAll('_', '-')
