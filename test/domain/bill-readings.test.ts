import { describe, expect, test } from 'vitest'
import type { BillField } from '../../domain/bills/fields.ts'
import { mergeReadings } from '../../documents/bills/merged.ts'
import type { NotPayable, ReadField, Reading } from '../../domain/bills/reader.ts'
import { doubt, verifyFields } from '../../documents/bills/verified.ts'
import { codesOf } from '../support/bills/readings.ts'

type Values = Partial<Record<BillField, string>>

const found = (field: BillField, value: string, confidence = 0.9): ReadField => {
  const place = { page: 1, box: null, text: value, confidence }
  return { field, value, ...place }
}
const foundAll = (fields: Values, confidence = 0.9): ReadField[] =>
  // the keys are those of the record
  Object.entries(fields).map(([field, value]) => found(field as BillField, value, confidence))
const IBAN = 'DE02120300000000202051'
const OTHER_IBAN = 'DE02500105170137075030'

describe('what a reader found', () => {
  const check = (...fields: ReadField[]) => {
    const { fields: kept, doubts } = verifyFields(fields)
    return [Object.fromEntries(kept.map(({ field, value }) => [field, value])), codesOf({ doubts })]
  }
  const german = { iban: IBAN, bank_country_alpha2: 'DE' }
  const british = { iban: 'GB29NWBK60161331926819', sort_code: '60-16-13' }

  test.each<[string, Values, Values, string[][]]>([
    ['an IBAN is known, however it is written', { iban: ' de02 1203 0000 0000-2020 51 ' }, german, []],
    ['not with wrong check digits', { iban: 'DE02120300000000202052' }, {}, [['wrong_check_digits', 'iban']]],
    ['not of another length', { iban: 'DE0212030000000020205' }, {}, [['malformed', 'iban']]],
    ['not of no country', { iban: 'XX02120300000000202051' }, {}, [['wrong_check_digits', 'iban']]],
    ['leading zeros stay', { account_number: '0012345678' }, { account_number: '0012345678' }, []],
    ['in a number, too', { bill_number: '000042' }, { bill_number: '000042' }, []],
    ['an amount has decimals', { amount: '-119.5', currency: 'EUR' }, { amount: '-119.50', currency: 'EUR' }, []],
    ['or none', { amount: '1190.00', currency: 'JPY' }, { amount: '1190', currency: 'JPY' }, []],
    ['and is not rounded', { amount: '119.005', currency: 'EUR' }, { currency: 'EUR' }, [['malformed', 'amount']]],
    ['names do not hide', { supplier_name: ' A\u202e &\n  Söhne\0 ' }, { supplier_name: 'A & Söhne' }, []],
    ['a name that is nothing is none', { supplier_name: '\u200b' }, {}, []],
    ['a BIC of the same country', { iban: IBAN, swift_code: 'DEUTDEFFXXX' }, { ...german, swift_code: 'DEUTDEFF' }, []],
    ['but none of another', { iban: IBAN, swift_code: 'BNPAFRPP' }, german, [['contradicted', 'swift_code']]],
  ])('%s: %j', (_, fields, kept, doubts) => expect(check(...foundAll(fields))).toEqual([kept, doubts]))

  test.each([
    ['aba_code', '021000022', 'wrong_check_digits'],
    ['sort_code', '12-34-5', 'malformed'],
    ['swift_code', 'DEUTZZFF', 'malformed'],
    ['swift_code', 'DEUTDEF', 'malformed'],
    ['ifsc_code', 'HDFC1000001', 'malformed'],
    ['account_number', '12 34/5', 'malformed'],
    ['currency', 'EURO', 'no_such_currency'],
    ['currency', 'USDC', 'no_such_currency'],
    ['amount', '1.234,50', 'malformed'],
    ['amount', '1e3', 'malformed'],
    ['issue_date', '2026-02-29', 'no_such_date'],
    ['due_date', '01.03.2026', 'no_such_date'],
    ['bank_country_alpha2', 'UK', 'malformed'],
    ['bill_number', 'x'.repeat(256), 'malformed'],
  ] as const)('%s %s is left out, and the doubt is told', (field, value, code) =>
    expect(check(found(field, value))).toEqual([{}, [[code, field]]]),
  )

  test('a field that is found with two values stays empty, unless both are written for the same', () => {
    expect(check(found('iban', IBAN), found('iban', OTHER_IBAN))).toEqual([{}, [['contradicted', 'iban']]])
    expect(check(found('bill_number', 'R 1'), found('bill_number', 'R  1'))).toEqual([{ bill_number: 'R 1' }, []])
  })

  test('an IBAN beside another sort code and account number names no account', () => {
    expect(verifyFields(foundAll({ ...british, account_number: '31926818' })).fields).toEqual([])
    const [same] = check(...foundAll({ ...british, account_number: '31926819' }, 1))
    expect(same).toMatchObject({ sort_code: '601613', account_number: '31926819' })
  })
})

describe('readings of several readers', () => {
  const reading = (
    method: string,
    fields: Values,
    notPayable: NotPayable | null = null,
    doubts: Reading['doubts'] = [],
  ): Reading => ({ method, fields: foundAll(fields), doubts, notPayable })
  const text = (fields: Values, notPayable: NotPayable | null = null, doubts: Reading['doubts'] = []) =>
    reading('text-layer', fields, notPayable, doubts)
  const together = (...readings: Reading[]) => {
    const { fields, ...rest } = mergeReadings(readings)
    return {
      ...rest,
      fields: Object.fromEntries(fields.map(({ field, value, method }) => [field, `${method} ${value}`])),
    }
  }
  const saidBy = (method: string, fields: Values) =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, `${method} ${value}`]))

  test('each field is of the best reader that found it', () => {
    const best = { bill_number: '2026-0012', amount: '119.00', currency: 'EUR' }
    const page = text({ bill_number: 'RE 2026-0012', amount: '119.00', due_date: '2026-03-01' })
    const due = { due_date: 'text-layer 2026-03-01' }
    expect(together(reading('cii', best), page).fields).toEqual({ ...saidBy('cii', best), ...due })
  })

  test('bank details are all of one reader, and of none if two readers found different accounts', () => {
    const whole = together(reading('cii', { iban: IBAN }), text({ iban: IBAN, bank_name: 'Bank' }))
    expect(whole.fields).toEqual({ iban: `cii ${IBAN}` })
    const apart = together(reading('cii', { iban: IBAN }), text({ iban: OTHER_IBAN, amount: '1' }))
    expect(apart.fields).toEqual({ amount: 'text-layer 1' })
    expect(apart.doubts).toMatchObject([{ code: 'contradicted', fields: ['iban', 'account_number'] }])
  })

  test('what a better reader left in doubt stays empty', () => {
    const doubtful = reading('ubl', {}, null, [doubt('wrong_check_digits', ['iban'])])
    expect(together(doubtful, text({ iban: IBAN, amount: '1' })).fields).toEqual({ amount: 'text-layer 1' })
  })

  test.each(['direct_debit', 'card'] as const)('a bill that is paid by %s names no account', (notPayable) => {
    const paid = reading('ubl', { amount: '1' }, notPayable)
    const page = text({ iban: IBAN, account_holder_name: 'Payer' })
    expect(together(paid, page)).toMatchObject({ fields: { amount: 'ubl 1' }, notPayable })
    expect(Object.keys(together(paid, page).fields)).toEqual(['amount'])
  })

  const XML = {
    bill_number: 'RE-2026-0012',
    supplier_name: 'Müller & Söhne GmbH',
    supplier_tax_id: 'DE136695976',
    amount: '119.00',
    currency: 'EUR',
  }
  const PAGE = { iban: IBAN, bank_name: 'Bank', due_date: '2026-03-31' }
  const withPage = (fields: Values, ...more: [NotPayable?, Reading['doubts']?]) =>
    together(reading('cii', XML), text(fields, ...more))

  test.each([
    ['bill_number', 'RE-2026-0013'],
    ['bill_number', '0012-RE'],
    ['supplier_name', 'Schneider Druck GmbH'],
    ['supplier_name', 'Gesellschaft der Freunde mbH'],
    ['supplier_tax_id', 'DE123456788'],
    ['amount', '191.00'],
    ['currency', 'CHF'],
  ] as const)('nothing is taken from a page whose %s is another one: %s', (field, value) => {
    const page = { ...XML, ...PAGE, [field]: value }
    const { fields, doubts } = withPage(page, 'pro_forma', [doubt('ambiguous_date', ['issue_date'])])
    expect([fields, doubts]).toEqual([saidBy('cii', XML), [doubt('contradicted', [field])]])
  })

  test.each([
    ['bill_number', '2026-0012'],
    ['bill_number', 'RE 2026 0012'],
    ['supplier_name', 'MÜLLER und Söhne'],
    ['supplier_tax_id', 'DE 136 695 976'],
    ['supplier_tax_id', '307/521/32321'],
    ['amount', '119'],
  ] as const)('a page that writes the %s as %s is of the same bill', (field, value) => {
    const { fields, doubts } = withPage({ ...XML, ...PAGE, [field]: value })
    expect(fields).toMatchObject({ iban: `text-layer ${IBAN}`, due_date: 'text-layer 2026-03-31' })
    expect(doubts).toEqual([])
  })

  test('bank details are taken only from a page that names the number or the amount of the bill', () => {
    const { fields, doubts } = withPage(PAGE)
    expect(fields).toEqual({ ...saidBy('cii', XML), due_date: 'text-layer 2026-03-31' })
    expect(doubts).toEqual([doubt('unconfirmed', ['iban'])])
    for (const one of [{ bill_number: XML.bill_number }, { amount: XML.amount }])
      expect(withPage({ ...PAGE, ...one }).fields).toHaveProperty('iban')
  })

  test('a letter that names an account and a scan that names an amount are not one bill', () => {
    const scanned = { bill_number: 'A-77', amount: '5.00', currency: 'EUR' }
    const { fields, doubts } = together(text({ iban: IBAN }), reading('tesseract-5', scanned))
    expect([fields, doubts]).toEqual([saidBy('tesseract-5', scanned), [doubt('unconfirmed', ['iban'])]])
  })

  test('a page that says that nothing is to be paid stops the payment, whatever else it contradicts', () => {
    const other = { ...XML, amount: '1.00' }
    expect(withPage(other, 'paid').notPayable).toBe('paid')
    expect(withPage(other, 'credit_note').notPayable).toBeNull()
  })

  test('amounts that differ are told, and the better one stands; those of a credit note do not differ in their sign', () => {
    const { fields, doubts } = together(reading('ubl', { amount: '1.00' }), text({ amount: '2.00' }))
    expect(fields).toEqual({ amount: 'ubl 1.00' })
    expect(doubts).toMatchObject([{ code: 'contradicted', fields: ['amount'] }])
    const credit = reading('ubl', { amount: '-1.00' }, 'credit_note')
    expect(together(credit, text({ amount: '1.00' })).doubts).toEqual([])
  })
})
