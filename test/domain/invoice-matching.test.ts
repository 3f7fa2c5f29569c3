import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OpenInvoice, keysIn, matchOf, referenceKeys, stands } from '../../domain/invoices/matching.ts'
import { wordsIn } from '../../domain/invoices/search.ts'
import { always } from '../support/property.ts'
import { listed } from '../support/listed.ts'

const open = (id: string, given: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id,
  number: `INV-00000${id}`,
  buyer_reference: null,
  internal_reference_number: null,
  customer: 'Lindenhof GmbH',
  due: '100.00',
  early: [],
  closed: false,
  ...given,
})
const payment = (text: string | null, amount = '100.00', payer: string | null = null) => ({ amount, text, payer })
const isIn = (reference: string, text: string) => stands(reference, wordsIn(text))

test.each([
  ['INV-000001', true, listed`INV-000001 | inv 000001 | INV000001 | Rechnung Nr. inv/000001, danke | ÍNV–000001.`],
  ['INV-000001', true, listed`INV-000002 INV-000001 | EREF+INV-000001+X`],
  ['INV-000001', false, listed`INV-0000012 | 1INV-000001 | XINV-000001 | INV-0000 01 | INV-000001a | INV-00001`],
  ['INV-000001', false, ['I NV000001', '']],
  ['Müller & Söhne 7', false, ['MUELLER']],
  ['Müller & Söhne 7', true, listed`MUELLER + SOEHNE 7 | müller & söhne 7 | Muller, Sohne 7`],
  ['Straße 7', true, ['strasse-7']],
  ['ŁÓDŹ-7', true, listed`LODZ-7 | łódź 7 | Lodz/7`],
  ['Søren/2026', true, listed`SOREN 2026 | SOEREN 2026 | søren-2026 | Sǿren 2026`],
  ['株式7-1234', true, ['株式 7-1234']],
  ['株式7-1234', false, listed`7-1234 | 株7-1234`],
  ['2024-1', true, ['paid 2024/1']],
  ['2024-1', false, ['paid 202 41']],
  ['PO4711', true, ['po 4711']],
  ['A-1', false, ['A-1']],
  ['    ', false, ['anything']],
])('a reference stands in a text as whole words, however it is written: %s, %s', (reference, isFound, texts) => {
  for (const text of texts) expect(isIn(reference, text), text).toBe(isFound)
})

test('whatever stands beside it, a reference is found, by the keys that are looked up too; glued to a letter or a digit it is not', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/)
  const joint = fc.constantFrom('-', '/', '.', ' ', ' - ')
  const beside = fc.stringMatching(/^[A-Za-z0-9 .,:;-]{0,20}$/)
  const parts = fc.array(word, { minLength: 1, maxLength: 4 })
  always(1000, parts, joint, joint, beside, beside, (words, one, other, a, b) => {
    const reference = words.join(one)
    fc.pre(words.join('').length >= 4)
    const text = `${a} ${words.join(other).toUpperCase()} ${b}`
    expect(isIn(reference, text)).toBe(true)
    expect(keysIn(text)).toContain(referenceKeys([reference])[0])
    expect([isIn(reference, `${reference}7`), isIn(reference, `x${reference}`)]).toEqual([false, false])
  })
})

test.each([
  ['ŁÓDŹ-7', 'LODZ 7'],
  ['Ørsted 12', 'OERSTED12'],
  ['Ørsted 12', 'orsted 12'],
])('the keys of reference %s are among those of %s', (reference, text) => {
  expect(keysIn(text).filter((key) => referenceKeys([reference]).includes(key))).toHaveLength(1)
})

test('certain is only one open invoice that is named, with what came as its due amount', () => {
  const certain = { kind: 'certain', invoiceId: '1', by: 'number' }
  expect(matchOf(payment('inv 000001'), [open('1'), open('2')])).toEqual(certain)
  const referred = [open('1', { buyer_reference: 'PO-4711' }), open('2', { internal_reference_number: 'K-2026-9' })]
  expect(matchOf(payment('po 4711'), referred)).toMatchObject({ invoiceId: '1', by: 'buyer_reference' })
  expect(matchOf(payment('K 2026 9'), referred)).toMatchObject({ invoiceId: '2', by: 'internal_reference_number' })
  const shared = [open('1', { buyer_reference: 'PO-4711' }), open('2', { buyer_reference: 'PO-4711', due: '50.00' })]
  expect(matchOf(payment('PO-4711', '50.00'), shared)).toMatchObject({ kind: 'certain', invoiceId: '2' })
})

test('anything less is possible, the likeliest first, or none', () => {
  const two = [open('1'), open('2')]
  const shared = [open('1', { buyer_reference: 'PO-4711' }), open('2', { buyer_reference: 'PO-4711' })]
  const found = (of: ReturnType<typeof payment>, invoices = two) => {
    const match = matchOf(of, invoices)
    return match.kind === 'possible' ? match.invoiceIds : match.kind
  }
  expect(found(payment('INV-000001', '99.99'))).toEqual(['1'])
  expect(found(payment('INV-000001 INV-000002'))).toEqual(['1', '2'])
  expect(found(payment('for 2: INV-000002', '7.00'))).toEqual(['2'])
  expect(found(payment('thanks'))).toEqual(['1', '2'])
  expect(found(payment(null, '7.00', 'LINDENHOF gmbh'))).toEqual(['1', '2'])
  expect(found(payment('INV-000003', '7.00', 'Somebody'))).toBe('none')
  expect(found(payment('INV-000001, INV-000002'), [open('1'), open('2', { due: '50.00' })])).toEqual(['1', '2'])
  expect(found(payment('PO-4711'), shared)).toEqual(['1', '2'])
})

test('of many possible invoices twenty are proposed', () => {
  const many = Array.from({ length: 50 }, (_, index) => open(String(index)))
  const match = matchOf(payment('thanks'), many)
  expect(match.kind === 'possible' && match.invoiceIds.length).toBe(20)
})

test('an invoice that a person has just called paid elsewhere is paid by its number and its exact amount alone', () => {
  const closed = open('1', { closed: true, buyer_reference: 'ORDER-77' })
  expect(matchOf(payment('INV-000001'), [closed, open('2')])).toEqual({ kind: 'certain', invoiceId: '1', by: 'number' })
  expect(matchOf(payment('INV-000001', '99.00', 'Lindenhof GmbH'), [closed])).toEqual({ kind: 'none' })
  expect(matchOf(payment('ORDER-77'), [closed])).toEqual({ kind: 'none' })
  const other = { kind: 'possible', invoiceIds: ['2'] }
  expect(matchOf(payment('INV-000001 INV-000002'), [closed, open('2')])).toEqual(other)
})

test.each([
  ['Käthe Müller & Söhne GmbH', listed`KAETHE MUELLER + SOEHNE GMBH | Kathe Muller und Sohne | KÄTHE MÜLLER & SÖHNE`],
  ['Smith & Sons Limited', listed`SMITH AND SONS LTD | Smith + Sons`],
  ['Łódź Sp. z o.o.', listed`LODZ SP ZOO | Lodz`],
])('a payer is known as the customer %s', (customer, payers) => {
  for (const payer of payers)
    expect(matchOf(payment('thanks', '1.00', payer), [open('1', { customer })]), payer).toMatchObject({
      kind: 'possible',
    })
  expect(matchOf(payment('thanks', '1.00', 'Somebody GmbH'), [open('1', { customer })])).toEqual({ kind: 'none' })
})
