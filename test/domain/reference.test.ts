/** Reference data: the content of its lists, and their pages. */
import { data as iso4217 } from 'currency-codes'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '../../domain/country.ts'
import { currencyDigits, currencyName, isCoin } from '../../domain/money/currencies.ts'
import { pageOf } from '../../domain/pagination.ts'
import { ListedCountry, ListedCurrency, Subdivision } from '../../domain/reference.ts'
import { StaticList } from '../../platform/reference/list.ts'
import { countries, currencies, subdivisionsOf } from '../../platform/reference/reference.ts'
import { listed as rows } from '../support/listed.ts'
import { everyNth } from '../support/model-runs.ts'
import { always } from '../support/property.ts'

const EMPTY = new StaticList([])
const allOf = ({ items } = EMPTY) => items.map(({ json }) => JSON.parse(json.toString()))
const listed: ListedCountry[] = allOf(countries())
const countryOf = (alpha2: string) => listed.find((country) => country.alpha2 === alpha2)
const subdivisions = listed.map(({ alpha2 }) => [alpha2, allOf(subdivisionsOf(alpha2))] as const)
const subdivision = (code: string) => allOf(subdivisionsOf(code.slice(0, 2))).find((one) => one.code === code)
const nameIn = (locale: string, { translations }: Pick<ListedCountry, 'translations'> = { translations: [] }) =>
  translations.find((translation) => translation.locale === locale)?.name

const pageAt = (list: StaticList, limit: number, cursor?: string) =>
  JSON.parse(list.page({ limit, cursor }).json().toString())

describe('every list', () => {
  const lists = [
    ['countries', countries(), ListedCountry],
    ['currencies', currencies(), ListedCurrency],
    ...listed.map(({ alpha2 }) => [alpha2, subdivisionsOf(alpha2) ?? EMPTY, Subdivision] as const),
  ] as const
  const codesOf = ({ items }: StaticList) => items.map(({ code }) => code)

  test('is in the order of its codes, each of which is there once', () => {
    for (const [name, list] of lists) expect(codesOf(list), name).toEqual([...new Set(codesOf(list))].sort())
  })

  test('answers what the contract says', () => {
    for (const [name, list, schema] of [...lists.slice(0, 2), ...everyNth(lists.slice(2), 5)]) {
      const page = v.parse(v.strictObject(pageOf(schema).entries), pageAt(list, 1000))
      expect(page, name).toEqual({ data: allOf(list), has_more: false, next_cursor: null })
      expect(page.data.map((one) => ('code' in one ? one.code : one.alpha2))).toEqual(codesOf(list))
    }
  })

  test('is whole when its pages are put together, at any limit', () =>
    always(500, fc.constantFrom(...lists), fc.integer({ min: 1, max: 100 }), ([, list], limit) => {
      const found: unknown[] = []
      for (let cursor: string | undefined, more = true; more;) {
        const page = pageAt(list, limit, cursor)
        expect(page.data.length).toBe(Math.min(limit, list.items.length - found.length))
        found.push(...page.data)
        expect(page.has_more).toBe(found.length < list.items.length)
        expect(page.next_cursor).toBe(page.has_more ? codesOf(list)[found.length - 1] : null)
        ;[cursor, more] = [page.next_cursor, page.has_more]
      }
      expect(found).toEqual(allOf(list))
    }))

  test('ends after its last item, and refuses a cursor that it does not have', () => {
    const list = subdivisionsOf('US') ?? EMPTY
    expect(pageAt(list, 50, 'US-WY')).toEqual({ data: [], has_more: false, next_cursor: null })
    for (const cursor of ['us-wy', 'WY', 'DE-BY', 'US-', 'US-WY '])
      expect(() => pageAt(list, 50, cursor), cursor).toThrow(expect.objectContaining({ type: 'invalid_request' }))
    expect(() => pageAt(EMPTY, 50, 'AQ-01')).toThrow(expect.objectContaining({ type: 'invalid_request' }))
  })

  test('has pages with the same tag if, and only if, they have the same bytes', () => {
    const item = (code: string, name: string) => ({ code, json: Buffer.from(JSON.stringify({ code, name })) })
    const [a, b, c, d] = [item('A', 'Alpha'), item('B', 'Beta'), item('C', 'Gamma'), item('B', 'Better')]
    const each = [[], [a], [a, b], [a, d], [b, c], [a, b, c], [a, d, c]].map((items) => new StaticList(items))
    const pages = each.flatMap((list) => {
      const asked = [undefined, ...codesOf(list)].flatMap((cursor) => [1, 2, 3, 4].map((limit) => ({ limit, cursor })))
      return asked.map((one) => ({ list, ...list.page(one) }))
    })
    for (const one of pages)
      for (const other of pages) {
        if (one.tag === other.tag) expect(one.json()).toEqual(other.json())
        if (one.list === other.list && one.json().equals(other.json())) expect(one.tag).toBe(other.tag)
      }
  })

  const named = [...listed, ...subdivisions.flatMap(([, own]): Pick<ListedCountry, 'name' | 'translations'>[] => own)]

  test('has its translations in the order of locales, tags of BCP 47 that are there once', () => {
    const tag = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/
    const wrong = named.filter(({ translations }) =>
      translations.some(({ locale }, i) => !tag.test(locale) || locale <= (translations[i - 1]?.locale ?? '')),
    )
    expect(wrong).toEqual([])
  })

  test('has names in NFC, without controls, and nothing around them', () => {
    const names = named.flatMap(({ name, translations }) => [name, ...translations.map((one) => one.name)])
    expect(names.length).toBe(118_758)
    expect(names.filter((name) => name !== name.normalize('NFC').trim())).toEqual([])
    expect(names.filter((name) => !/^[^\p{Cc}\p{Zl}\p{Zp}\ufffd]+$/u.test(name))).toEqual([])
  })
})

describe('subdivisions', () => {
  test('there are as many as the source has, with all translations', () => {
    const all = subdivisions.flatMap(([, own]) => own)
    const translations = all.flatMap((one) => one.translations)
    expect([all.length, translations.length]).toEqual([5127, 83_187])
    expect(new Set(translations.map(({ locale }) => locale)).size).toBe(57)
    const counts = Object.fromEntries(subdivisions.map(([country, own]) => [country, own.length]))
    expect(counts).toMatchObject({ AT: 9, CA: 13, CH: 26, DE: 16, FR: 127, GB: 220, JP: 47, SI: 212, US: 57 })
  })

  test('every country of ISO 3166-1 has its own, a territory without any an empty list', () => {
    for (const [country, own] of subdivisions)
      for (const { code } of own) expect(code).toMatch(new RegExp(`^${country}-[A-Z0-9]{1,3}$`))
    const empty = subdivisions.filter(([, own]) => own.length === 0).map(([country]) => country)
    expect(empty).toHaveLength(49)
    expect(empty).toEqual(expect.arrayContaining(['AQ', 'FO', 'GF', 'HK', 'IM', 'JE', 'PR', 'VA']))
    expect(pageAt(subdivisionsOf('PRI') ?? EMPTY, 50)).toEqual({ data: [], has_more: false, next_cursor: null })
  })

  test('a country is named by alpha-2 or alpha-3 in any case: the same list', () => {
    for (const { alpha2, alpha3 } of listed) {
      const own = subdivisionsOf(alpha2)
      expect(own).toBeDefined()
      const mixed = `${alpha3.slice(0, 1).toLowerCase()}${alpha3.slice(1)}`
      for (const code of [alpha3, alpha2.toLowerCase(), alpha3.toLowerCase(), mixed])
        expect(subdivisionsOf(code), code).toBe(own)
    }
  })

  test('what is no code of ISO 3166-1 names no country, whatever it would be in capitals', () => {
    for (const code of ['XK', 'UK', 'EU', 'ZZ', 'USS', 'D', 'DEUT', '', ' DE', '04', '276', 'ßd', 'ıt', 'ﬁn', 'U\0'])
      expect(subdivisionsOf(code), code).toBeUndefined()
    expect(['ßd'.toUpperCase(), 'ıt'.toUpperCase(), 'ﬁn'.toUpperCase()]).toEqual(['SSD', 'IT', 'FIN'])
    expect(subdivisionsOf('toString') ?? subdivisionsOf('__proto__')).toBeUndefined()
  })

  test.each(rows`
    US-CA be Каліфорнія | US-CA he קליפורניה | US-CA ja カリフォルニア | US-CA ka კალიფორნია | US-CA th แคลิฟอร์เนีย
    US-CA zh-CN 加利福尼亚州 | US-CA zh-TW 加利福尼亞 | AT-9 sr Беч | AT-9 sr-Latn Beč | AT-9 cs Vídeň | DE-BY en Bavaria
    GR-I uk Аттика
  `)('in a language has its name: %s', (row) => {
    const [code = '', locale = '', name] = row.split(' ')
    expect(nameIn(locale, subdivision(code))).toBe(name)
  })
})

describe('countries', () => {
  test('they are those that addresses take, with all translations of the source', () => {
    expect(listed.map(({ alpha2 }) => alpha2)).toEqual([...COUNTRIES].sort())
    expect(new Set(listed.map(({ alpha3 }) => alpha3)).size).toBe(249)
    for (const { alpha3 } of listed) expect(alpha3).toMatch(/^[A-Z]{3}$/)
    const translations = listed.flatMap((one) => one.translations)
    expect([translations.length, new Set(translations.map(({ locale }) => locale)).size]).toEqual([30_195, 149])
  })

  test.each(rows`
    DE ar ألمانيا | DE am ጀሴመን | DE el Γερμανία | DE hi जर्मनी | DE hy Գերմանիա | DE ko 독일 | DE ta ஜெர்மனி
    DE pt-BR Alemanha | JP chr ᏣᏆᏂᏱ | JP tt-Latn Japan, Yaponia | VN km វៀតណាម | BO de Bolivien
  `)('in a language has its name: %s', (row) => {
    const [alpha2 = '', locale = '', ...name] = row.split(' ')
    expect(nameIn(locale, countryOf(alpha2))).toBe(name.join(' '))
  })

  test('one with a common name bears it', () => {
    expect(countryOf('BO')).toMatchObject({ alpha3: 'BOL', name: 'Bolivia' })
    expect(countryOf('TW')?.name).toBe('Taiwan')
  })

  test('calling codes begin a number in E.164, and are missing where nobody lives', () => {
    const codes = Object.fromEntries(listed.map(({ alpha2, calling_codes }) => [alpha2, calling_codes]))
    const some = { US: ['+1'], DO: ['+1'], DE: ['+49'], GB: ['+44'], JE: ['+44'], KZ: ['+7'], VA: ['+39'] }
    expect(codes).toMatchObject(some)
    const none = listed.filter(({ calling_codes }) => calling_codes.length === 0).map(({ alpha2 }) => alpha2)
    expect(none).toEqual(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'])
    for (const code of Object.values(codes).flat()) expect(code).toMatch(/^\+[1-9]\d{0,2}$/)
  })

  /** The words of a name in fixed order: "Korea (the Republic of)" equals "Korea, Republic of". */
  const wordsIn = (name: string) => {
    const plain = name.normalize('NFKD').replaceAll(/\p{M}|[’']/gu, '')
    const passed = ['', 'the', 'of', 'and', 'vatican', 'city', 'state']
    const words = plain
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => !passed.includes(word))
    return words.sort().join(' ')
  }
  /** Countries whose common name ISO 4217 lacks, or whose currency is newer or missing. */
  const APART = `AQ:null BG:EUR BO:BOB CW:XCG GB:GBP GS:null IR:IRR KP:KPW KR:KRW LA:LAK MD:MDL PS:null SX:XCG SY:SYP
    TW:TWD TZ:TZS US:USD VE:VES VN:VND`

  test('their currency is one that ISO 4217 gives them; three have none', () => {
    const given = new Map<string, string[]>()
    for (const { code, countries: names } of iso4217)
      for (const name of names.map(wordsIn)) given.set(name, [...(given.get(name) ?? []), code])
    const apart = listed.filter(({ name, currency }) => !given.get(wordsIn(name))?.includes(currency ?? ''))
    expect(apart.map(({ alpha2, currency }) => `${alpha2}:${currency}`)).toEqual(APART.split(/\s+/))
    for (const { currency } of listed) if (currency) expect(Object.keys(currencyDigits)).toContain(currency)
  })
})

test('currencies they are all that amounts can be in, with their decimals and what they are', () => {
  const all = allOf(currencies())
  expect(Object.fromEntries(all.map(({ code, precision }) => [code, precision]))).toEqual(currencyDigits)
  expect(all.filter(({ kind }) => kind === 'coin').map(({ code }) => code)).toEqual(['BTC', 'ETH', 'USDC', 'USDT'])
  expect(all.find(({ code }) => code === 'JPY')).toEqual({ code: 'JPY', name: 'Yen', precision: 0, kind: 'fiat' })
  expect(all.find(({ code }) => code === 'ETH')).toEqual({ code: 'ETH', name: 'Ether', precision: 18, kind: 'coin' })
})

test('currencies each has the name that ISO 4217 gives it', () => {
  const given = new Map(iso4217.map(({ code, currency }) => [code, currency.trim()]))
  given.set('XAD', 'Arab Accounting Dinar').set('XCG', 'Caribbean Guilder') // later than the source
  for (const code of Object.keys(currencyDigits)) {
    if (isCoin(code)) expect(currencyName(code), code).not.toBe(code)
    else expect(currencyName(code), code).toBe(given.get(code))
  }
})
