/** Plans of payouts at Increase: which network carries an order, in which words, and what none of them carries. */
import { describe, expect, test } from 'vitest'
import type { Intent, PayoutOrder } from '../../partners/driver.ts'
import { partnerRefusal } from '../../partners/http.ts'
import { planPayout } from '../../partners/increase/plan.ts'

const settings = {
  driver: 'increase',
  account: 'account_7',
  achLimit: '1000.00',
  instant: 'rtp',
  verifies: false,
} as const
const order: PayoutOrder = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  amount: { amount: '100.25', currency: 'USD' },
  speed: 'standard',
  reference: 'INV 7',
  beneficiary: {
    account_holder_name: 'Müller & Sons Incorporated of Ohio',
    account_number: '123456789',
    aba_code: '021000021',
  },
  payeeType: 'business',
  payeeAddress: {
    street: 'Main Street',
    building_number: '1',
    postal_code: '43004',
    town: 'Columbus',
    country_code: 'US',
  },
  payer: {
    name: 'A payer with a long name',
    address: { line1: 'Hauptstr. 1', postal_code: '10115', town: 'Berlin', country_code: 'DE' },
    account: 'account_number_9',
  },
  payee: null,
}
const plan = (
  changes: Partial<PayoutOrder> = {},
  more: Partial<{ achLimit: string; instant: 'rtp' | 'fednow' }> = {},
): Intent => planPayout({ party: 'usd', settings: { ...settings, ...more } }, { ...order, ...changes })
const dollars = (amount: string) => ({ amount, currency: 'USD' })
const to = { account_number: '123456789', routing_number: '021000021' }

describe('the network', () => {
  test('a company is paid by ACH as CCD, a person as PPD, names and words cut to what ACH has', () => {
    expect(plan()).toEqual({
      id: order.id,
      operation: 'ach',
      amount: order.amount,
      content: {
        account_id: 'account_7',
        amount: 10_025,
        ...to,
        statement_descriptor: 'INV 7',
        individual_name: 'Mueller + Sons Incorpo',
        company_name: 'A payer with a l',
        standard_entry_class_code: 'corporate_credit_or_debit',
        destination_account_holder: 'business',
        addenda: { category: 'freeform', freeform: { entries: [{ payment_related_information: 'INV 7' }] } },
      },
    })
    expect(plan({ payeeType: 'individual' }).content).toMatchObject({
      standard_entry_class_code: 'prearranged_payments_and_deposit',
      destination_account_holder: 'individual',
    })
    const { payeeType: _none, ...unknown } = order
    expect(planPayout({ party: 'usd', settings }, unknown).content).toMatchObject({
      standard_entry_class_code: 'corporate_credit_or_debit',
      destination_account_holder: 'unknown',
    })
  })

  test('up to the limit goes by ACH; more, or words that ACH has no room for, by wire', () => {
    expect(plan({ amount: dollars('1000.00') }).operation).toBe('ach')
    expect(plan({ reference: 'x'.repeat(80) }).operation).toBe('ach')
    expect(plan({ reference: 'x'.repeat(81) }).operation).toBe('wire')
    const { operation, content } = plan({ amount: dollars('1000.01') })
    expect([operation, content]).toEqual([
      'wire',
      {
        account_id: 'account_7',
        amount: 100_001,
        ...to,
        creditor: {
          name: 'Mueller + Sons Incorporated of Ohio',
          address: { unstructured: { line1: 'Main Street 1', line2: 'Columbus 43004', line3: 'US' } },
        },
        debtor: {
          name: 'A payer with a long name',
          address: { unstructured: { line1: 'Hauptstr. 1', line2: 'Berlin 10115', line3: 'DE' } },
        },
        remittance: { category: 'unstructured', unstructured: { message: 'INV 7' } },
        source_account_number_id: 'account_number_9',
      },
    ])
    const { content: bare } = plan({ amount: dollars('1000.01'), payeeAddress: null })
    expect(bare).toMatchObject({ creditor: { name: 'Mueller + Sons Incorporated of Ohio' } })
    expect(JSON.stringify(bare)).not.toContain('Columbus')
  })

  test.each(['rtp', 'fednow'] as const)('at once goes by the network of the settings: %s', (instant) => {
    expect(plan({ speed: 'instant', amount: dollars('5000.00') }, { instant })).toEqual({
      id: order.id,
      operation: instant,
      amount: dollars('5000.00'),
      content: {
        amount: 500_000,
        ...to,
        creditor_name: 'Mueller + Sons Incorporated of Ohio',
        debtor_name: 'A payer with a long name',
        source_account_number_id: 'account_number_9',
        unstructured_remittance_information: 'INV 7',
      },
    })
  })

  test('an order has the same plan each time', () => {
    expect(plan()).toEqual(plan(structuredClone(order)))
  })
})

describe('refusals', () => {
  const codeOf = (changes: Partial<PayoutOrder>): string | undefined => {
    try {
      return plan(changes).operation
    } catch (error) {
      return partnerRefusal(error)?.code
    }
  }
  const account = (changes: object) => ({ beneficiary: { ...order.beneficiary, ...changes } })
  const { account: _number, ...unnumbered } = order.payer ?? expect.fail('it has a payer')
  const CASES: readonly (readonly [string, Partial<PayoutOrder>, string])[] = [
    ['other money', { amount: { amount: '1.00', currency: 'EUR' } }, 'currency_not_supported'],
    ['no routing number', account({ aba_code: null }), 'account_not_supported'],
    ['a routing number of eight digits', account({ aba_code: '02100002' }), 'account_not_supported'],
    ['an account number that is too long', account({ account_number: '1'.repeat(18) }), 'account_not_supported'],
    [
      'an IBAN',
      { beneficiary: { account_holder_name: 'Payee', iban: 'DE02120300000000202051' } },
      'account_not_supported',
    ],
    ['a name in other letters', account({ account_holder_name: '株式会社' }), 'letters_not_supported'],
    ['no name', account({ account_holder_name: null }), 'payee_name_missing'],
    ['words in other letters', { reference: '請求書' }, 'letters_not_supported'],
    ['no words', { reference: '' }, 'reference_too_long'],
    ['words beyond every network', { reference: 'x'.repeat(141) }, 'reference_too_long'],
    ['a wire without a payer', { amount: dollars('1000.01'), payer: null }, 'payer_missing'],
    ['more than goes at once', { speed: 'instant', amount: dollars('10000000.01') }, 'amount_too_high'],
    ['at once without a payer', { speed: 'instant', payer: null }, 'payer_missing'],
    ['at once without an account number', { speed: 'instant', payer: unnumbered }, 'account_missing'],
  ]
  test.each(CASES)('%s', (_name, changes, code) => {
    expect(codeOf(changes)).toBe(code)
  })

  test('a payer of a former payment is left out of ACH', () => {
    expect(plan({ payer: null }).content).not.toHaveProperty('company_name')
  })
})
