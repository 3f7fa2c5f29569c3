/**
 * Text in the Latin character set of SEPA (EPC217-08), which is the set X of SWIFT: letters, digits, and
 * / - ? : ( ) . , ' + and space.
 */
import type { Place } from './signs.ts'

const ALLOWED = /^[A-Za-z0-9/\-?:().,'+ ]*$/

/** Letters and signs, each with its replacement; others lose their accents, or become a full stop. */
const PAIRS = `
  ä ae ö oe ü ue ß ss æ ae ø oe å aa œ oe þ th ð d đ d ł l ı i ħ h ŋ n
  α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o
  а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х h ц ts ч ch ш sh щ sht ъ a
  ы y ь y э e ю yu я ya і i ї yi є ye ґ g ј j љ lj њ nj ћ c ђ dj џ dz ѓ gj ќ kj ў u
  & + € EUR £ GBP $ USD _ - – - — - ‐ - ‑ - @ (at) " ' ’ ' ‘ ' “ ' ” ' „ ' ; , [ ( ] ) { ( } ) \\ / | / * . # .`
const [REPLACED, BY] = [0, 1].map((side) =>
  PAIRS.trim()
    .split(/\s+/)
    .filter((_, index) => index % 2 === side),
)
const REPLACEMENTS = new Map(REPLACED?.map((letter, index) => [letter, BY?.[index] ?? '']))

/** Stroke of a fraction in one sign: ½ after a number is a number of its own. */
const FRACTION = '\u2044'

/** Writes text in this character set, on one line. */
export function transliterate(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim()
  if (ALLOWED.test(line)) return line
  return Array.from(line.normalize('NFC'), replace).join('').replaceAll(/ +/g, ' ').trim()
}

/** Finds the first letter or digit that has no replacement in this character set. */
export function findUntransliterable(text: string): Place | undefined {
  const letters = Array.from(text.normalize('NFC'))
  const at = letters.findIndex((letter) => /[\p{L}\p{N}]/u.test(letter) && replace(letter) === '.')
  return at < 0 ? undefined : { sign: letters[at] ?? '', at: at + 1 }
}

function replace(letter: string): string {
  if (ALLOWED.test(letter)) return letter
  const known = REPLACEMENTS.get(letter)
  if (known !== undefined) return known
  const small = REPLACEMENTS.get(letter.toLowerCase())
  if (small !== undefined) return small.replace(/^./, (first) => first.toUpperCase())
  const bases = Array.from(letter.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
  if (bases.includes(FRACTION)) return ` ${bases.join('').replace(FRACTION, '/')}`
  const replaced = bases.map((base) => (ALLOWED.test(base) ? base : (REPLACEMENTS.get(base) ?? ''))).join('')
  return replaced || (/[\p{M}\p{C}]/u.test(letter) ? '' : '.')
}
