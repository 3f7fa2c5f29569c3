/**
 * Names of people and companies as lists of sanctions spell them: folded, so that one name in several transliterations is
 * one, and keyed, so that a name finds those that may be meant among tens of thousands.
 */
import { latinWordsIn, nameWordsIn } from '../company-names.ts'

/** Word of a name, in three spellings from exact to coarse. */
export type NameWord = {
  readonly word: string
  /** Spelled by sound: `kh`, `q` and `ck` as k, `y` and `j` as i, `ou` and `o` as u, no letter twice. */
  readonly folded: string
  /** Consonants of it. */
  readonly bones: string
  /** It is written without short vowels, as in Arabic. */
  readonly isBare: boolean
}

/** Words that one document has and another leaves out: articles, and what stands for "son of". */
const PARTICLES = new Set(
  'al el ul ur ar as ad ash an az at bin ibn ben bint abu de del der den di da du la le van von mr mrs ms dr'.split(
    ' ',
  ),
)

/** Consonants of Arabic and Persian letters, without the short vowels that nobody writes. */
const ARABIC_PAIRS = `
  ا a آ a أ a إ i ب b پ p ت t ث th ج j چ ch ح h خ kh د d ذ dh ر r ز z ژ zh س s ش sh ص s ض d ط t ظ z ع a غ gh ف f ق q ک k ك k
  گ g ل l م m ن n ه h ة a و u ؤ u ي i ی i ى a ئ i ء a`
const ARABIC = new Map(
  Array.from(ARABIC_PAIRS.matchAll(/(\S) ([a-z]+)/gu), ([, letter = '', latin = '']) => [letter, latin]),
)

/** Sounds in the order in which they are replaced. */
const SOUNDS: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/shch|sch|sh|zh/g, 's'],
  [/tsch|tch|ch/g, 'C'],
  [/kh|gh|ck|qu|q|g/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/x/g, 'ks'],
  [/[wv]/g, 'v'],
  [/[yj]/g, 'i'],
  [/ts|tz|z/g, 's'],
  [/ou|oo|o/g, 'u'],
  [/e/g, 'i'],
  [/(.)\1+/g, '$1'],
  [/(?<=.)h(?=$|[bdfklmnprst])/g, ''],
]

/** Folds the letters of a Latin word that sound alike. */
const foldSounds = (word: string): string => SOUNDS.reduce((text, [pattern, by]) => text.replaceAll(pattern, by), word)

/** Words that were folded: those of a list come again and again. */
const known = new Map<string, Omit<NameWord, 'isBare'>>()
const KNOWN_MAX = 20_000

function toWord(word: string, isBare = false): NameWord {
  const found = known.get(word)
  if (found) return { ...found, isBare }
  const folded = foldSounds(word)
  const made = { word, folded, bones: folded.replaceAll(/[aiu]|(?<=.)h/g, '') }
  if (known.size < KNOWN_MAX) known.set(word, made)
  return { ...made, isBare }
}

/** Splits a word as others do: Abdurrahman, Abdelrahman and Abd al-Rahman are one name. */
const splitServant = (word: string): readonly string[] => {
  const [, , rest = ''] = /^abd[aeu]([lrsnztdj])((?:.{4,})?)$/.exec(word) ?? []
  return rest !== '' ? ['abd', rest] : /^abd[aeu][lrsnztdj]$/.test(word) ? ['abd'] : [word]
}

const IN_ARABIC = /\p{Script=Arabic}/u
const spellArabic = (text: string): string =>
  Array.from(
    text.normalize('NFKC').replaceAll(/[\u064B-\u0652\u0640]/g, ''),
    (letter) => ARABIC.get(letter) ?? letter,
  ).join('')

/** Letters that a name may have: a longer one is cut, so that no question takes long. */
const LENGTH_MAX = 300
const WORDS_MAX = 20

/**
 * Splits a name in its words, in their order: without legal forms if it is not of a person, and without particles. A name
 * of nothing else keeps them.
 */
export function wordsOfName(name: string, of: 'entity' | 'person'): readonly NameWord[] {
  const latin = spellArabic(name.slice(0, LENGTH_MAX))
  const all = (of === 'person' ? latinWordsIn(latin) : nameWordsIn(latin)).slice(0, WORDS_MAX)
  const apart = all
    .flatMap((word) => word.split("'"))
    .flatMap(splitServant)
    .filter(Boolean)
  const own = apart.filter((word) => !PARTICLES.has(word))
  const isBare = IN_ARABIC.test(name)
  return (own.length > 0 ? own : apart).map((word) => toWord(word, isBare))
}

/** Computes the skeleton of a name: equal in any order of its words, and in any spelling of the same sounds. */
export const nameSkeletonOf = (words: readonly NameWord[]): string =>
  words
    .map(({ folded }) => folded)
    .toSorted()
    .join(' ')

/** Words of a name by whose pairs it is found: the longest, which tell most. */
const PAIRED_MAX = 6

/**
 * Lists the keys of a name. One that is asked about shares a key with one that is listed if they share two words, also
 * with one wrong consonant in one of these; or a word and the initial of another; or all letters, however they are split.
 */
export function keysOfName(words: readonly NameWord[], side: 'asked' | 'listed'): readonly number[] {
  const paired = words.toSorted((one, other) => other.bones.length - one.bones.length).slice(0, PAIRED_MAX)
  const keys = new Set(nearBones(toWord(words.map(({ word }) => word).join(''))).map((near) => hashOf(`:${near}`)))
  const hashed = paired.map((word) => ({
    bones: hashOf(bonesOf(word)),
    near: nearBones(word).map(hashOf),
    first: hashOf(`~${word.folded.slice(0, 1)}`),
    isInitial: word.word.length === 1,
  }))
  for (const [at, word] of hashed.entries()) {
    for (const [place, other] of hashed.entries()) {
      if (place === at) continue
      for (const near of word.near) keys.add(mix(near, other.bones, PAIR))
      // an initial finds whole words, and a whole word initials: two whole words do not find each other by it
      const isFound = other.isInitial === (side === 'listed')
      keys.add(mix(word.bones, other.first, isFound ? INITIAL : WHOLE))
    }
  }
  return [...keys].toSorted((one, other) => one - other)
}

/** Names a word by its consonants; one that has none by its letters. */
const bonesOf = ({ bones, folded }: NameWord): string => (bones === '' ? folded : bones)

/** Lists the consonants of a word, and these without any one of them: two words with one other letter share one. */
function nearBones(word: NameWord): readonly string[] {
  const bones = bonesOf(word)
  if (bones.length < NEAR_MIN) return [bones]
  return [bones, ...Array.from(bones, (_, at) => bones.slice(0, at) + bones.slice(at + 1))]
}
const NEAR_MIN = 3

const FNV_PRIME = 0x01000193

/**
 * Hashes a part of a key to a number of 32 bits (FNV-1a): another name of the same number costs a comparison, and nothing
 * else.
 */
function hashOf(part: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < part.length; at += 1) hash = Math.imul(hash ^ part.charCodeAt(at), FNV_PRIME)
  return hash | 0
}

const [PAIR, INITIAL, WHOLE] = [1, 2, 3]

/** Mixes two numbers, in any order, to the key of a kind. */
const mix = (one: number, other: number, kind: number): number =>
  Math.imul(Math.imul((one ^ other) + kind, FNV_PRIME) ^ (one + other), FNV_PRIME) | 0
