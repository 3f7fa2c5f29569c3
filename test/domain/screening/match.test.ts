/** Matching of names with listed ones: pairs that mean one name, pairs that do not, and what holds for all names. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { POSSIBLE_FROM, type ScreeningQuestion, explainMatch, matchOf } from '../../../domain/screening/match.ts'
import { keysOfName, nameSkeletonOf, wordsOfName } from '../../../domain/screening/names.ts'
import type { ListedSubject } from '../../../domain/screening/lists.ts'
import { always } from '../../support/property.ts'

type Of = ListedSubject['of']
const ask = (name: string, of: Of, more: Partial<ScreeningQuestion> = {}): ScreeningQuestion => ({
  name,
  of,
  country: null,
  born: null,
  ...more,
})
const listed = (of: Of, name: string, more: Partial<ListedSubject> = {}) => ({
  of,
  names: [name],
  born: [],
  countries: [],
  ...more,
})
const scoreOf = (of: Of, one: string, other: string) => matchOf(ask(one, of), listed(of, other)).score

/** Tells whether the keys of a question lead to a listed name. */
function isFound(of: Of, asked: string, name: string): boolean {
  const keys = new Set(keysOfName(wordsOfName(name, of), 'listed'))
  return keysOfName(wordsOfName(asked, of), 'asked').some((key) => keys.has(key))
}

describe('the same person', () => {
  test.each([
    ['Viktor Brandis', 'Viktor Brandis'],
    ['Brandis, Viktor', 'Viktor Brandis'],
    ['VIKTOR BRANDIS', 'Víktor Brändis'],
    ['Victor Brandis', 'Viktor Brandis'],
    ['V. Brandis', 'Viktor Brandis'],
    ['Viktor Brandis', 'V. Brandis'],
    ['Viktor Brandiz', 'Viktor Brandis'],
    ['Viktor Brnadis', 'Viktor Brandis'],
    ['Viktor Brandi', 'Viktor Brandis'],
    ['Viktor Ivan Brandis', 'Viktor Brandis'],
    ['Viktor Brandis', 'Viktor Ivan Brandis'],
    ['Viktor Brandis', 'Виктор Брандис'],
    ['Evgeny Shulgin', 'Yevgeniy Shulghin'],
    ['Evgenij Schulgin', 'Евгений Шульгин'],
    ['Alexandr Chernov', 'Aleksandr Tschernow'],
    ['Dmitri Yakovlev', 'Dmitriy Jakowlew'],
    ['Muhammad Hussein', 'Mohammed Husayn'],
    ['Mohamad Hussain', 'محمد حسين'],
    ['Youssef Khalil', 'Yusuf Khaleel'],
    ['Abdul Rahman Yassin', 'Abdurrahman Yasin'],
    ['Abd al-Rahman Yasin', 'Abdelrahman Yassine'],
    ['Omar al-Qadhafi', 'Umar Gaddafi'],
    ['Hassan bin Khalid', 'Hasan Khaled'],
    ['Dr. Ömer Yıldız', 'Omer Yildiz'],
    ['Zoë O’Brannigan', "Zoe O'Brannigan"],
    ['Kyriakos Vassiliou', 'Κυριάκος Βασιλείου'],
    ['Mohammed Ali Karim Hassan', 'Mohammed Ali Hassan'],
  ])('%s is %s', (one, other) => {
    expect(scoreOf('person', one, other)).toBeGreaterThanOrEqual(POSSIBLE_FROM)
    expect([isFound('person', one, other), isFound('person', other, one)]).toEqual([true, true])
  })
})

describe('another person', () => {
  test.each([
    ['Viktor Brandis', 'Viktor Kramer'],
    ['Viktor Brandis', 'Paul Brandis'],
    ['Viktor', 'Viktor Brandis'],
    ['V. Brandis', 'Paul Brandis'],
    ['V. B.', 'Viktor Brandis'],
    ['Viktor Ivan Brandis', 'Viktor Ivan Kramer'],
    ['Muhammad Hussein', 'Muhammad Karimi'],
    ['Hassan Ali', 'Husayn Ali'],
    ['Amir Hosseini', 'Omar Hosseini'],
    ['Ivan Petrov', 'Igor Petrov'],
    ['Maria Schneider', 'Marco Schneider'],
    ['Li Wei', 'Li Jun'],
    ['Anna Novak', 'Adam Novak'],
    ['John Smith', 'Jane Smyth'],
    ['', 'Viktor Brandis'],
    ['…', 'Viktor Brandis'],
  ])('%s is not %s', (one, other) => expect(scoreOf('person', one, other)).toBeLessThan(POSSIBLE_FROM))
})

describe('companies', () => {
  test.each([
    ['Listed Trading', 'Listed Trading LLC'],
    ['Listed Trading GmbH', 'LISTED TRADING LIMITED'],
    ['Trading Listed', 'Listed Trading'],
    ['ListedTrading', 'Listed Trading Co. Ltd.'],
    ['OOO Severny Metall', 'Северный Металл'],
    ['Severnyy Metal', 'Severny Metall JSC'],
    ['Severny & Metall', 'Severny and Metall'],
    ['Golden Orient Shiping', 'Golden Orient Shipping Company'],
  ])('%s is %s', (one, other) => {
    expect(scoreOf('entity', one, other)).toBeGreaterThanOrEqual(POSSIBLE_FROM)
    expect(isFound('entity', one, other)).toBe(true)
  })

  test.each([
    ['Clear Trading', 'Listed Trading'],
    ['Nordwind Trading', 'Listed Trading'],
    ['Listed', 'Listed Trading'],
    ['Northern General Trading', 'Southern General Trading'],
    ['Nordwind Logistik GmbH', 'Südwind Logistik GmbH'],
    ['Bank of Utopia', 'Utopia Bakery'],
  ])('%s is not %s', (one, other) => expect(scoreOf('entity', one, other)).toBeLessThan(POSSIBLE_FROM))
})

describe('birth and country', () => {
  const subject = listed('person', 'Viktor Brandis', { born: ['1961-03-07', '1959'], countries: ['BY', 'RU'] })
  test.each([
    [{ born: '1961-03-07' }, 'same_day', 100],
    [{ born: '1961-07-03' }, 'same_day', 100],
    [{ born: '1961-03' }, 'same_year', 100],
    [{ born: '1959-12-24' }, 'same_year', 100],
    [{ born: '1961-12-24' }, 'near', 100],
    [{ born: '1962' }, 'near', 100],
    [{ born: '1985-03-07' }, 'differs', 75],
    [{ born: null }, 'unknown', 100],
  ] as const)('born %j: %s, %i', (more, born, score) =>
    expect(matchOf(ask('Viktor Brandis', 'person', more), subject)).toMatchObject({ born, score }),
  )

  test('a birth of another time clears the same name, and a near one does not', () => {
    expect(matchOf(ask('Viktor Brandis', 'person', { born: '1985' }), subject).score).toBeLessThan(POSSIBLE_FROM)
    expect(matchOf(ask('Viktor Brandis', 'person', { born: '1960' }), subject).score).toBeGreaterThanOrEqual(90)
  })

  test.each([
    ['RU', 'same'],
    ['DE', 'differs'],
    [null, 'unknown'],
  ] as const)('country %s: %s', (country, expected) =>
    expect(matchOf(ask('Viktor Brandis', 'person', { country }), subject).country).toBe(expected),
  )

  test('neither makes a match of another name', () => {
    const born = matchOf(ask('Viktor Kramer', 'person', { born: '1961-03-07', country: 'RU' }), subject)
    expect(born.score).toBeLessThan(POSSIBLE_FROM)
  })

  test('the score is explained', () => {
    const match = matchOf(ask('Victor Brandis', 'person', { born: '1961', country: 'DE' }), subject)
    expect(explainMatch(match)).toBe(
      '99 of 100: the names agree at 99 of 100, the year of birth is the same, the country is another one.',
    )
  })

  test('of several names the one that agrees best is answered', () => {
    const many = { ...subject, names: ['Nobody Else', 'Brandis Viktor', 'Виктор Брандис'] }
    expect(matchOf(ask('Viktor Brandis', 'person'), many).listed_name).toBe('Brandis Viktor')
  })
})

const CONSONANTS = 'b d f k l m n p r s'.split(' ')

describe('all names', () => {
  const word = fc.stringMatching(/^[B-DF-HK-NP-TV][a-z]{5,9}$/)
  const name = fc.array(word, { minLength: 2, maxLength: 5 })
  const of = fc.constantFrom<Of>('person', 'entity')

  test('a name is itself in any order, and is found', () =>
    always(2000, name, fc.nat(), (words, turn) => {
      const turned = [...words.slice(turn % words.length), ...words.slice(0, turn % words.length)].toReversed()
      expect(scoreOf('person', turned.join(' '), words.join(' '))).toBe(100)
      expect(isFound('person', turned.join(' '), words.join(' '))).toBe(true)
      const [one, other] = [turned, words].map((all) => nameSkeletonOf(wordsOfName(all.join(' '), 'person')))
      expect(one).toBe(other)
    }))

  const syllable = fc.tuple(fc.constantFrom(...CONSONANTS), fc.constantFrom('a', 'i', 'u')).map((pair) => pair.join(''))
  const sounded = fc.array(syllable, { minLength: 3, maxLength: 5 }).map((all) => all.join(''))

  test('a consonant that is wrong in one word still matches, and is found', () =>
    always(
      2000,
      fc.array(sounded, { minLength: 2, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...CONSONANTS),
      (words, which, place, letter) => {
        const at = which % words.length
        const chosen = words[at] ?? ''
        const index = 2 * (place % (chosen.length / 2))
        const changed = chosen.slice(0, index) + letter + chosen.slice(index + 1)
        const asked = words.map((one, other) => (other === at ? changed : one)).join(' ')
        expect(scoreOf('person', asked, words.join(' '))).toBeGreaterThanOrEqual(POSSIBLE_FROM)
        expect(isFound('person', asked, words.join(' '))).toBe(true)
      },
    ))

  test('the score is symmetric, whole, and between 0 and 100', () =>
    always(2000, fc.string(), fc.string(), of, (one, other, kind) => {
      const score = scoreOf(kind, one, other)
      expect(score).toBe(scoreOf(kind, other, one))
      expect(score >= 0 && score <= 100 && Number.isInteger(score)).toBe(true)
    }))

  test('a legal form changes nothing', () =>
    always(500, name, fc.constantFrom('GmbH', 'Ltd.', 'S.A.', 'LLC', 'JSC', 'Inc.'), (words, form) => {
      expect(scoreOf('entity', `${words.join(' ')} ${form}`, words.join(' '))).toBe(100)
    }))

  test('a name has few keys, however long it is', () =>
    always(100, fc.string({ maxLength: 1000 }), (text) => {
      expect(keysOfName(wordsOfName(text, 'person'), 'asked').length).toBeLessThan(1000)
    }))

  test('most pairs of other names do not find each other', () => {
    const names = fc.sample(name, { numRuns: 200, seed: 7 }).map((words) => wordsOfName(words.join(' '), 'person'))
    const keys = names.map((one) => [keysOfName(one, 'asked'), new Set(keysOfName(one, 'listed'))] as const)
    const found = keys.flatMap(([asked], at) =>
      keys.slice(at + 1).filter(([, has]) => asked.some((key) => has.has(key))),
    )
    expect(found.length).toBeLessThan(20) // of 19,900 pairs
  })
})
