import { describe, expect, test } from 'vitest'
import type { BillField } from '../../domain/bills/fields.ts'
import { mergeReadings } from '../../domain/bills/merged.ts'
import type { NotPayable, ReadField, Reading } from '../../domain/bills/reader.ts'
import { doubt, verifyFields } from '../../domain/bills/verified.ts'

const found = (field: BillField, value: string, confidence: number | null = 0.9): ReadField => ({
  field,
  value,
  page: 1,
  box: null,
  text: value,
  confidence,
})
const foundAll = (fields: Partial<Record<BillField, string>>, confidence: number | null = 0.9): ReadField[] =>
  // the keys are those of the record
  Object.entries(fields).map(([field, value]) => found(field as BillField, value, confidence))
const values = (fields: readonly ReadField[]) => Object.fromEntries(fields.map(({ field, value }) => [field, value]))
const check = (...fields: ReadField[]) => {
  const { fields: kept, doubts } = verifyFields(fields)
  return { kept: values(kept), doubts: doubts.map(({ code, fields: named }) => [code, ...named]) }
}
const IBAN = 'DE02120300000000202051'
const OTHER_IBAN = 'DE02500105170137075030'

describe('what a reader found', () => {
  test('an account is known by an IBAN of its country with its check digits, however it is written', () => {
    expect(check(found('iban', ' de02 1203 0000 0000-2020 51 ')).kept).toEqual({
      iban: IBAN,
      bank_country_alpha2: 'DE',
    })
    expect(check(found('iban', 'DE02120300000000202052'))).toEqual({
      kept: {},
      doubts: [['wrong_check_digits', 'iban']],
    })
    expect(check(found('iban', 'DE0212030000000020205'))).toEqual({ kept: {}, doubts: [['malformed', 'iban']] })
    expect(check(found('iban', 'XX02120300000000202051')).kept).toEqual({})
  })

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
  ] as const)('%s %s is left out, and the doubt is told', (field, value, code) => {
    expect(check(found(field, value))).toEqual({ kept: {}, doubts: [[code, field]] })
  })

  test('a field that is found with two values stays empty, unless both are written for the same', () => {
    expect(check(found('iban', IBAN), found('iban', OTHER_IBAN))).toEqual({
      kept: {},
      doubts: [['contradicted', 'iban']],
    })
    expect(check(found('bill_number', 'R 1'), found('bill_number', 'R  1')).kept).toEqual({ bill_number: 'R 1' })
  })

  test('an IBAN beside another sort code and account number names no account', () => {
    const british = foundAll({ iban: 'GB29NWBK60161331926819', sort_code: '60-16-13', account_number: '31926818' })
    expect(verifyFields(british).fields.map(({ field }) => field)).toEqual([])
    const same = foundAll({ iban: 'GB29NWBK60161331926819', sort_code: '60-16-13', account_number: '31926819' }, 1)
    expect(values(verifyFields(same).fields)).toMatchObject({ sort_code: '601613', account_number: '31926819' })
  })

  test('a BIC of another country than the IBAN is left out', () => {
    expect(check(found('iban', IBAN), found('swift_code', 'DEUTDEFFXXX')).kept).toMatchObject({
      swift_code: 'DEUTDEFF',
    })
    expect(check(found('iban', IBAN), found('swift_code', 'BNPAFRPP'))).toEqual({
      kept: { iban: IBAN, bank_country_alpha2: 'DE' },
      doubts: [['contradicted', 'swift_code']],
    })
  })

  test('numbers keep leading zeros, amounts have the decimals of their currency, and nothing is rounded', () => {
    expect(check(found('account_number', '0012345678'), found('bill_number', '000042')).kept).toEqual({
      account_number: '0012345678',
      bill_number: '000042',
    })
    expect(check(found('amount', '-119.5'), found('currency', 'EUR')).kept).toMatchObject({ amount: '-119.50' })
    expect(check(found('amount', '1190.00'), found('currency', 'JPY')).kept).toMatchObject({ amount: '1190' })
    expect(check(found('amount', '119.005'), found('currency', 'EUR')).doubts).toEqual([['malformed', 'amount']])
  })

  test('names come without what hides', () => {
    expect(check(found('supplier_name', ' Müller\u202e &\n  Söhne\0 ')).kept).toEqual({
      supplier_name: 'Müller & Söhne',
    })
    expect(check(found('supplier_name', '\u200b'))).toEqual({ kept: {}, doubts: [] })
  })
})

describe('readings of several readers', () => {
  const reading = (
    method: string,
    fields: Partial<Record<BillField, string>>,
    notPayable: NotPayable | null = null,
    doubts: Reading['doubts'] = [],
  ): Reading => ({ method, fields: foundAll(fields), doubts, notPayable })
  const together = (...readings: Reading[]) => {
    const { fields, ...rest } = mergeReadings(readings)
    return {
      ...rest,
      fields: Object.fromEntries(fields.map(({ field, value, method }) => [field, `${method} ${value}`])),
    }
  }

  test('each field is of the best reader that found it', () => {
    const { fields } = together(
      reading('cii', { bill_number: '2026-0012', amount: '119.00', currency: 'EUR' }),
      reading('text-layer', { bill_number: 'RE 2026-0012', amount: '119.00', due_date: '2026-03-01' }),
    )
    expect(fields).toEqual({
      bill_number: 'cii 2026-0012',
      amount: 'cii 119.00',
      currency: 'cii EUR',
      due_date: 'text-layer 2026-03-01',
    })
  })

  test('bank details are all of one reader, and of none if two readers found different accounts', () => {
    const whole = together(reading('cii', { iban: IBAN }), reading('text-layer', { iban: IBAN, bank_name: 'Bank' }))
    expect(whole.fields).toEqual({ iban: `cii ${IBAN}` })
    const apart = together(reading('cii', { iban: IBAN }), reading('text-layer', { iban: OTHER_IBAN, amount: '1' }))
    expect(apart.fields).toEqual({ amount: 'text-layer 1' })
    expect(apart.doubts).toMatchObject([{ code: 'contradicted', fields: ['iban', 'account_number'] }])
  })

  test('what a better reader left in doubt stays empty', () => {
    const doubts = [doubt('wrong_check_digits', ['iban'])]
    expect(
      together(reading('ubl', {}, null, doubts), reading('text-layer', { iban: IBAN, amount: '1' })).fields,
    ).toEqual({
      amount: 'text-layer 1',
    })
  })

  test.each(['direct_debit', 'card'] as const)('a bill that is paid by %s names no account', (notPayable) => {
    const { fields, ...rest } = together(
      reading('ubl', { amount: '1' }, notPayable),
      reading('text-layer', { iban: IBAN, account_holder_name: 'Payer' }),
    )
    expect({ fields, notPayable: rest.notPayable }).toEqual({ fields: { amount: 'ubl 1' }, notPayable })
  })

  const XML = {
    bill_number: 'RE-2026-0012',
    supplier_name: 'Müller & Söhne GmbH',
    supplier_tax_id: 'DE136695976',
    amount: '119.00',
    currency: 'EUR',
  }
  const PAGE = { iban: IBAN, bank_name: 'Bank', due_date: '2026-03-31' }

  test.each([
    ['bill_number', 'RE-2026-0013'],
    ['bill_number', '0012-RE'],
    ['supplier_name', 'Schneider Druck GmbH'],
    ['supplier_name', 'Gesellschaft der Freunde mbH'],
    ['supplier_tax_id', 'DE123456788'],
    ['amount', '191.00'],
    ['currency', 'CHF'],
  ] as const)('nothing is taken from a page whose %s is another one: %s', (field, value) => {
    const { fields, doubts } = together(
      reading('cii', XML),
      reading('text-layer', { ...XML, ...PAGE, [field]: value }, 'pro_forma', [
        doubt('ambiguous_date', ['issue_date']),
      ]),
    )
    expect(fields).toEqual(Object.fromEntries(Object.entries(XML).map(([name, said]) => [name, `cii ${said}`])))
    expect(doubts).toEqual([doubt('contradicted', [field])])
  })

  test.each([
    ['bill_number', '2026-0012'],
    ['bill_number', 'RE 2026 0012'],
    ['supplier_name', 'MÜLLER und Söhne'],
    ['supplier_tax_id', 'DE 136 695 976'],
    ['supplier_tax_id', '307/521/32321'],
    ['amount', '119'],
  ] as const)('a page that writes the %s as %s is of the same bill', (field, value) => {
    const { fields, doubts } = together(reading('cii', XML), reading('text-layer', { ...XML, ...PAGE, [field]: value }))
    expect(fields).toMatchObject({ iban: `text-layer ${IBAN}`, due_date: 'text-layer 2026-03-31' })
    expect(doubts).toEqual([])
  })

  test('bank details are taken only from a page that names the number or the amount of the bill', () => {
    const { fields, doubts } = together(reading('cii', XML), reading('text-layer', PAGE))
    expect(fields).toMatchObject({ due_date: 'text-layer 2026-03-31' })
    expect(fields).not.toHaveProperty('iban')
    expect(fields).not.toHaveProperty('bank_name')
    expect(doubts).toEqual([doubt('unconfirmed', ['iban'])])
    for (const one of [{ bill_number: XML.bill_number }, { amount: XML.amount }]) {
      expect(together(reading('cii', XML), reading('text-layer', { ...PAGE, ...one })).fields).toHaveProperty('iban')
    }
  })

  test('a letter that names an account and a scan that names an amount are not one bill', () => {
    const { fields, doubts } = together(
      reading('text-layer', { iban: IBAN }),
      reading('tesseract-5', { bill_number: 'A-77', amount: '5.00', currency: 'EUR' }),
    )
    expect(fields).toEqual({ bill_number: 'tesseract-5 A-77', amount: 'tesseract-5 5.00', currency: 'tesseract-5 EUR' })
    expect(doubts).toEqual([doubt('unconfirmed', ['iban'])])
  })

  test('a page that says that nothing is to be paid stops the payment, whatever else it contradicts', () => {
    const page = (notPayable: NotPayable) => reading('text-layer', { ...XML, amount: '1.00' }, notPayable)
    expect(together(reading('cii', XML), page('paid')).notPayable).toBe('paid')
    expect(together(reading('cii', XML), page('credit_note')).notPayable).toBeNull()
  })

  test('amounts that differ are told, and the better one stands', () => {
    const { fields, doubts } = together(reading('ubl', { amount: '1.00' }), reading('text-layer', { amount: '2.00' }))
    expect(fields).toEqual({ amount: 'ubl 1.00' })
    expect(doubts).toMatchObject([{ code: 'contradicted', fields: ['amount'] }])
    const credit = together(
      reading('ubl', { amount: '-1.00' }, 'credit_note'),
      reading('text-layer', { amount: '1.00' }),
    )
    expect(credit.doubts).toEqual([])
  })
})
