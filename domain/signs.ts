/**
 * Signs that are not seen: which of them text may have, which are taken out of it, and which it is refused for.
 * Cleaning text that is clean changes nothing.
 */

/** Where a sign stands in a text: its code point, as `U+202E`, and how many characters in. */
export type Place = { readonly sign: string; readonly at: number }

/** Join letters or keep them apart. */
const JOINERS = String.raw`\u200c\u200d`
/** Canonical combining class 9: what follows is joined to it, or kept apart (RFC 5892, appendix A.1 and A.2). */
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
/** A letter that takes another form beside others, with the marks on it. */
const JOINED = String.raw`(?=[${JOINING}])\p{L}\p{M}{0,4}`
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?`

/** What makes words and pictures other ones: signs that are meant. */
const MEANT = [
  String.raw`[${JOINERS}](?:(?<=${VIRAMA}[${JOINERS}])|(?=${VIRAMA}))`,
  String.raw`[${JOINERS}](?<=${JOINED}[${JOINERS}])(?=(?=[${JOINING}])\p{L})`,
  String.raw`\u200d(?<=${PICTURE}\ufe0f?\u200d)(?=\p{Extended_Pictographic})`,
  // one selector chooses a shape of the sign before it, of which those of ASCII have none but as keys
  String.raw`[\ufe00-\ufe0f](?<=[^\0-\x7f\p{Z}\p{C}\p{Default_Ignorable_Code_Point}][\ufe00-\ufe0f])`,
  String.raw`\ufe0f(?<=[0-9#*]\ufe0f)(?=\u20e3)`,
  String.raw`[\u{e0100}-\u{e01ef}](?<=\p{Unified_Ideograph}[\u{e0100}-\u{e01ef}])`,
  String.raw`[\u180b-\u180d\u180f](?<=(?=\p{Script=Mongolian})\p{L}[\u180b-\u180d\u180f])`,
].join('|')

/** What programs leave in text and nobody sees: hyphens and breaks that may be, marks of direction and of order. */
const LEFT_BEHIND = String.raw`[\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]`
const HIDING = new RegExp(`(?!${MEANT})${LEFT_BEHIND}`, 'gu')

/** The flag of a part of a country, such as Scotland. */
const FLAG = String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}](?=[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6}\u{e007f})`
const FLAG_END = String.raw`(?<=\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6})\u{e007f}`
/** Stand before numbers, and are seen. */
const NUMBER_SIGNS = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`
/** Signs that are drawn as nothing: of Braille, of hieroglyphs, of music, of Khitan. */
const BLANK = String.raw`[\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]`
const PASSING = `${LEFT_BEHIND}|${NUMBER_SIGNS}|${FLAG}|${FLAG_END}`
const REFUSED = new RegExp(String.raw`(?!\0|${PASSING})(?:${UNSEEN}|${BLANK})`, 'u')
const REFUSED_IN_LINES = new RegExp(String.raw`(?![\0\t\n\r]|${PASSING})${UNSEEN}`, 'u')

/** Finds the first sign that controls, orders or hides others; on several lines tabs and line ends are none. */
export function refusedSign(text: string, isOfLines: boolean): Place | undefined {
  const found = (isOfLines ? REFUSED_IN_LINES : REFUSED).exec(text)
  if (!found) return undefined
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return { sign: `U+${code}`, at: Array.from(text.slice(0, found.index)).length + 1 }
}

/** Takes out what only hides; what joins letters of a script or parts of a picture stays. */
export const withoutHiding = (text: string): string => text.replaceAll(HIDING, '')

/** Takes out all that text on one line is cleaned of, or refused for. */
export const withoutUnseen = (text: string): string => withoutHiding(text).replaceAll(new RegExp(REFUSED, 'gu'), '')
