/** Names of holders: the same one in another spelling, and another one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holderKeyOf, isSameHolder } from '../../domain/contacts/holder.ts'

test.each([
  ['Müller & Söhne GmbH', 'MUELLER UND SOEHNE GMBH'],
  ['Müller + Söhne GmbH', 'Mueller Soehne GmbH'],
  ["O'Neill Ltd.", 'O’NEILL LTD'],
  ['Łódź Transport', 'Lodz Transport'],
  ['Café du Nord S.A.', 'Cafe du Nord SA'],
  ['ООО Ромашка', 'OOO Romashka'],
  ['株式会社東京', '株式会社 東京'],
])('%s and %s are one holder', (one, other) => expect(isSameHolder(one, other)).toBe(true))

test.each([
  ['Acme GmbH', 'Acme Ltd'],
  ['Supplier GmbH', 'Other Supplier GmbH'],
  ['株式会社東京', '株式会社大阪'],
  ['AcmeI', 'Acmel'],
  ['Acme 1', 'Acme 2'],
])('%s and %s are two', (one, other) => expect(isSameHolder(one, other)).toBe(false))

test('case, spaces and signs never tell holders apart, and letters always do', () => {
  const word = fc.stringMatching(/^[a-z0-9]{3,12}$/)
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(' ', ' - ', '. ', ', ', '  '),
      (words, sign) => {
        const name = words.join(' ')
        expect(holderKeyOf(words.join(sign).toUpperCase())).toBe(holderKeyOf(name))
        expect(holderKeyOf(`${name}x`)).not.toBe(holderKeyOf(name))
      },
    ),
  )
})
