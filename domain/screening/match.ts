/** Comparison of a name that is asked about with a listed one: a score from 0 to 100, and what it is made of. */
import { type NameWord, nameSkeletonOf, wordsOfName } from './names.ts'
import type { ListedSubject } from './lists.ts'

/** Score from which on two operators look at a match. */
export const POSSIBLE_FROM = 80

/** Question about a person or an entity. `born` is a day, a month or a year: 1961, 1961-03, 1961-03-07. */
export type ScreeningQuestion = {
  readonly name: string
  readonly of: 'entity' | 'person'
  readonly country: string | null
  readonly born: string | null
}

export type BornMatch = 'same_day' | 'same_year' | 'near' | 'differs' | 'unknown'
export type CountryMatch = 'same' | 'differs' | 'unknown'

/** Match of a question with a listed subject. */
export type ScreeningMatch = {
  readonly score: number
  /** Listed name that agrees best, and how well, from 0 to 100. */
  readonly listed_name: string
  readonly name_score: number
  readonly born: BornMatch
  readonly country: CountryMatch
}

/** Points that days of birth and countries add to the score of names. */
const BORN_POINTS: Readonly<Record<BornMatch, number>> = {
  same_day: 10,
  same_year: 5,
  near: 0,
  differs: -25,
  unknown: 0,
}
const COUNTRY_POINTS: Readonly<Record<CountryMatch, number>> = { same: 5, differs: -5, unknown: 0 }
/** Points that a person who is asked about as a company loses, and the other way round. */
const OTHER_KIND_POINTS = -10

/** Compares a question with a listed subject. */
export function matchOf(question: ScreeningQuestion, listed: Omit<ListedSubject, 'reference'>): ScreeningMatch {
  const asked = wordsOfName(question.name, question.of)
  const [best] = listed.names
    .map((name) => ({ name, score: Math.round(100 * nameLikeness(asked, wordsOfName(name, listed.of))) }))
    .toSorted((one, other) => other.score - one.score)
  const born = listed.of === 'person' ? compareBirths(question.born, listed.born) : 'unknown'
  const country = compareCountries(question.country, listed.countries)
  const { name = '', score = 0 } = best ?? {}
  const points = BORN_POINTS[born] + COUNTRY_POINTS[country] + (question.of === listed.of ? 0 : OTHER_KIND_POINTS)
  // nothing but the name makes a match of names that have little in common
  const total = score < NAME_MIN ? Math.min(score, score + points) : score + points
  return { score: Math.max(0, Math.min(100, total)), listed_name: name, name_score: score, born, country }
}

const NAME_MIN = 70

/** Says what a score is made of, in one sentence for operators. */
export function explainMatch({ score, name_score: names, born, country }: ScreeningMatch): string {
  const parts = [`the names agree at ${names} of 100`, SAY_BORN[born], SAY_COUNTRY[country]]
  return `${score} of 100: ${parts.filter(Boolean).join(', ')}.`
}

const SAY_BORN: Readonly<Record<BornMatch, string>> = {
  same_day: 'the day of birth is the same',
  same_year: 'the year of birth is the same',
  near: 'the birth is near',
  differs: 'the birth is at another time',
  unknown: '',
}
const SAY_COUNTRY: Readonly<Record<CountryMatch, string>> = {
  same: 'the country is the same',
  differs: 'the country is another one',
  unknown: '',
}

/** Words with fewer letters count half. */
const SHORT = 3

/**
 * Computes how alike two names are, from 0 to 1, in any order of their words. Words that only one of them has count
 * little, unless the other has a single word: a first name alone names nobody.
 */
export function nameLikeness(one: readonly NameWord[], other: readonly NameWord[]): number {
  if (one.length === 0 || other.length === 0) return 0
  const isFirst = one.length === other.length ? nameSkeletonOf(one) <= nameSkeletonOf(other) : one.length < other.length
  const [fewer, more] = isFirst ? [one, other] : [other, one]
  const whole = wholeLikeness(fewer, more)
  if (whole === 1) return 1
  const left = [...more]
  let [matched, asked, wholeWords] = [0, 0, 0]
  for (const word of fewer) {
    const best = bestOf(word, left)
    const [partner] = best.place >= 0 ? left.splice(best.place, 1) : []
    if (partner && word.word.length > 1 && partner.word.length > 1) wholeWords += 1
    matched += best.likeness * weightOf(word)
    asked += weightOf(word)
  }
  if (wholeWords === 0) return whole // initials alone name nobody
  const rest = left.slice(0, more.length - fewer.length).reduce((sum, word) => sum + weightOf(word), 0)
  const complete = matched / (asked + rest)
  if (fewer.length === 1) return Math.max(whole, complete)
  return Math.max(whole, (1 - MISSING_WEIGHT) * (matched / asked) + MISSING_WEIGHT * complete)
}

/** Share of a score that words count which only one of two names has. */
const MISSING_WEIGHT = 0.3

const weightOf = ({ word }: NameWord): number => (word.length < SHORT ? 0.5 : 1)

function bestOf(word: NameWord, among: readonly NameWord[]): { readonly place: number; readonly likeness: number } {
  let best = { place: -1, likeness: 0 }
  for (const [place, candidate] of among.entries()) {
    const likeness = wordLikeness(word, candidate)
    if (likeness > best.likeness) best = { place, likeness }
  }
  return best
}

/** Compares all letters of two names: one writes as one word what another writes as two. */
function wholeLikeness(one: readonly NameWord[], other: readonly NameWord[]): number {
  const joined = (words: readonly NameWord[]) => words.map(({ word }) => word).join('')
  if (joined(one) === joined(other)) return 1
  const folded = (words: readonly NameWord[]) => words.map((word) => word.folded).join('')
  const [shorter, longer] = [folded(one), folded(other)].toSorted((a, b) => a.length - b.length) as [string, string]
  if (shorter.length < JOINED_MIN || longer.length - shorter.length > 1) return 0
  if (shorter === longer) return 0.98
  return isOneEditAway(shorter, longer) ? 0.93 : 0
}
const JOINED_MIN = 8

/** Compares two words, from 0 to 1; 0 for words that no slip of a pen explains. */
export function wordLikeness(one: NameWord, other: NameWord): number {
  if (one.word === other.word) return 1
  if (one.folded === other.folded) return 0.97
  const [shorter, longer] = one.folded.length <= other.folded.length ? [one, other] : [other, one]
  if (shorter.word.length === 1) return longer.folded.startsWith(shorter.folded) ? 0.85 : 0
  const isSameBones = one.bones === other.bones && one.bones.length >= BONES_MIN
  if (isSameBones && (one.isBare || other.isBare)) return 0.9
  if (longer.folded.length - shorter.folded.length > 2) return 0
  const edits = countEdits(shorter.folded, longer.folded)
  const length = longer.folded.length
  if (edits === 1 && isSameBones) return 0.95
  if (edits === 1) return length >= 5 ? 0.9 : length === 4 ? 0.8 : 0
  if (edits === 2 && isSameBones && length >= 7) return 0.88
  return edits === 2 && length >= 9 ? 0.85 : 0
}
const BONES_MIN = 3

const isOneEditAway = (one: string, other: string): boolean => countEdits(one, other) <= 1

/** Counts the letters to insert, delete, replace, or exchange with their neighbour. */
function countEdits(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < other.length; j += 1) {
      const isSame = one[i] === other[j]
      const isSwapped = i > 0 && j > 0 && one[i] === other[j - 1] && one[i - 1] === other[j]
      const edits = Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (isSame ? 0 : 1))
      next.push(isSwapped ? Math.min(edits, before[j - 1]! + 1) : edits)
    }
    before = row
    row = next
  }
  return row[other.length]!
}

/** Years by which a listed birth may be wrong. */
const NEAR_YEARS = 1

/** Compares a birth with those that a list gives: the closest counts. */
export function compareBirths(asked: string | null, listed: readonly string[]): BornMatch {
  if (asked === null || listed.length === 0) return 'unknown'
  const found = listed.map((one) => compareBirth(asked, one))
  return (['same_day', 'same_year', 'near'] as const).find((match) => found.includes(match)) ?? 'differs'
}

function compareBirth(asked: string, listed: string): BornMatch {
  const [[year, month, day], [listedYear, listedMonth, listedDay]] = [asked.split('-'), listed.split('-')]
  const isWhole = day !== undefined && listedDay !== undefined
  if (isWhole && asked === listed) return 'same_day'
  if (Math.abs(Number(year) - Number(listedYear)) > NEAR_YEARS) return 'differs'
  if (year !== listedYear) return 'near'
  if (isWhole && month === listedDay && day === listedMonth) return 'same_day' // day and month exchanged
  return isWhole ? 'near' : 'same_year'
}

function compareCountries(asked: string | null, listed: readonly string[]): CountryMatch {
  if (asked === null || listed.length === 0) return 'unknown'
  return listed.includes(asked) ? 'same' : 'differs'
}
