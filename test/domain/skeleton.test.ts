import { expect, test } from 'vitest'
import { keysOf } from '../../domain/bills/likeness.ts'
import { skeletonOf } from '../../domain/skeleton.ts'

test.each([
  ['a Cyrillic letter', 'Acmе Suppliеs', 'Acme Supplies'],
  ['Cyrillic capitals', 'АСМЕ', 'ACME'],
  ['Greek capitals among Latin ones', 'ΝΥSE Ltd', 'NYSE Ltd'],
  ['Greek small letters', 'νοdafοne', 'vodafone'],
  ['full width', 'Ａｃｍｅ', 'Acme'],
  ['mathematical letters', '𝐀𝐜𝐦𝐞', 'Acme'],
  ['Cherokee', 'ᎪCME', 'ACME'],
  ['a dotless i', 'Nıke', 'Nike'],
  ['an l for an I', 'lberdrola', 'Iberdrola'],
  ['a zero for an O', 'M0tor', 'Motor'],
  ['rn for m', 'Arnazon', 'Amazon'],
  ['invisible characters', 'Ac\u200b\u2060m\u00ade\ufeff', 'Acme'],
  ['joiners', 'Ac\u200dm\u200ce', 'Acme'],
  ['case, blanks, signs and accents', 'MÜLLER  & Söhne', 'Müller&söhne'],
])('%s is seen through', (_, one, other) => expect(skeletonOf(one)).toBe(skeletonOf(other)))

test('names that people can tell apart stay apart, and case is none of them in any script', () => {
  const names = ['Acme', 'Acne', 'Müller', 'Miller', 'Стройка', 'Нева', 'Αθήνα', '株式会社', 'Firma 2', 'Firma 3']
  expect(new Set(names.map(skeletonOf)).size).toBe(names.length)
  for (const name of [...names, 'ΝΑΥΤΙΛΙΑ', 'ЎЗБЕК'])
    expect(skeletonOf(name.toLowerCase())).toBe(skeletonOf(name.toUpperCase()))
})

test('a bill is compared by the looks of name, tax id and number', () => {
  const bill = { supplier_name: 'Acme', supplier_tax_id: 'DE136695976', bill_number: 'RE-2026/0012' }
  const alike = { supplier_name: 'Асmе', supplier_tax_id: 'DЕ 136695976', bill_number: 'RЕ-2026/0012' }
  expect(keysOf(alike)).toEqual(keysOf(bill))
  const none = { tax_key: null, name_key: null, number_key: null }
  expect(keysOf({ supplier_name: ' \u200b—', bill_number: '' })).toEqual(none)
})
