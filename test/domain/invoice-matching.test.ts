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
  closed: false,
  ...given,
})
const payment = (text: string | null, amount = '100.00', payer: string | null = null) => ({ amount, text, payer })
const isIn = (reference: string, text: string) => stands(reference, wordsIn(text))

test('a number stands in a text however it is written, as whole words', () => {
  for (const text of listed`
    INV-000001 | inv 000001 | INV000001 | Rechnung Nr. inv/000001, danke | ÍNV–000001. | INV-000002 INV-000001
    EREF+INV-000001+X`)
    expect(isIn('INV-000001', text), text).toBe(true)
  for (const text of [
    'INV-0000012',
    '1INV-000001',
    'XINV-000001',
    'INV-0000 01',
    'INV-000001a',
    'INV-00001',
    'I NV000001',
    '',
  ])
    expect(isIn('INV-000001', text), text).toBe(false)
})

test('a reference is found by what is written in it, and not by another one with the same signs', () => {
  expect(isIn('Müller & Söhne 7', 'MUELLER')).toBe(false)
  expect(isIn('Straße 7', 'strasse-7')).toBe(true)
  expect(isIn('2024-1', 'paid 2024/1')).toBe(true)
  expect(isIn('2024-1', 'paid 202 41')).toBe(false)
  expect(isIn('PO4711', 'po 4711')).toBe(true)
  expect(isIn('A-1', 'A-1')).toBe(false)
  expect(isIn('    ', 'anything')).toBe(false)
})

test('whatever stands beside it, a reference is found, by the keys that are looked up too; glued to a letter or a digit it is not', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/)
  const joint = fc.constantFrom('-', '/', '.', ' ', ' - ')
  const beside = fc.stringMatching(/^[A-Za-z0-9 .,:;-]{0,20}$/)
  always(
    1000,
    fc.array(word, { minLength: 1, maxLength: 4 }),
    joint,
    joint,
    beside,
    beside,
    (parts, one, other, a, b) => {
      const reference = parts.join(one)
      fc.pre(parts.join('').length >= 4)
      const text = `${a} ${parts.join(other).toUpperCase()} ${b}`
      expect(isIn(reference, text)).toBe(true)
      expect(keysIn(text)).toContain(referenceKeys([reference])[0])
      expect(isIn(reference, `${reference}7`)).toBe(false)
      expect(isIn(reference, `x${reference}`)).toBe(false)
    },
  )
})

test('certain is only one open invoice that is named, with what came as its due amount', () => {
  expect(matchOf(payment('inv 000001'), [open('1'), open('2')])).toEqual({
    kind: 'certain',
    invoiceId: '1',
    by: 'number',
  })
  const referred = [open('1', { buyer_reference: 'PO-4711' }), open('2', { internal_reference_number: 'K-2026-9' })]
  expect(matchOf(payment('po 4711'), referred)).toMatchObject({ invoiceId: '1', by: 'buyer_reference' })
  expect(matchOf(payment('K 2026 9'), referred)).toMatchObject({ invoiceId: '2', by: 'internal_reference_number' })
  const shared = [open('1', { buyer_reference: 'PO-4711' }), open('2', { buyer_reference: 'PO-4711', due: '50.00' })]
  expect(matchOf(payment('PO-4711', '50.00'), shared)).toMatchObject({ kind: 'certain', invoiceId: '2' })
})

test('anything less is possible, the likeliest first, or none', () => {
  const two = [open('1'), open('2')]
  expect(matchOf(payment('INV-000001', '99.99'), two)).toEqual({ kind: 'possible', invoiceIds: ['1'] })
  expect(matchOf(payment('INV-000001 INV-000002'), two)).toEqual({ kind: 'possible', invoiceIds: ['1', '2'] })
  expect(matchOf(payment('for 2: INV-000002', '7.00'), two)).toEqual({ kind: 'possible', invoiceIds: ['2'] })
  expect(matchOf(payment('thanks'), two)).toEqual({ kind: 'possible', invoiceIds: ['1', '2'] })
  expect(matchOf(payment(null, '7.00', 'LINDENHOF gmbh'), two)).toEqual({ kind: 'possible', invoiceIds: ['1', '2'] })
  expect(matchOf(payment('INV-000003', '7.00', 'Somebody'), two)).toEqual({ kind: 'none' })
  const other = [open('1'), open('2', { due: '50.00' })]
  expect(matchOf(payment('INV-000001, INV-000002'), other)).toEqual({ kind: 'possible', invoiceIds: ['1', '2'] })
  const shared = [open('1', { buyer_reference: 'PO-4711' }), open('2', { buyer_reference: 'PO-4711' })]
  expect(matchOf(payment('PO-4711'), shared)).toEqual({ kind: 'possible', invoiceIds: ['1', '2'] })
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
  expect(matchOf(payment('INV-000001 INV-000002'), [closed, open('2')])).toEqual({
    kind: 'possible',
    invoiceIds: ['2'],
  })
})
