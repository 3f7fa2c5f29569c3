/** Names of holders: the same one in another spelling, and another one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describe as describeSubject } from '../../pages/subject.ts'
import { rowsOf } from '../../pages/rows.ts'
import { holderKeyOf, isSameHolder } from '../../domain/destinations/holder.ts'

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

test('the page of an approval shows the name that is paid, and the one under which the account is known', async () => {
  const destination = {
    id: '',
    account: '…1234',
    account_holder_name: 'Given GmbH',
    country_code: 'DE',
    currency: 'EUR',
  }
  const shown = async (known_holder: string | null) => {
    const money = { amount: '1.00', currency: 'EUR' }
    const view = {
      id: '',
      ...money,
      amount_with_fees: '1.00',
      deducting: money,
      landing: money,
      fee: money,
      rate: null,
      payee_check: null,
      created_at: '2026-11-28T10:00:00Z',
      payee_address: null,
      account_change: null,
      internal_notes: null,
      payout_reason: 'services',
      statement_description: 'x',
      state: '',
      tag: null,
      payment_contact: { id: '', name: 'Given GmbH', deleted_at: null },
      destination: { ...destination, known_holder },
    }
    const { rows } = describeSubject({ type: 'fiat_outgoing', fiat_outgoing: view })
    return String(await rowsOf(rows))
  }
  const [known, unknown] = [await shown('Stored GmbH'), await shown(null)]
  for (const said of ['Account holder', 'Given GmbH', '⚠ The account is known as', 'Stored GmbH'])
    expect(known).toContain(said)
  expect(unknown).not.toContain('is known as')
})
