import { expect, test } from 'vitest'
import { type RequestContent, joinSentences, sentenceOf, sentenceOfSet } from '../../domain/approvals/sentence.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const PAYMENT = {
  kind: 'payment',
  landing: eur('2450.00'),
  deducting: eur('2450.20'),
  fee: eur('0.20'),
  name: 'Supplier GmbH',
  account: '"Supplier GmbH", IBAN …6199',
} as const

test.each<readonly [string, RequestContent, string]>([
  [
    'a payment by bank with its fee',
    PAYMENT,
    'Pay 2,450.00 EUR to "Supplier GmbH" (IBAN …6199). Fee 0.20; 2,450.20 EUR leave the balance.',
  ],
  [
    'a payment without a fee',
    { ...PAYMENT, deducting: eur('2450.00'), fee: eur('0.00'), account: 'service ID t-1' },
    'Pay 2,450.00 EUR to "Supplier GmbH" (service ID t-1).',
  ],
  [
    'a payment in another currency, without a fee',
    { ...PAYMENT, landing: { amount: '2600.00', currency: 'USD' }, fee: eur('0.00') },
    'Pay 2,600.00 USD to "Supplier GmbH" (IBAN …6199). 2,450.20 EUR leave the balance.',
  ],
  [
    'another holder, a day and a note',
    {
      ...PAYMENT,
      account: '"No Match GmbH", IBAN …6199, known as "Supplier GmbH"',
      execute_on: '2026-12-01',
      note: 'the bank details are not those of before',
    },
    'Pay 2,450.00 EUR to "Supplier GmbH" (holder "No Match GmbH", IBAN …6199, known as "Supplier GmbH") on 2026-12-01. ' +
      'Fee 0.20; 2,450.20 EUR leave the balance. Note: the bank details are not those of before.',
  ],
  [
    'a batch',
    {
      kind: 'batch',
      name: 'July',
      rows: 2,
      totals: [eur('12000.00'), { amount: '5.00', currency: 'USD' }],
      fees: [eur('0.40')],
      largest: { amount: eur('11000.00'), payee: '"Lena", IBAN …1234' },
      execute_on: '2026-12-01',
    },
    'Pay the batch "July": 2 payments, 12,000.00 EUR, 5.00 USD on 2026-12-01. Fees 0.40 EUR. ' +
      'The largest: 11,000.00 EUR to "Lena", IBAN …1234.',
  ],
  [
    'a payee',
    { kind: 'new_payee', name: 'Pаypal', account: '"Payee", IBAN …3000', others: 1 },
    'Add the payee "Pаypal" (⚠ letters of several alphabets) (holder "Payee", IBAN …3000). It has 1 more account.',
  ],
  [
    'a payee that cannot be paid yet',
    { kind: 'new_payee', name: 'Ada', account: null, others: 0 },
    'Add the payee "Ada", without an account.',
  ],
  [
    'another name',
    { kind: 'new_name', name: 'Ada', next: 'Bea "B"', account: 'service ID t-1' },
    `Rename the payee "Ada" to "Bea 'B'" (service ID t-1).`,
  ],
  [
    'another account, to which payments go from then on',
    { kind: 'new_account', name: 'Ada', account: '"Ada", IBAN …3000', isDefault: true },
    'Add an account to the payee "Ada" (IBAN …3000). It becomes the account that payments go to.',
  ],
  [
    'another account of those that are there',
    { kind: 'new_default', name: 'Ada', account: '"Bea", IBAN …3000' },
    'Pay the payee "Ada" at another account from now on (holder "Bea", IBAN …3000).',
  ],
  [
    'an invoice',
    { kind: 'invoice', name: 'Hofladen', total: eur('1190.00'), due_date: '2026-12-31' },
    'Send the invoice of 1,190.00 EUR to "Hofladen", due on 2026-12-31.',
  ],
  [
    'a credit note',
    { kind: 'credit_note', name: 'Hofladen', total: eur('50.00'), number: 'A-1' },
    'Send the credit note of 50.00 EUR for invoice "A-1" to "Hofladen".',
  ],
  [
    'an invitation',
    { kind: 'invitation', email: 'ada@example.com', role: 'admin' },
    'Invite ada@example.com as admin.',
  ],
])('%s is asked for in one sentence', (_, request, sentence) => {
  expect(sentenceOf(request)).toBe(sentence)
})

test('a set says its number and sums, and its first five; a request of an earlier release gets its full stop', () => {
  const old = { summary: '5.00 USD to "Payee": service ID t-1', money: { amount: '5.00', currency: 'USD' } }
  const one = { summary: sentenceOf(PAYMENT), money: PAYMENT.deducting }
  const other = { summary: 'Invite ada@example.com as admin.', money: null }
  expect(sentenceOfSet([old, one, other, one, one, one])).toBe(
    `Approve 6 requests: 5.00 USD, 9,800.80 EUR and 1 other. (1) ${old.summary}. (2) ${one.summary} ` +
      `(3) ${other.summary} (4) ${one.summary} (5) ${one.summary} And 1 more.`,
  )
  expect(sentenceOfSet([other])).toBe(`Approve 1 request. (1) ${other.summary}`)
  expect(joinSentences('One', null, 'Two.')).toBe('One. Two.')
})
