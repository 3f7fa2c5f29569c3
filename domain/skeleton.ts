/**
 * Texts that look alike (UTS 39, skeletons): letters of Cyrillic, Greek, Armenian, Cherokee, Coptic and Lisu, and rare
 * Latin ones, as the Latin letter that they look like. From Unicode's confusables.txt, reduced to these scripts, to
 * what is no other text after NFKD, and to lower case.
 */

/** Small letters by what they look like; one without a look of its own as its capital. */
const ALIKE: Readonly<Record<string, string>> = {
  '2': 'ƨϩꙅꝛ',
  '3': 'ȝɜʒзӡⳍꝫ',
  '4': 'ꮞ',
  '6': 'бⳓꮾ',
  '8': 'ȣ',
  '9': 'ⳋꝯ',
  a: 'ɑαаꓮꭺ',
  b: 'ƅβвьᏼꓐꞵꮟ',
  c: 'сᴄⲥꓚꮯ',
  d: 'ԁꓒꓓꭰꮷ',
  e: 'εеҽꓰꬲꭼ',
  f: 'ϝքẝꓝꞙꬵ',
  g: 'ƍɡԍցᏻᶃꓖꮐ',
  h: 'ηнһհⲏꓧꮋꮒ',
  j: 'ʝϳјꓙꭻ',
  k: 'κкⲕꓗꮶ',
  l: 'ıǀɩɪιіӏⲓⳑꓡꓲꙇꭵꮮ',
  m: 'μϻмⲙꓟꮇ',
  n: 'ոռⲛꓠ',
  o: 'οσоօᴏᴑⲟꓳꬽ',
  p: 'ρрⲣꓑꮲ',
  q: 'ԛգզ',
  r: 'ʀгᴦⲅꓣꭇꭈꭱꮁꮢ',
  s: 'ƽѕտꓢꜱꮥꮪ',
  t: 'τтⲧꓔꭲ',
  u: 'ʋυսᴜꓴꞟꭎꭒ',
  v: 'νѵᴠꓦꮩ',
  w: 'ɯѡԝաᴡꓪꮃꮤ',
  x: 'χхⲭꓫꭓ',
  y: 'ɣʏγуүᶌỿⲩꓬꭚꭹꮍ',
  z: 'ζᴢꓜꮓ',
}
/** Capitals that look like another letter than their small ones do. */
const CAPITALS: Readonly<Record<string, string>> = { Ν: 'N', Υ: 'Y' }
/** Of Latin itself, in lower case: what a capital I, a one, a zero and an m look like. */
const LATIN: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '0': 'o', m: 'rn' }

const LOOKS = new Map([
  ...Object.entries(LATIN),
  ...Object.entries(ALIKE).flatMap(([sign, others]) =>
    Array.from(others, (one) => [one, LATIN[sign] ?? sign] as const),
  ),
])

/**
 * Letters and digits of a text by their looks, in lower case and without accents: equal for texts that people cannot
 * tell apart. A capital of another script is taken for the Latin one in a word with Latin letters alone.
 */
export function skeletonOf(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]+/gu, '')
  const words = Array.from(bare.matchAll(/[\p{L}\p{N}]+/gu), ([word]) =>
    /\p{Script=Latin}/u.test(word) ? word.replaceAll(/[ΝΥ]/g, (sign) => CAPITALS[sign] ?? sign) : word,
  )
  const small = words.join('').toLowerCase().replaceAll('ß', 'ss')
  return Array.from(small, (sign) => LOOKS.get(sign) ?? sign).join('')
}
