/** Invisible characters: which are kept, removed or refused. Cleaning twice changes nothing more. */

/** Position of a character: its code point, as `U+202E`, and the number of characters before it. */
export type Place = { readonly sign: string; readonly at: number }

const JOINERS = String.raw`\u200c\u200d`
/** Viramas (combining class 9): a joiner after them has a meaning (RFC 5892, appendix A.1 and A.2). */
const VIRAMA =
  String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a` +
  String.raw`\u1714\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4\ua953\ua9c0\uaaf6\uabed` +
  String.raw`\u{10a3f}\u{11046}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}` +
  String.raw`\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d97}]`
const JOINING = [
  'Arabic',
  'Syriac',
  'Mandaic',
  'Mongolian',
  'Nko',
  'Phags_Pa',
  'Manichaean',
  'Hanifi_Rohingya',
  'Adlam',
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')
/** Letter of a joining script, with its marks. */
const JOINED = String.raw`(?=[${JOINING}])\p{L}\p{M}{0,4}`
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?`

/** Invisible characters with a meaning in words and emoji. */
const MEANT = [
  String.raw`[${JOINERS}](?:(?<=${VIRAMA}[${JOINERS}])|(?=${VIRAMA}))`,
  String.raw`[${JOINERS}](?<=${JOINED}[${JOINERS}])(?=(?=[${JOINING}])\p{L})`,
  String.raw`\u200d(?<=${PICTURE}\ufe0f?\u200d)(?=\p{Extended_Pictographic})`,
  // a variation selector changes the sign before it; in ASCII only keycaps have variants
  String.raw`[\ufe00-\ufe0f](?<=[^\0-\x7f\p{Z}\p{C}\p{Default_Ignorable_Code_Point}][\ufe00-\ufe0f])`,
  String.raw`\ufe0f(?<=[0-9#*]\ufe0f)(?=\u20e3)`,
  String.raw`[\u{e0100}-\u{e01ef}](?<=\p{Unified_Ideograph}[\u{e0100}-\u{e01ef}])`,
  String.raw`[\u180b-\u180d\u180f](?<=(?=\p{Script=Mongolian})\p{L}[\u180b-\u180d\u180f])`,
].join('|')

/** Residue of programs in text: soft hyphens, and marks of direction and order. */
const LEFT_BEHIND = String.raw`[\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]`
const HIDING = new RegExp(`(?!${MEANT})${LEFT_BEHIND}`, 'gu')

const FLAG = String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}](?=[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6}\u{e007f})`
const FLAG_END = String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6})\u{e007f}`
const NUMBER_SIGNS = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`
/** Blank signs of Braille, hieroglyphs, music and Khitan. */
const BLANK = String.raw`[\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]`
const PASSING = `${LEFT_BEHIND}|${NUMBER_SIGNS}|${FLAG}|${FLAG_END}`
const REFUSED = new RegExp(String.raw`(?!\0|${PASSING})(?:${UNSEEN}|${BLANK})`, 'u')
const REFUSED_IN_LINES = new RegExp(String.raw`(?![\0\t\n\r]|${PASSING})${UNSEEN}`, 'u')

/** Finds the first sign that controls, orders or hides others; tabs and line ends pass if `isOfLines`. */
export function findRefusedSign(text: string, isOfLines: boolean): Place | undefined {
  const found = (isOfLines ? REFUSED_IN_LINES : REFUSED).exec(text)
  if (!found) return undefined
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { sign: `U+${code}`, at: Array.from(text.slice(0, found.index)).length + 1 }
}

/** Removes signs that only hide others; joiners of scripts and emoji stay. */
export const withoutHiding = (text: string): string => text.replaceAll(HIDING, '')

/** Removes all that line() removes or refuses. */
export const withoutUnseen = (text: string): string => withoutHiding(text).replaceAll(new RegExp(REFUSED, 'gu'), '')
