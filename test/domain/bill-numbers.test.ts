/** Check digits of tax numbers and references, by published examples. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasReferenceCheckDigits } from '../../documents/bills/references.ts'
import { hasVatCheckDigits, isOwnTaxId, isVatId } from '../../domain/tax-ids.ts'
import { listed } from '../support/listed.ts'
import { always } from '../support/property.ts'

const VAT_IDS =
  `ATU13585627 BE0428759497 BG175074752 BG101004508 CHE-107.787.577IVA CY10259033P CZ25123891 CZ7103192745 DE136695976
  DE123456788 DK13585628 EE100931558 EL094259216 ESB58378431 ES54362315K ESX2482300W ESA13585625 FI20774740 FR40303265045
  FR23334175221 FRK7399859412 FR83404833048 GB980780684 HR33392005961 HU12892312 IE6433435F IE6433435OA IE8D79739I
  IT00743110157 LT119511515 LT100001919017 LU15027442 LV40003521600 LV16117519997 MT11679112 NL004495445B01 NL002455799B11
  NO995525828MVA PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619`.split(/\s+/)
/** Numbers without check digits: Czech and Latvian people. */
const UNCHECKED = ['LV16117519997']

describe('a VAT identification number', () => {
  test.each(VAT_IDS)('%s has its check digits, however it is parted', (id) => {
    expect([isVatId(id), hasVatCheckDigits(id)]).toEqual([true, true])
    expect(hasVatCheckDigits(`${id.slice(0, 2)} ${id.slice(2, 6)}.${id.slice(6)}`)).toBe(true)
  })

  test.each(VAT_IDS.filter((id) => !UNCHECKED.includes(id)))('%s with another digit has not', (id) => {
    const at = id.search(/\d\D*$/) - 2 // check digits are at the end and weigh the others
    const others = Array.from('0123456789').filter((digit) => digit !== id[at] && /\d/.test(id[at] ?? ''))
    const right = others.filter((digit) => hasVatCheckDigits(id.slice(0, at) + digit + id.slice(at + 1)))
    expect(right.length).toBeLessThanOrEqual(1)
  })

  test('is none of a country that has no such numbers, or of another length', () => {
    expect(['XX123456788', 'DE12345678', 'RF123456788', ''].filter(isVatId)).toEqual([])
    expect(['XX123456788', ''].filter(hasVatCheckDigits)).toEqual([])
  })
})

test.each([
  ['DE136695976', 'DE136695976', null, 'DE', true],
  ['DE 136 695 976', null, '136695976', 'DE', true],
  ['094259216', 'EL094259216', null, 'GR', true],
  ['12-3456789', null, '123456789', 'US', true],
  ['DE136695976', 'ATU13585627', '136695976', 'AT', false],
  ['DE136695977', 'DE136695976', null, 'DE', false],
  ['DE136695976', null, ' ', 'DE', false],
])('a tax id %s is known as one of the organization’s own: %s, %s', (written, vat_id, tax_id, country_code, isOwn) =>
  expect(isOwnTaxId(written, { vat_id, tax_id, country_code })).toBe(isOwn),
)

test.each([
  [true, listed`RF18 5390 0754 7034 | +++010/8068/17183+++ | ***090/9337/55493*** | SI121234567890120`],
  [true, listed`21 00000 00003 13947 14300 09017 | FI 1234561 | NO 2345676 | NO 12345678903`],
  [false, listed`RF19539007547034 | +++090/9337/55494+++ | 210000000003139471430009018 | SI121234567890121`],
  [false, listed`FI 1234567 | NO 12345678904`],
  [null, listed`DE 1234567 | R-7`],
])(
  'a reference has right check digits, wrong ones or none, maybe by the country of its account: %s, %j',
  (isRight, references) => {
    for (const reference of references) {
      const [, country, text = reference] = /^(FI|NO|DE) (.*)$/.exec(reference) ?? []
      expect(hasReferenceCheckDigits(text, country), reference).toBe(isRight)
    }
  },
)

test('a reference with two digits in each other’s place is not the same one', () =>
  always(1000, fc.integer({ min: 0, max: 11 }), (at) => {
    const text = 'RF18539007547034'
    const swapped = text.slice(0, at + 2) + text[at + 3] + text[at + 2] + text.slice(at + 4)
    expect(hasReferenceCheckDigits(swapped, undefined)).toBe(swapped === text)
  }))
