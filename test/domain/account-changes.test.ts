/** The rule of changed accounts, and its words on the page of an approver. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AccountChange,
  type ChangeFacts,
  coolingOffBlockers,
  isChanged,
  isCoolingOff,
} from '../../domain/account-changes/change.ts'
import { describe as describeSubject } from '../../pages/approvals/subjects/describe.ts'
import { TEXTS } from '../support/pages/texts.ts'
import { always } from '../support/property.ts'
import { rowsOf } from '../../pages/frame/rows.ts'
import { holderKeyOf, isSameHolder } from '../../domain/destinations/holder.ts'

const OLD = '01900000-0000-7000-8000-000000000001'
const NEW = '01900000-0000-7000-8000-000000000002'
const EUR = (amount: string) => ({ amount, currency: 'EUR' })

const changed: ChangeFacts = {
  other: OLD,
  own_first: false,
  own_last: false,
  within: true,
  until: '2026-11-28T10:00:00.000000Z',
  confirmed: false,
  type: 'bank',
  destination: NEW,
  sum: '0',
  elsewhere: [],
  currency: 'EUR',
  free: null,
  usd: { paid: null, free: null },
}

const facts = fc
  .record({
    other: fc.constantFrom(null, OLD),
    own_first: fc.boolean(),
    own_last: fc.boolean(),
    within: fc.boolean(),
    confirmed: fc.boolean(),
    cents: fc.integer({ min: 0, max: 20_000 }),
    free: fc.option(fc.integer({ min: 1, max: 20_000 })),
  })
  .map(({ cents, free, ...more }): ChangeFacts => {
    const money = free === null ? null : EUR((free / 100).toFixed(2))
    return { ...changed, ...more, sum: more.within ? (cents / 100).toFixed(2) : null, free: money }
  })
const amounts = fc.integer({ min: 1, max: 20_000 }).map((cents) => EUR((cents / 100).toFixed(2)))

test('nothing is changed before another account was paid', () => {
  always(500, facts, amounts, (given, asked) => {
    expect(isChanged({ ...given, other: null })).toBe(false)
    expect(coolingOffBlockers({ ...given, other: null }, asked)).toEqual([])
  })
})

test('what waits is changed, within its hours, confirmed by nobody, and was not paid before all others', () => {
  always(500, facts, (given) => {
    if (!isCoolingOff(given)) return
    expect([isChanged(given), given.within, given.confirmed, given.own_first]).toEqual([true, true, false, false])
  })
})

test('payments to an account within its hours do not make it the last one; after them, or a call, they do', () => {
  const paidLast = { ...changed, own_last: true }
  expect(isChanged(paidLast)).toBe(true)
  expect(isChanged({ ...paidLast, within: false })).toBe(false)
  expect(isChanged({ ...paidLast, confirmed: true })).toBe(false)
  expect(isChanged({ ...paidLast, own_first: true })).toBe(false)
})

test('no part of an amount gets past the free amount that the whole would not', () => {
  always(500, facts, amounts, amounts, (given, one, other) => {
    const whole = EUR((Number(one.amount) + Number(other.amount)).toFixed(2))
    const afterOne = { ...given, sum: given.sum && (Number(given.sum) + Number(one.amount)).toFixed(2) }
    const inParts = [...coolingOffBlockers(given, one), ...coolingOffBlockers(afterOne, other)]
    expect(inParts.length > 0).toBe(coolingOffBlockers(given, whole).length > 0)
  })
})

test('what goes to other new accounts of the payee is part of the sum, in other currencies by their rates', () => {
  const free = EUR('100.00')
  const at = (usd: string | null, ...elsewhere: ChangeFacts['elsewhere']) =>
    coolingOffBlockers({ ...changed, free, elsewhere, usd: { paid: usd, free: usd } }, EUR('40.00')).length
  const [kept, dollars] = [
    { ...EUR('60.00'), usd: null },
    { amount: '90.00', currency: 'USD', usd: '1' },
  ]
  expect([at(null), at(null, kept), at(null, kept, { ...kept, amount: '0.01' })]).toEqual([0, 0, 1])
  expect([at('1.5', dollars), at('1.4', dollars), at(null, dollars), at('1.5', { ...dollars, usd: null })]).toEqual([
    0, 1, 1, 1,
  ])
})

test('the free amount of another currency counts by both rates, and without one of them nothing is free', () => {
  const free = { amount: '100.00', currency: 'USD' }
  const at = (usd: ChangeFacts['usd'], amount: string) =>
    coolingOffBlockers({ ...changed, free, usd }, EUR(amount)).length
  expect([at({ paid: '1.25', free: '1' }, '80.00'), at({ paid: '1.25', free: '1' }, '80.01')]).toEqual([0, 1])
  expect([at({ paid: null, free: '1' }, '0.01'), at({ paid: '1.25', free: null }, '0.01')]).toEqual([1, 1])
})

test('the page of an approval shows the account of before beside the new one, and the call-back', () => {
  const holder = { type: 'bank', account_holder_name: 'Supplier <b>', country_code: 'DE', currency: 'EUR' } as const
  const change: AccountChange = {
    old: { destination_id: OLD, account: '…3000', ...holder },
    new: { destination_id: NEW, account: '…6199', ...holder },
    changed_by: [
      { id: OLD, name: 'Max' },
      { id: NEW, name: null },
    ],
    changed_at: '2026-11-27T10:00:00Z',
    paid_to_old: { count: 2, totals: [EUR('120.50')], last_at: '2026-11-20T10:00:00Z' },
    call_back: {
      confirmed_by: { id: OLD, name: 'Ada' },
      confirmed_at: '2026-11-27T11:00:00Z',
      spoken_to: 'Erna',
      note: null,
    },
  }
  const view = {
    name: 'June',
    rows: 3,
    totals: [EUR('9.00')],
    fees: [],
    largest: [],
    created_at: '2026-11-27T10:00:00Z',
  }
  const batch = {
    ...view,
    id: OLD,
    file_id: null,
    sha256: 'ab',
    without_address: 0,
    holders_differ: 0,
    bills: 0,
    credits: [],
    payee_checks: [],
  }
  const account_change = { payees: 30, rows: 31, changes: [{ row_number: 7, rows: 1, amount: EUR('9.00'), ...change }] }
  const { more } = describeSubject({ type: 'payment_batch', payment_batch: { ...batch, account_change } }, TEXTS)
  const words = JSON.stringify(more)
    .replaceAll('\\n', ' ')
    .replaceAll(String.raw`\n`, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  expect(words).toMatch(/30 of the payees, in 31 of the rows, .* these are the 1 of the largest amounts/)
  expect(words).toMatch(/Until now This payment .* Account …3000 …6199/)
  expect(words).toContain('Supplier &lt;b&gt;')
  expect(words).toContain(`Changed by Max , ${NEW}`)
  expect(words).toContain('2 payments: 120.50 EUR')
  expect(words).toMatch(/Ada spoke to Erna/)
})

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
      payer: null,
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
    const { rows } = describeSubject({ type: 'fiat_outgoing', fiat_outgoing: view }, TEXTS)
    return String(await rowsOf(rows))
  }
  const [known, unknown] = [await shown('Stored GmbH'), await shown(null)]
  for (const said of ['Account holder', 'Given GmbH', '⚠ The account is known as', 'Stored GmbH'])
    expect(known).toContain(said)
  expect(unknown).not.toContain('is known as')
})
