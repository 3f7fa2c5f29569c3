/**
 * Skeletons of texts that look alike (UTS 39). Letters of Cyrillic, Greek, Armenian, Cherokee, Coptic and Lisu, and
 * rare Latin ones, become the Latin letter that they look like. Source: Unicode's confusables.txt, reduced to these
 * scripts, to what NFKD does not map, and to lower case.
 */

/** Small letters by their Latin look; a letter that has none stands under its capital's look. */
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
const CAPITALS: Readonly<Record<string, string>> = { Ν: 'N', Υ: 'Y' }
/** Confusable Latin, in lower case: capital I, one, zero and m. */
const LATIN: Readonly<Record<string, string>> = { i: 'l', '1': 'l', '0': 'o', m: 'rn' }

const LOOKS = new Map([
  ...Object.entries(LATIN),
  ...Object.entries(ALIKE).flatMap(([sign, others]) =>
    Array.from(others, (one) => [one, LATIN[sign] ?? sign] as const),
  ),
])

const ASCII = /^[ -~]*$/

/** Computes the skeleton: equal for texts that look alike. A foreign capital in a Latin word becomes Latin. */
export function skeletonOf(text: string): string {
  // most names, for a fifth of the cost: nothing of ASCII is composed, and only LATIN looks like another letter
  if (ASCII.test(text)) {
    return text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '')
      .replaceAll(/[i10m]/g, (sign) => LATIN[sign] ?? sign)
  }
  const bare = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]+/gu, '')
  const words = Array.from(bare.matchAll(/[\p{L}\p{N}]+/gu), ([word]) =>
    /\p{Script=Latin}/u.test(word) ? word.replaceAll(/[ΝΥ]/g, (sign) => CAPITALS[sign] ?? sign) : word,
  )
  const small = words.join('').toLowerCase().replaceAll('ß', 'ss')
  return Array.from(small, (sign) => LOOKS.get(sign) ?? sign).join('')
}
